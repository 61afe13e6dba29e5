// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

extension Engine {
  /// Tells clients of something at `instant`; `by` is whose line it goes back to.
  mutating func notify<Payload: WireNotification>(
    _ payload: Payload, at instant: Instant, by cause: Cause? = nil, sendAt: Instant? = nil,
    uselessAfter: Instant? = nil,
    coalescingKey: String? = nil, group: String? = nil, recalls: String? = nil, recallsFrom: Instant? = nil
  ) {
    let notification = OutgoingNotification(
      payload, tUs: instant.microseconds, sendAtUs: sendAt?.microseconds,
      uselessAfterUs: uselessAfter?.microseconds, coalescingKey: coalescingKey, group: group, recalls: recalls,
      recallsFromUs: recallsFrom?.microseconds)
    perform(.notify(notification, cause))
  }
}
