// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Host
import RealTime
import Synchronization
import Timing

/// Does what requests leave to be done, one errand after another, on a thread of its own: in the order of `ErrandQueue`.
final class ErrandRunner: Sendable {
  private let waiting: Waiting
  private let thread: WakingThread

  private final class Waiting: Sendable {
    let errands = Mutex(ErrandQueue())
  }

  /// Wakes the eventfd `control` after each errand.
  init(control: Int32) {
    let waiting = Waiting()
    self.waiting = waiting
    thread = WakingThread {
      guard let next = waiting.errands.withLock({ $0.next() }) else { return .whenWoken }
      let begun = Instant(nanoseconds: rt_now_ns())
      next.errand.run()
      let done = Instant(nanoseconds: rt_now_ns())
      next.errand.note(begun: begun, done: done)
      // Before its reply, behind which its client may leave another.
      waiting.errands.withLock { $0.charge(done - begun, to: next.client) }
      rt_waiter_wake(control)
      return .atOnce
    }
  }

  /// Starts the thread.
  func start() throws(ThreadError) { try thread.start(name: "errands") }

  /// Has `errand` done, of a client of `peer`: at most one of each client.
  func add(_ errand: Errand, of client: ClientID, _ peer: Peer) {
    waiting.errands.withLock { $0.add(errand, of: client, peer) }
    thread.wake()
  }

  /// A client has gone, and waits for nothing.
  func forget(_ client: ClientID) { waiting.errands.withLock { $0.remove(client) } }

  /// Ends the thread after the errand it is at.
  func stop() { thread.stop() }
}
