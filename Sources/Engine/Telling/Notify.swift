// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

extension Engine {
  /// What happens now is told for this instant. Where the engine stands that is the one at which it goes on, for the last
  /// before it is one of before the pause, and would stay there.
  var present: Instant { clock.standing(at: turn.clockNow)?.at ?? turn.now }

  /// What happens so long from now as it is told: the first whole microsecond.
  func present(after length: Interval) -> Instant { (present + length).roundedUpToMicrosecond }

  /// Tells clients of something at `instant`; `by` is whose line it goes back to. Instants are the engine's here, and the
  /// clock's in what is told.
  mutating func notify<Payload: WireNotification>(
    _ payload: Payload, at instant: Instant, by cause: Cause? = nil, sendAt: Instant? = nil,
    uselessAfter: Instant? = nil,
    coalescingKey: String? = nil, group: String? = nil, recalls: String? = nil, recallsFrom: Instant? = nil
  ) {
    let notification = OutgoingNotification(
      payload.told(by: clock), tUs: clock.told(instant).microseconds,
      sendAtUs: sendAt.map { clock.told($0).microseconds },
      uselessAfterUs: uselessAfter.map { clock.told($0).microseconds }, coalescingKey: coalescingKey, group: group,
      recalls: recalls, recallsFromUs: recallsFrom.map { clock.told($0).microseconds })
    perform(.notify(notification, cause))
  }
}

extension WireNotification {
  /// The same with the clock's instants in place of the engine's.
  func told(by clock: EngineClock) -> Self {
    var told = self
    told.moveInstants { clock.told(Instant(microseconds: $0)).microseconds }
    return told
  }
}
