// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

/// Earlier readings of packs: who holds them, and letting go of one that is held by those who hold too many.
extension Engine {
  /// What readings are held for, each in its place. All that is planned is looked at: for when there is no room for one more.
  public func held(_ generations: [PackGeneration]) -> [GenerationShares.Held] {
    var held: [Int: GenerationShares.Held] = [:]
    forEachHeld { pack, cause, isEverybodys in
      held[pack.number, default: .init()].holders.insert(.init(cause))
      if isEverybodys { held[pack.number]?.isEverybodys = true }
    }
    return generations.map { held[$0.number] ?? .init() }
  }

  /// The readings of which something plays or is planned, and who has that do so: what is everybody's is one track and one chapter.
  func forEachHeld(_ body: (PackGeneration, Cause, _ isEverybodys: Bool) -> Void) {
    sounds.forEachPack { body($0, $1, false) }
    for owner in haptics.owners.values { if let pack = owner.pack { body(pack, owner.cause, false) } }
    for entry in music.entries { if let track = entry.verb.track { body(track.generation, entry.cause, false) } }
    for player in music.players {
      for part in player.tails { body(part.track.generation, part.cause, false) }
      if let part = player.current { body(part.track.generation, part.cause, true) }
    }
    if let chapter { body(chapter.key.generation, chapter.owner, true) }
  }

  /// Ends all that plays or is planned of a reading of a pack that is nobody's track nor chapter, with cues of which anything is: as
  /// what a client leaves, by the fade of that, and told.
  public mutating func outdate(generation number: Int) {
    // What has come, or has ended by now, is told before what becomes of it.
    tellFiredCues()
    advanceHaptics()
    let cues = endCues(ofGeneration: number)
    endSounds(ofGeneration: number, cues)
    endPlayers(ofGeneration: number, cues)
    cancelMusic(.outdated) { entry in
      entry.verb.track?.generation.number == number || entry.purpose.cue.map(cues.contains) ?? false
    }
    _ = cancelStops { cues.contains($1) }
    _ = cancelSettings { $0.cue.map(cues.contains) ?? false }
    endTails(ofGeneration: number)
  }

  /// Forgets, and tells, the cues of which something is of that reading; answers them.
  private mutating func endCues(ofGeneration number: Int) -> Set<PlanID> {
    let sounding = sounds.voices(ofGeneration: number).compactMap { sounds[$0]?.cue }
    let felt = haptics.owners.values.filter { $0.pack?.number == number }.compactMap(\.cue)
    let planned = music.entries.filter { $0.verb.track?.generation.number == number }.compactMap(\.purpose.cue)
    let meant = Set(sounding + felt + planned)
    let ended = cues.running.filter { meant.contains($0.key) }
    for fired in cues.remove(Set(ended.keys)) { shares.give(fired.share, for: fired.payer) }
    for (id, cue) in ended.sorted(by: { $0.key < $1.key }) where !cue.isToldCut {
      tellCancelled(
        id, cue.key, .outdated, hasBegun: cue.at <= turn.now, tooLate: cue.done, tag: cue.tag, by: cue.cause)
    }
    return Set(ended.keys)
  }

  private mutating func endSounds(ofGeneration number: Int, _ cues: Set<PlanID>) {
    let (fade, at) = (fade(Self.leavingFade, .linear), turn.earliestSound.roundedUpToMicrosecond)
    let frame = turn.timeline.frame(at: at)
    let meant = sounds.voices.filter { voice in
      guard let entry = sounds[voice], !entry.isCalledOff else { return false }
      // A fade of its own that is sooner over goes on.
      if sounds.ends(voice, at: frame, noLaterThanBy: fade) { return false }
      return entry.pack?.number == number || entry.cue.map(cues.contains) ?? false
    }
    for voice in meant { sounds.noteOutdated(voice) }
    let unbegun = Set(meant.filter { voice in sounds[voice].map { $0.at >= at && !$0.hasBegun } ?? false })
    neverBegin(unbegun, .outdated)
    for voice in meant where !unbegun.contains(voice) {
      // A stop as soon as possible is never refused.
      try? stopSound(voice, fade, at: at, isForGood: true, isOwed: true, by: .daemon)
    }
  }

  private mutating func endPlayers(ofGeneration number: Int, _ cues: Set<PlanID>) {
    for player in haptics.players {
      guard let owner = haptics.owners[player],
        owner.pack?.number == number || owner.cue.map(cues.contains) ?? false
      else { continue }
      // What is felt of a cue ends with what is heard of it.
      let soonest = owner.cue == nil ? earliestChange(of: player) : max(turn.earliestHaptic, turn.earliestSound)
      let end = soonest.roundedUpToMicrosecond
      if owner.at < end {
        fadeOut(player, at: end, .outdated)
      } else {
        stopPlayer(player, at: turn.now, .outdated)
      }
    }
  }

  private mutating func endTails(ofGeneration number: Int) {
    guard music.players.contains(where: { $0.tails.contains { $0.track.generation.number == number } }) else { return }
    // The daemon's own is never refused.
    _ = try? plan(
      .endTails(of: number, fade(Self.leavingFade, .linear)), at: turn.earliestSound.roundedUpToMicrosecond,
      for: .switch, by: .daemon)
  }
}
