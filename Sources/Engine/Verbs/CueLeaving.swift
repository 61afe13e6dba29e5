// SPDX-License-Identifier: Apache-2.0

import GamePacks
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
    let running = cues.running.filter { $0.value.cause.client == client }.sorted { $0.key < $1.key }
    if running.isEmpty { return }
    // From when on the parts of each are called off: all of one that has not begun. Of all cues at once, for a client may
    // leave a thousand.
    let limits = Dictionary(uniqueKeysWithValues: running.map { id, cue in (id, limit(of: cue)) })
    func ends(_ cue: PlanID?, _ at: Instant) -> Bool { cue.flatMap { limits[$0] }.map { at > $0 } ?? false }
    var cut = Set(cancelMusic(.clientLeft) { ends($0.purpose.cue, $0.at) }.compactMap(\.purpose.cue))
    cut.formUnion(cancelStops { ends($1, $0) }.map(\.cue))
    cut.formUnion(cancelSettings { ends($0.cue, $0.at) }.compactMap(\.setting.cue))
    for voice in sounds.voices {
      guard let entry = sounds[voice], let cue = entry.cue, let limit = limits[cue] else { continue }
      // Of what repeats nothing begins that is not there by the end itself.
      let end = max(turn.earliestSound, present(after: entry.keepAfterDisconnect))
      if entry.loops ? entry.at >= end : entry.at > max(end, limit) { cut.insert(cue) }
    }
    let unbegun = Set(running.map(\.key).filter { limits[$0] == .distantPast })
    for fired in cues.remove(unbegun) { shares.give(fired.share, for: fired.payer) }
    for (id, cue) in running {
      if unbegun.contains(id) {
        tellCancelled(id, cue.key, .clientLeft, tag: cue.tag, by: cue.cause)
      } else {
        // Not before all that still comes has come, the cue itself included.
        let end = limits[id] ?? present
        cues.leave(
          CueBoard.Leaving(
            id: id, key: cue.key, at: end, tag: cue.tag, isCut: cut.contains(id), done: cue.done, cause: cue.cause))
      }
    }
  }

  /// Until when a cue whose client leaves goes on; one that is to come by then comes, and what is later does not.
  private func limit(of cue: CueBoard.Running) -> Instant {
    let end = max(turn.earliestSound + Self.promptness, present(after: cue.keepAfterDisconnect))
    return cue.at > end ? .distantPast : end
  }

  /// Something of a cue ends because its client left: it is told so when what its client asked for is over, or where that is past,
  /// now.
  mutating func noteCut(_ id: PlanID?) {
    guard let id, !cues.noteCut(id), let cue = cues.running[id] else { return }
    tellCut(id, cue.key, done: cue.done, tag: cue.tag, by: cue.cause)
  }

  /// Tells the cues that were cut in their middle, when what their clients asked for is over.
  mutating func tellCutCues() {
    let left = cues.takeLeaving(by: turn.now)
    if left.isEmpty { return }
    let cut = sounds.cuesOfCutLoops
    for cue in left where cue.isCut || cut.contains(cue.id) {
      tellCut(cue.id, cue.key, done: cues.running[cue.id]?.done ?? cue.done, tag: cue.tag, by: cue.cause)
    }
  }

  /// Tells, once, that a cue was cut. What plays out of it is still of it: whoever stops the cue stops that.
  private mutating func tellCut(_ id: PlanID, _ key: AssetKey, done: [String], tag: String?, by cause: Cause) {
    if cues.running[id]?.isToldCut ?? false { return }
    tellCancelled(id, key, .stopped, tooLate: done, tag: tag, by: cause)
    cues.noteToldCut(id)
  }
}
