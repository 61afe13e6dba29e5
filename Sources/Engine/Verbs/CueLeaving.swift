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
    let running = cues.running.filter { $0.value.cause.client == client }
    // From when on the parts of each are called off: all of one that has not begun.
    let limits = running.mapValues { cue in
      let end = turn.now + cue.keepAfterDisconnect
      return cue.at > end ? Instant.distantPast : end
    }
    // Of all cues at once: what is behind a part of the music is carried out anew.
    let music = cancelMusic(.clientLeft) { entry in
      entry.purpose.cue.flatMap { limits[$0] }.map { entry.at > $0 } ?? false
    }
    let cutMusic = Set(music.compactMap(\.purpose.cue))
    for (id, cue) in running.sorted(by: { $0.key < $1.key }) {
      let end = turn.now + cue.keepAfterDisconnect
      let isWhole = cue.at > end
      let hasMusic = cutMusic.contains(id)
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
