// SPDX-License-Identifier: Apache-2.0

import Mixing
import Outcomes
import Timing
import Wire

/// What becomes of sounds, as clients are told.
extension Engine {
  mutating func tellSound(_ voice: VoiceID, _ entry: SoundBoard.Entry, _ end: SoundEnd, at instant: Instant) {
    let (sound, cue, reason) = (entry.sound, entry.cue?.rawValue, entry.told(end))
    func told() -> SoundFinished {
      SoundFinished(id: Int64(voice.rawValue), sound: sound.description, reason: reason, cue: cue)
    }
    // As instants are promised: the first whole microsecond.
    let instant = instant.roundedUpToMicrosecond
    if end == .cancelled || end == .skipped {
      noteUnbegun(
        UnbegunPart(
          what: .sound(voice), cue: entry.cue?.rawValue, due: entry.at, at: instant, isSkipped: end == .skipped,
          cause: entry.cause))
    }
    if end == .ended || end == .stolen { return notify(told(), at: instant, by: entry.cause) }
    notifyInTurn(told(), at: instant, by: entry.cause)
  }
}

extension SoundBoard.Entry {
  /// How its end is told: as what had it end.
  fileprivate func told(_ end: SoundEnd) -> SoundEnd {
    switch end {
    case .stopped where isSwitchedOff: .switchedOff
    case .stopped where isOutdated, .cancelled where isOutdated: .outdated
    default: end
    }
  }
}
