// SPDX-License-Identifier: Apache-2.0

import CRealTime
import RealTime
import Synchronization
import Timing
import Wire

/// Sends notifications at their instants, whatever control is doing: on a thread of its own, in real
/// time where permitted.
final class BeatsSender: Sendable {
  private struct State {
    var queue = TimedQueue()
    var channels: [ClientChannel] = []
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private let shared: Shared
  private let thread: WakingThread

  /// Wakes the eventfd `control` when a line could not be sent whole: a client needs to be looked after.
  init(control: Int32) {
    let shared = Shared()
    self.shared = shared
    thread = WakingThread {
      let now = Instant(nanoseconds: rt_now_ns())
      let (due, next, channels) = shared.state.withLock { state in
        (state.queue.takeFresh(dueAt: now), state.queue.next, state.channels)
      }
      var allSent = true
      for notification in due {
        for channel in channels where !channel.tell(notification) { allSent = false }
      }
      if !allSent { rt_waiter_wake(control) }
      if !due.isEmpty { return .atOnce }
      return next.map { .at(nanoseconds: $0.nanoseconds) } ?? .whenWoken
    }
  }

  /// Starts the thread; how it is scheduled.
  func start(priority: Int) throws(ThreadError) -> ThreadScheduling {
    try thread.start(name: "beats", priority: priority)
  }

  /// Those who are told.
  func tell(_ channels: [ClientChannel]) { shared.state.withLock { $0.channels = channels } }

  /// Sends `notification` at `instant`.
  func schedule(_ notification: OutgoingNotification, at instant: Instant) {
    let isFirst = shared.state.withLock { state in
      let before = state.queue.next
      state.queue.insert(notification, at: instant)
      return before.map { instant < $0 } ?? true
    }
    if isFirst { thread.wake() }
  }

  /// Forgets what of a group waits for `instant` or later.
  func recall(_ group: String, from instant: Instant) {
    shared.state.withLock { $0.queue.recall(group, from: instant) }
  }

  /// Ends the thread; what is not due is not sent.
  func stop() { thread.stop() }
}
