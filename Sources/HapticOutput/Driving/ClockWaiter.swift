// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Timing

/// Lets a thread sleep until an instant or until it is woken, whichever is first.
struct ClockWaiter: ~Copyable, Sendable {
  private let event: Int32
  private let timer: Int32

  /// Nil when the process has no file descriptors left.
  init?() {
    event = rt_waiter_event()
    timer = rt_waiter_timer()
    if event < 0 || timer < 0 {
      if event >= 0 { close(event) }
      if timer >= 0 { close(timer) }
      return nil
    }
  }

  deinit {
    close(event)
    close(timer)
  }

  /// Wakes the waiting thread, or makes its next wait return at once. Never blocks.
  func wake() { rt_waiter_wake(event) }

  /// Sleeps until `instant` (nil: for ever), until woken or until a signal comes; whether it was woken.
  @discardableResult func wait(until instant: Instant?) -> Bool {
    rt_waiter_wait(event, timer, instant.map { max($0.nanoseconds, 1) } ?? 0) != 0
  }

  /// Sleeps until `instant` or until a signal comes, whoever wakes it meanwhile: that is seen at the next wait.
  func sleep(until instant: Instant) { rt_sleep_until_ns(instant.nanoseconds) }
}
