// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing

/// Up to when it is known what clients have sent: nothing that they may have tapped is settled before.
extension Host {
  /// What clients sent by `instant` was read and served: none of it is waited for any more. Where this is never told nothing is.
  public func heardClients(upTo instant: Instant) { heardClients = instant }

  /// How long ago clients may have been heard last while a chapter runs, though nothing is due: what a tap comes to that is for a beat
  /// of long ago hangs on it.
  private static let longestUnheard = Interval.milliseconds(50)

  /// Whether something is to be settled by `now`, on the clock, that clients may have tapped and were not heard for; or whether they were
  /// not heard for long, while a chapter runs.
  public func isWaitingForClients(at now: Instant) -> Bool {
    guard let heardClients, engine.isJudging else { return false }
    if now - heardClients > Self.longestUnheard { return true }
    // Read in place: what is asked of a stored engine whose answer is worked out elsewhere copies it whole first, which was a tenth of a
    // tap's way.
    func settlesNext(of engine: inout Engine) -> Instant? { engine.settlesNext }
    guard let due = settlesNext(of: &engine).flatMap(pause.clock.due) else { return false }
    return due <= now && heardClients < due
  }
}
