// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

extension Engine {
  /// Tells clients of something at `instant`; `by` is whose line it goes back to. Instants are the engine's here, and the
  /// clock's in what is told.
  mutating func notify<Payload: WireNotification>(
    _ payload: Payload, at instant: Instant, by cause: Cause? = nil, sendAt: Instant? = nil,
    uselessAfter: Instant? = nil,
    coalescingKey: String? = nil, group: String? = nil, recalls: String? = nil
  ) {
    let notification = OutgoingNotification(
      told(payload), tUs: clock.told(instant).microseconds, sendAtUs: sendAt.map { clock.told($0).microseconds },
      uselessAfterUs: uselessAfter.map { clock.told($0).microseconds }, coalescingKey: coalescingKey, group: group,
      recalls: recalls)
    perform(.notify(notification, cause))
  }

  /// The same with the clock's instants in it.
  func told<Payload: WireNotification>(_ payload: Payload) -> Payload {
    var told = payload
    told.moveInstants { clock.told(Instant(microseconds: $0)).microseconds }
    return told
  }
}
