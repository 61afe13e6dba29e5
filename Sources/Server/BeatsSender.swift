// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
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
    var stops = false
  }

  private let state = Mutex(State())
  private let wake: Int32
  private let timer: Int32
  /// Told when a client needs to be looked after.
  private let control: Int32

  /// Wakes the eventfd `control` when a line could not be sent whole.
  init(control: Int32) {
    self.control = control
    wake = rt_waiter_event()
    timer = rt_waiter_timer()
  }

  deinit {
    close(wake)
    close(timer)
  }

  /// Starts the thread. After `requestStop` it is to be joined.
  func start(priority: Int) throws(ThreadError) -> RealTimeThread {
    try RealTimeThread(
      name: "beats", priority: priority, body: sendBeats, argument: Unmanaged.passRetained(self).toOpaque())
  }

  /// Those who are told.
  func tell(_ channels: [ClientChannel]) { state.withLock { $0.channels = channels } }

  /// Sends `notification` at `instant`.
  func schedule(_ notification: OutgoingNotification, at instant: Instant) {
    let isFirst = state.withLock { state in
      let before = state.queue.next
      state.queue.insert(notification, at: instant)
      return before.map { instant < $0 } ?? true
    }
    if isFirst { rt_waiter_wake(wake) }
  }

  /// Forgets what waits of a group.
  func recall(_ group: String) { state.withLock { $0.queue.recall(group) } }

  /// Ends the thread; what is not due is not sent.
  func requestStop() {
    state.withLock { $0.stops = true }
    rt_waiter_wake(wake)
  }

  fileprivate func run() {
    while true {
      let now = Instant(nanoseconds: rt_now_ns())
      let (due, next, channels, stops) = state.withLock { state in
        (state.queue.takeFresh(dueAt: now), state.queue.next, state.channels, state.stops)
      }
      if stops { return }
      var allSent = true
      for notification in due {
        for channel in channels where !channel.tell(notification) { allSent = false }
      }
      if !allSent { rt_waiter_wake(control) }
      if due.isEmpty { rt_waiter_wait(wake, timer, next?.nanoseconds ?? 0) }
    }
  }
}

/// The thread's body: a function of the module, so that it belongs to no actor.
private func sendBeats(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<BeatsSender>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}
