// SPDX-License-Identifier: Apache-2.0

import CKernelRig
import Glibc
import RealTime
import Synchronization

/// Whether this machine runs its most urgent threads in time: one on each processor wakes every millisecond.
///
/// While such a thread is late nothing else ran on its processor either: a host took it away.
final class Standstills: Sendable {
  /// Half of what a cycle of 256 frames lasts at 48 kHz, in which a sound server wakes several threads in turn.
  private static let leastUs: Int64 = 2_600

  /// How late each was, beyond the least, in the order of instants; on one processor.
  private let late = Mutex<[Int64]>([])
  private let wakesUs: Mutex<Int64?>
  private let processor: Int

  private init(processor: Int) {
    self.processor = processor
    wakesUs = Mutex(nil)
  }

  /// Runs `body` and answers how long the machine stood still meanwhile, each time, in microseconds.
  static func watched(_ body: () throws -> Void) throws -> [Int64] {
    let watchers = (0..<sysconf(Int32(_SC_NPROCESSORS_ONLN))).map(Standstills.init(processor:))
    let threads = watchers.map { watcher in WakingThread { watcher.wake() } }
    for thread in threads { try thread.start(name: "standstills", priority: 99) }
    defer { for thread in threads { thread.stop() } }
    try body()
    return watchers.flatMap { watcher in watcher.late.withLock { $0 } }
  }

  /// Notes how late it is, and says when to wake next.
  private func wake() -> WakingThread.Next {
    let nowUs = monotonicUs()
    return wakesUs.withLock { wakesUs in
      if let due = wakesUs {
        if nowUs - due >= Self.leastUs { late.withLock { $0.append(nowUs - due) } }
      } else {
        _ = pin_thread(0, Int32(processor))
      }
      wakesUs = nowUs + 1_000
      return .at(nanoseconds: (nowUs + 1_000) * 1_000)
    }
  }
}
