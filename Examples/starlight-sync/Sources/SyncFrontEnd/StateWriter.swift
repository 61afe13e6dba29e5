// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Stores in the background: a disk that is busy for others may take its time, and a frame has none. One write is under way at a
/// time; of what is handed over meanwhile the latest alone is written next, for it is all that is kept of a player.
public final class StateWriter: Sendable {
  /// What came of storing.
  public enum Outcome: Equatable, Sendable {
    case stored
    case failed(StateFile.Failure)
  }

  private struct State {
    var waiting: [UInt8]?
    /// When the write that is under way began.
    var begunAt: SuspendingClock.Instant?
    var isLateTold = false
    var outcome: Outcome?
  }

  private let path: String
  private let patience: Duration
  private let write: @Sendable ([UInt8]) throws(StateFile.Failure) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "progress")
  private let writing = DispatchGroup()

  /// Writes to this file.
  public convenience init(_ file: StateFile) {
    self.init(path: file.path, patience: .seconds(10)) { bytes throws(StateFile.Failure) in try file.write(bytes) }
  }

  /// Writes by `write`, on a thread of its own; what takes longer than `patience` is told as a failure at `path`.
  init(path: String, patience: Duration, write: @escaping @Sendable ([UInt8]) throws(StateFile.Failure) -> Void) {
    (self.path, self.patience, self.write) = (path, patience, write)
  }

  /// Has these bytes stored, in place of any that wait. Where this is let go of they are stored all the same, as long as the
  /// program lives.
  public func store(_ bytes: [UInt8]) {
    let isIdle = state.withLock { state in
      state.waiting = bytes
      defer { state.begunAt = state.begunAt ?? .now }
      return state.begunAt == nil
    }
    if isIdle { queue.async(group: writing) { [self] in writeWhatWaits() } }
  }

  /// What came of what was written last, where that was not taken yet. A write that takes too long is told once as a failure; that
  /// it came to its end is told then.
  public func takeOutcome() -> Outcome? {
    state.withLock { state in
      if let begunAt = state.begunAt, !state.isLateTold, SuspendingClock.now - begunAt >= patience {
        return Self.late(&state, path, patience)
      }
      defer { state.outcome = nil }
      return state.outcome
    }
  }

  /// Waits until all is written, so long at most, and tells what came of it: for the end of a program.
  public func finish(within limit: Duration) -> Outcome? {
    if writing.wait(timeout: .after(limit)) == .success { return takeOutcome() }
    return state.withLock { Self.late(&$0, path, limit) }
  }

  private static func late(_ state: inout State, _ path: String, _ limit: Duration) -> Outcome {
    (state.isLateTold, state.outcome) = (true, nil)
    return .failed(StateFile.Failure("\(path) was not written within \(limit)"))
  }

  private func writeWhatWaits() {
    while let bytes = takeWaiting() {
      var outcome = Outcome.stored
      do throws(StateFile.Failure) {
        try write(bytes)
      } catch {
        outcome = .failed(error)
      }
      state.withLock { $0.outcome = outcome }
    }
  }

  private func takeWaiting() -> [UInt8]? {
    state.withLock { state in
      defer { state.waiting = nil }
      (state.begunAt, state.isLateTold) = (state.waiting.map { _ in .now }, false)
      return state.waiting
    }
  }
}
