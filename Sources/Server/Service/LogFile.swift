// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import RealTime
import Synchronization

/// Writes lines of the log to a file by a thread of its own: its disk may not answer, and nobody is to wait for that.
final class LogFile: Sendable {
  /// How long a line is waited for, in milliseconds: far longer than a disk that is well takes, so that what was logged is in the
  /// file. Those behind one that took longer are not waited for.
  private let patience: Int64
  /// The most that waits for a disk that hangs, in bytes.
  private static let mostWaiting = 65_536

  private struct State {
    var waiting: [[UInt8]] = []
    var waitingBytes = 0
    /// Lines that were handed over, and those of them that were written or failed.
    var handed = 0
    var ended = 0
    /// Whether the last of those was written whole.
    var isWhole = true
  }

  private final class Shared: Sendable {
    let descriptor: Int32
    /// An eventfd that tells that a line has ended.
    let told = rt_waiter_event()
    let state = Mutex(State())

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { if told >= 0 { close(told) } }

    func write() {
      while let line = state.withLock({ $0.waiting.first }) {
        let isWhole = Glibc.write(descriptor, line, line.count) == line.count
        state.withLock { state in
          state.waiting.removeFirst()
          state.waitingBytes -= line.count
          state.ended += 1
          state.isWhole = isWhole
        }
        rt_waiter_wake(told)
      }
    }
  }

  private let shared: Shared
  private let thread: WakingThread

  /// Nil where there can be no thread for it.
  init?(_ descriptor: Int32, patience: Int64 = 100) {
    let shared = Shared(descriptor)
    self.shared = shared
    self.patience = patience
    thread = WakingThread {
      shared.write()
      return .whenWoken
    }
    guard shared.told >= 0, (try? thread.start(name: "log")) != nil else { return nil }
  }

  deinit { thread.stop(withinMilliseconds: patience) }

  /// Whether the line was written whole, or waits for a disk that does not answer at once.
  func takes(_ line: [UInt8]) -> Bool {
    let (number, isBehind): (Int?, Bool) = shared.state.withLock { state in
      let isBehind = state.ended < state.handed
      guard state.waitingBytes + line.count <= Self.mostWaiting else { return (nil, isBehind) }
      state.waiting.append(line)
      state.waitingBytes += line.count
      state.handed += 1
      return (state.handed, isBehind)
    }
    guard let number else { return false }
    thread.wake()
    return isBehind || isWritten(number)
  }

  /// Waits for a line, for a moment.
  private func isWritten(_ number: Int) -> Bool {
    let deadline = rt_now_ns() + patience * 1_000_000
    while true {
      if let isWhole = shared.state.withLock({ $0.ended >= number ? $0.isWhole : nil }) { return isWhole }
      let left = deadline - rt_now_ns()
      if left <= 0 { return true }
      var told = pollfd(fd: shared.told, events: Int16(POLLIN), revents: 0)
      poll(&told, 1, Int32((left + 999_999) / 1_000_000))
      var count: UInt64 = 0
      _ = read(shared.told, &count, MemoryLayout<UInt64>.size)
    }
  }
}
