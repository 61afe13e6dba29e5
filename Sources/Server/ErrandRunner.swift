// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Host
import RealTime
import Synchronization
import Timing

/// Does what requests leave to be done, one errand after another, on a thread of its own.
final class ErrandRunner: Sendable {
  private let waiting: Waiting
  private let thread: WakingThread

  private final class Waiting: Sendable {
    let errands = Mutex<[Errand]>([])
  }

  /// Wakes the eventfd `control` after each errand.
  init(control: Int32) {
    let waiting = Waiting()
    self.waiting = waiting
    thread = WakingThread {
      guard let next = waiting.errands.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return .whenWoken }
      let begun = Instant(nanoseconds: rt_now_ns())
      next.run()
      next.note(begun: begun, done: Instant(nanoseconds: rt_now_ns()))
      rt_waiter_wake(control)
      return .atOnce
    }
  }

  /// Starts the thread.
  func start() throws(ThreadError) { try thread.start(name: "errands") }

  /// Has `errand` done after those that wait: at most one of each client.
  func add(_ errand: Errand) {
    waiting.errands.withLock { $0.append(errand) }
    thread.wake()
  }

  /// Ends the thread after the errand it is at.
  func stop() { thread.stop() }
}
