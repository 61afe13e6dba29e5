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

  /// How long before an instant the thread is awake once: longer than waking takes, and too short for others to have filled
  /// the caches anew.
  private static let rehearsal = Interval.microseconds(400)

  private let shared: Shared
  private let thread: WakingThread

  /// Wakes the eventfd `control` when a line could not be sent whole: a client needs to be looked after.
  init(control: Int32) {
    let shared = Shared()
    self.shared = shared
    thread = WakingThread {
      let now = Instant(nanoseconds: rt_now_ns())
      let (due, next, channels) = shared.state.withLock { state in
        let due = state.queue.takeFresh(dueAt: now)
        // The next line is formatted and thrown away, so that its code and data are in the processor's caches when it is due.
        if due.isEmpty { _ = state.queue.first?.line(seq: .max) }
        return (due, state.queue.next, state.channels)
      }
      var allSent = true
      for notification in due {
        for channel in channels where !channel.tell(notification, at: now) { allSent = false }
      }
      if !allSent { rt_waiter_wake(control) }
      if !due.isEmpty { return .atOnce }
      guard let next else { return .whenWoken }
      let rehearsal = next - Self.rehearsal
      if rehearsal > now { return .at(nanoseconds: rehearsal.nanoseconds) }
      for channel in channels.prefix(1) { _ = channel.standing }
      return .at(nanoseconds: next.nanoseconds)
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

  /// Takes back what is to be sent at `instant` or later.
  func take(from instant: Instant) -> [OutgoingNotification] {
    shared.state.withLock { $0.queue.take(from: instant) }
  }

  /// Ends the thread; what is not due is not sent.
  func stop() { thread.stop() }
}
