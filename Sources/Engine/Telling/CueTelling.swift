// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Outcomes
import Timing
import Wire

/// What becomes of cues, as clients are told.
extension Engine {
  /// Tells the cues whose instant has come, with what of them does not happen.
  mutating func tellFiredCues() {
    passHaptics()
    skipUnheard(upTo: turn.now)
    while let cue = cues.take(by: turn.now) {
      shares.give(cue.share, for: cue.payer)
      notify(
        CueFired(
          id: cue.id.rawValue, cue: cue.key.description, soundAtUs: cue.heardAt?.microseconds,
          hapticAtUs: cue.feltAt?.microseconds, skewUs: skew(of: cue)?.microseconds,
          skipped: cue.skipped,
          chosen: cue.chosen.map(choice), tag: cue.tag), at: cue.at, by: cue.cause)
    }
  }

  /// A step of a firing does not happen, and the cue tells why. Until then it takes room of whoever fired it as if it came: or
  /// what one instant tells would be bounded by nothing.
  mutating func skip(_ step: CueSkip, of cue: PlanID, isFelt: Bool, at instant: Instant) {
    guard let payer = cues.skip(step, of: cue, isFelt: isFelt, at: instant) else { return }
    shares.takeAnyway(1, for: payer)
  }

  /// How much later than heard a cue is felt, offsets within it taken out; nil where it is only one of both, or where no
  /// output is heard or no pad felt.
  func skew(of cue: CueBoard.Fired) -> Interval? {
    turn.isHeard && turn.isFelt ? cue.skew : nil
  }

  mutating func tellCancelled(
    _ id: PlanID, _ key: AssetKey, _ reason: CancelReason, hasBegun: Bool = false, tooLate: [String] = [],
    tag: String?, by cause: Cause
  ) {
    notifyInTurn(
      CueCancelled(
        id: id.rawValue, cue: key.description, reason: reason, tooLate: tooLate, tag: tag), at: present,
      by: cause)
    // One that is stopped has begun.
    if reason == .stopped || hasBegun { return }
    noteUnbegun(UnbegunPart(what: .cue(id.rawValue), at: turn.now, cause: cause))
  }

  /// What a step came to, as clients are told.
  func choice(_ chosen: CueBoard.Chosen) -> CueStepChoice {
    CueStepChoice(
      step: chosen.step, sound: chosen.sound.map(\.description), pattern: chosen.pattern.map(\.description),
      gain: chosen.gain,
      pitch: chosen.pitch)
  }
}
