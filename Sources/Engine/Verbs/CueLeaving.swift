// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

/// Cues whose client has gone.
extension Engine {
  /// A client has gone: its cues that are to come do not, but for those within the time that they asked to be kept. Of those
  /// that have begun what has not begun by then ends: what was planned of the music goes with its cue.
  mutating func endCues(of client: ClientID) {
    // What has come is told before what becomes of it.
    tellFiredCues()
    cues.forget(client)
    for (id, cue) in cues.running.sorted(by: { $0.key < $1.key }) where cue.cause.client == client {
      let end = turn.now + cue.keepAfterDisconnect
      let isWhole = cue.at > end
      let hasMusic = cancelMusic(after: isWhole ? .distantPast : end, .clientLeft) { $0.purpose == .cue(id) }
      let hasStops = !cancelStops(of: id, after: isWhole ? .distantPast : end).isEmpty
      let hasSettings = !cancelSettings { $0.cue == id && $0.at > (isWhole ? .distantPast : end) }.isEmpty
      if isWhole {
        if let fired = cues.remove(id) { shares.give(fired.share, for: cue.cause) }
        tellCancelled(id, cue.key, .clientLeft, by: cue.cause)
      } else {
        let beginning = max(turn.earliestSound, end)
        let ends =
          hasMusic || hasStops || hasSettings
          || sounds.voices(of: id).contains { sounds[$0].map { $0.at > beginning } ?? false }
        cues.leave(CueBoard.Leaving(id: id, key: cue.key, at: end, isCut: ends, cause: cue.cause))
      }
    }
  }

  /// Tells the cues that were cut in their middle, when what their clients asked for is over.
  mutating func tellCutCues() {
    while let cue = cues.takeLeaving(by: turn.now) {
      guard cue.isCut || sounds.voices(of: cue.id).contains(where: { sounds[$0]?.loops ?? false }) else { continue }
      let done = cues.running[cue.id]?.done ?? cue.done
      cues.remove(cue.id)
      tellCancelled(cue.id, cue.key, .stopped, tooLate: done, by: cue.cause)
    }
  }
}
