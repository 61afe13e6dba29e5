// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization

/// Writes lines of the log by a thread of its own: a disk may take long for each, or not answer, and nobody is to wait for that.
final class LogFile: Sendable {
  /// How long the end waits for what was handed over, in milliseconds.
  private let patience: Int64
  /// The most that waits for a disk that is slow or hangs, in bytes.
  private static let mostWaiting = 65_536

  private struct State {
    /// What is to be written, each for so many lines that are lost with it.
    var waiting: [(bytes: [UInt8], lines: Int)] = []
    var waitingBytes = 0
    var tear = LogTear()
    /// Lines that were handed over and could not be written whole, since that was asked.
    var lost = 0
  }

  private final class Shared: Sendable {
    let descriptor: Int32
    let state = Mutex(State())

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func write() {
      while let bytes = state.withLock({ state in state.waiting.first.map { state.tear.begun($0.bytes) } }) {
        let count = Glibc.write(descriptor, bytes, bytes.count)
        state.withLock { state in
          let ended = state.waiting.removeFirst()
          state.waitingBytes -= ended.bytes.count
          state.tear.note(bytes, taken: count)
          if count < bytes.count { state.lost += ended.lines }
        }
      }
    }
  }

  private let shared: Shared
  private let thread: WakingThread

  /// Nil where there can be no thread for it.
  init?(_ descriptor: Int32, patience: Int64 = 500) {
    let shared = Shared(descriptor)
    self.shared = shared
    self.patience = patience
    let work: @Sendable () -> WakingThread.Next = {
      shared.write()
      return .whenWoken
    }
    thread = WakingThread(work, last: { shared.write() })
    guard (try? thread.start(name: "log")) != nil else { return nil }
  }

  deinit { end() }

  /// Whether there was room for what stands for so many lines. Whether it was written whole is known later: `takeLost`.
  func takes(_ bytes: [UInt8], for lines: Int = 1) -> Bool {
    let hasRoom = shared.state.withLock { state in
      guard state.waitingBytes + bytes.count <= Self.mostWaiting else { return false }
      state.waiting.append((bytes, lines))
      state.waitingBytes += bytes.count
      return true
    }
    if hasRoom { thread.wake() }
    return hasRoom
  }

  /// How many lines were taken and then lost, since that was asked.
  func takeLost() -> Int {
    shared.state.withLock { state in
      defer { state.lost = 0 }
      return state.lost
    }
  }

  /// Waits until all is written, for `patience` at most. Nothing is to be handed over from then on.
  func end() { thread.stop(withinMilliseconds: patience) }
}
