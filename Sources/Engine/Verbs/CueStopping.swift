// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing

/// Ending a cue before its time.
extension Engine {
  /// What became of the parts of a cue that was stopped, each by a few words for people.
  struct StoppedCue {
    /// What had not begun, and does not, also what came to nothing before and was told with no cue as skipped.
    var calledOff: [String] = []
    /// What had begun, and ends.
    var stopped: [String] = []
    /// What has happened, and stays.
    var tooLate: [String] = []
    /// When the fade of what is heard begins; nil where nothing sounded.
    var heardAt: Instant?
    /// When what is felt ends; nil where nothing was.
    var feltAt: Instant?
  }

  /// Calls off what of a cue has not begun, and stops what has: sounds fade, patterns stop, music stays. Of one that is over
  /// and remembered it answers what has happened.
  mutating func stopCue(_ id: PlanID, _ fade: Fade, by cause: Cause) throws(VerbRefusal) -> StoppedCue {
    // What has come is told before what becomes of it.
    tellFiredCues()
    // What has ended by now is no longer stopped.
    advanceHaptics()
    guard let cue = cues.running[id] else {
      if let over = cues.finished.firing(id) { return StoppedCue(calledOff: over.undone, tooLate: over.done) }
      throw VerbRefusal(
        .notRunning, "no cue with id \(id.rawValue) is running or among the latest that ran",
        remedy: "it may have been stopped, or be long over; ids come from \(method: "cue.fire")")
    }
    if music.entries.contains(where: { $0.purpose == .cue(id) }) {
      try checkMusicPacing(by: cause, isUrgent: false)
    }
    var outcome = StoppedCue(calledOff: cue.undone, tooLate: cue.done)
    if let fired = cues.remove(id) {
      shares.give(fired.share, for: fired.payer)
      outcome.calledOff += fired.skippedSince.map(\.step)
    }
    stopSounds(of: id, fade, by: cause, &outcome)
    stopPlayers(of: id, &outcome)
    cancelMusic(of: id, by: cause, &outcome)
    outcome.calledOff +=
      cancelStops { $1 == id }.map(\.words) + cancelSettings { $0.cue == id }.map { words(forParameter: $0.parameter) }
    outcome.tooLate += parameters.settings(of: id).map(words(forParameter:))
    // One that its client's leaving cut has been told so; what ends now of what played on tells of itself.
    if !cue.isToldCut {
      tellCancelled(
        id, cue.key, cue.at > turn.now ? .cancelled : .stopped, tooLate: outcome.tooLate, tag: cue.tag, by: cue.cause)
    }
    outcome.tooLate += cue.cut
    return outcome
  }

  /// What cues were to stop and have not, of those that `isMeant` picks by their instant and cue, goes on; which cues, and
  /// in words what that was.
  mutating func cancelStops(where isMeant: (Instant, PlanID) -> Bool) -> [(cue: PlanID, words: String)] {
    var calledOff: [(cue: PlanID, words: String)] = []
    let stops = plans.removeAll { at, step in
      step.isStop && step.cue.map { isMeant(at, $0) } ?? false ? (at: at, planned: step) : nil
    }
    for (at, planned) in stops {
      shares.give(1, for: planned.cause)
      soundPacing.giveBack(.stop, at: at, by: planned.cause.client)
      cues.partEnded(of: planned.cue, .undone, words(for: planned.action))
      if let cue = planned.cue { calledOff.append((cue, words(for: planned.action))) }
    }
    for planned in haptics.stops.removeAll({ at, stop in stop.cue.map { isMeant(at, $0) } ?? false ? stop : nil }) {
      shares.give(1, for: planned.cause)
      cues.partEnded(of: planned.cue, .undone, words(for: planned))
      if let cue = planned.cue { calledOff.append((cue, words(for: planned))) }
    }
    return calledOff
  }

  private mutating func stopSounds(of cue: PlanID, _ fade: Fade, by cause: Cause, _ outcome: inout StoppedCue) {
    let at = turn.earliestSound.roundedUpToMicrosecond
    for voice in sounds.voices(of: cue) {
      // What was called off before is known already.
      guard let entry = sounds[voice], !entry.isCalledOff else { continue }
      let name = words(forSound: entry)
      if entry.at >= at {
        outcome.calledOff.append(name)
      } else {
        outcome.stopped.append(name)
        outcome.heardAt = at
      }
      cancelSounds { planned, _ in planned == voice }
      // Where the mixer knows it. A stop as soon as possible is never refused.
      if sounds[voice] != nil { try? stopSound(voice, fade, at: at, isForGood: true, isOwed: true, by: cause) }
    }
  }

  private mutating func stopPlayers(of cue: PlanID, _ outcome: inout StoppedCue) {
    for player in haptics.players where haptics.owners[player]?.cue == cue {
      guard let owner = haptics.owners[player] else { continue }
      let at = earliestChange(of: player).roundedUpToMicrosecond
      let name = named(owner)
      // What begins at the very instant begins.
      if owner.at > at {
        outcome.calledOff.append(name)
      } else {
        outcome.stopped.append(name)
        outcome.feltAt = max(at, outcome.feltAt ?? at)
      }
      stopPlayer(player, at: at, .requested)
    }
  }

  private mutating func cancelMusic(of cue: PlanID, by cause: Cause, _ outcome: inout StoppedCue) {
    let planned = music.entries.filter { $0.purpose == .cue(cue) }
    cancelMusic(.cancelled, by: cause) { $0.purpose == .cue(cue) }
    // What the mixer has passed, and what comes to nothing by itself.
    let left = Set(music.realised.lazy.filter { $0.cancelled == nil }.compactMap { $0.entry?.id })
    for entry in planned {
      if left.contains(entry.id) {
        outcome.tooLate.append(words(for: entry.verb))
      } else {
        outcome.calledOff.append(words(for: entry.verb))
      }
    }
  }

  // MARK: - In words

  func words(for verb: MusicVerb) -> String {
    guard case .play(let request) = verb else { return "music.\(verb.name.rawValue)" }
    return "music.play \(request.track)"
  }

  func words(forSound entry: SoundBoard.Entry) -> String { "sound \(entry.sound)" }

  func words(for action: PlannedSound.Action) -> String {
    switch action {
    case .start(let start): "sound \(sounds[start.id].map { $0.sound.description } ?? "")"
    case .stop(.sound(let sound), _): words(forStopOf: sound)
    case .stop: words(forStopOf: nil)
    case .set(let voice, _): "change of sound \(sounds[voice].map { $0.sound.description } ?? "")"
    }
  }

  /// Of a stop of one sound, or of all.
  func words(forStopOf sound: AssetKey?) -> String { sound.map { "stop of sound \($0)" } ?? "stop of sounds" }

  func words(for stop: PlannedHapticStop) -> String {
    stop.pattern.map { "stop of pattern \($0)" } ?? "stop of haptics"
  }
}
