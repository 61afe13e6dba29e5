// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Timing

/// A timer for the event loop that stays set from one sleep to the next.
///
/// To set a timer for a sleep and to cancel it when something comes takes a third of what an echo takes between two processes
/// (5 us of 15, measured on a virtual machine, where each is a call to its host). So one that would ring too early is left as it
/// is: it wakes once for nothing, however often something came meanwhile.
struct Alarm: ~Copyable {
  /// To be watched for its edge. It need not be read: each ring comes of a setting, and to set it makes it unreadable again.
  let descriptor: Int32
  private var setting = AlarmSetting()

  init() throws(ServerError) {
    let descriptor = rt_waiter_timer()
    guard descriptor >= 0 else { throw ServerError("no timer: \(errorText(errno))") }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Has it ring by `instant`, which lies after `now`: then, or earlier.
  mutating func ring(by instant: Instant, now: Instant) {
    if setting.isToChange(for: instant, now: now) { rt_waiter_set(descriptor, instant.nanoseconds) }
  }
}

/// Until when an alarm is set, and whether it is to be set anew. Knows no clock.
struct AlarmSetting {
  private var due: Instant?

  /// Whether it is to be set for `instant`, for it does not ring by then as it is; from here on it is.
  mutating func isToChange(for instant: Instant, now: Instant) -> Bool {
    // What is due has rung, and whoever looked meanwhile may have taken that.
    if let due, due > now, due <= instant { return false }
    due = instant
    return true
  }
}
