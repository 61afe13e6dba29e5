// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// What becomes of cues, as clients are told.
extension Engine {
  /// Tells the cues whose instant has come, with what of them does not happen.
  mutating func tellFiredCues() {
    while let cue = cues.take(by: turn.now) {
      shares.give(1, for: cue.cause)
      notify(
        CueFired(id: cue.id.rawValue, cue: spelled(cue.key), skipped: cue.skipped), at: cue.at, by: cue.cause)
    }
  }

  mutating func tellCancelled(_ cue: CueBoard.Fired, _ reason: PlanCancellation) {
    notifyInTurn(
      CueCancelled(id: cue.id.rawValue, cue: spelled(cue.key), reason: CancelReason(reason)), at: turn.now,
      by: cue.cause)
  }
}
