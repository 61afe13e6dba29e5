// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Outcomes
import Problems
import Timing
import Wire

/// Cues: a named moment's sounds, haptics and music changes, fired as one plan.
extension Engine {
  /// A sound that comes later than that by its device, such as a headset by radio, is not waited for by touch.
  private static let farSound = Interval.milliseconds(50)

  /// When the parts of a cue begin that is to be there at `instant`, or as soon as it can. Nobody waits for an output that
  /// is off or not there; but what comes later than the cue may meet it again, and lies by what would be heard then.
  func zero(of cue: PackCue, in pack: PackGeneration, _ asked: PackCue.Align, from instant: Instant? = nil) -> CueZero {
    let wanted = instant ?? .distantPast
    // A sound that comes so late is no answer to a player any more; touch still is.
    let align = asked == .soundFirst && turn.earliestSound - max(wanted, turn.now) > Self.farSound ? .asap : asked
    let (sound, haptic) = (turn.earliestSound.roundedUpToMicrosecond, turn.earliestHaptic.roundedUpToMicrosecond)
    // What is heard and felt together begins when both can.
    let isBoth = cue.steps.contains {
      $0.action.patterns.contains { pack.contents.patterns[$0]?.audioEvents.isEmpty == false }
    }
    let hasSound = isBoth || turn.isHeard && cue.steps.contains { isHeard($0.action) }
    var heard = max(wanted, sound)
    var felt = wanted
    switch align {
    case .asap: if isBoth { felt = heard }
    case .soundFirst: if hasSound { felt = heard }
    case .together:
      let isFelt = switches.haptics && cue.steps.contains { $0.action.isFelt }
      felt = max(wanted, hasSound ? sound : wanted, isFelt ? haptic : wanted)
      heard = max(felt, sound)
    }
    var later = max(felt, haptic)
    if hasSound || cue.steps.contains(where: { !$0.action.isFelt && ($0.at > .zero || heard <= wanted) }) {
      later = align == .asap ? min(heard, later) : heard
    }
    return CueZero(
      sound: heard, touch: felt, later: later, earliestTouch: haptic,
      offsets: cue.steps.filter { isFelt($0.action, in: pack) }.map(\.at), asked: wanted)
  }

  /// Whether what a step does is heard, as the switches are.
  private func isHeard(_ action: PackCue.Action) -> Bool {
    switch action {
    case .sound: switches.sound
    case .music: switches.music
    case .stop, .parameter: !action.isFelt
    case .pattern, .haptic: false
    }
  }

  /// Whether motors have to do what a step does, be it also heard.
  private func isFelt(_ action: PackCue.Action, in pack: PackGeneration) -> Bool {
    guard case .parameter(let setting) = action else { return action.isFelt }
    let key = pack.key(setting.parameter)
    return parameters.number(of: key).map { parameters.parameters[$0].isFelt } ?? action.isFelt
  }

  /// When a step begins.
  private func begin(of step: PackCue.Step, in pack: PackGeneration, _ zero: CueZero) -> Instant {
    let heard = zero.sound + step.at
    if !isFelt(step.action, in: pack) { return heard }
    let felt = zero.touch(after: step.at)
    return step.action.isFelt ? felt : max(heard, felt)
  }

  /// Fires a cue; nil where it is suppressed. A step that cannot be done never stops the rest: it is among the skipped.
  mutating func fire(
    _ cue: PackCue, _ key: AssetKey, in pack: PackGeneration, at zero: CueZero, tag: String? = nil,
    keepAfterDisconnect: Interval = .zero, by cause: Cause
  ) throws(VerbRefusal) -> CueBoard.Fired? {
    let at = zero.instant(of: cue)
    if cues.isCooling(key, of: cause.client, at: at, cue.cooldown) { return nil }
    // The steps take their own; a firing of which none does is one itself.
    let most = max(cue.steps.reduce(0) { $0 + steps(of: $1.action, in: pack) }, 1)
    let room = isNow(at) ? 1 : most
    let payer = try shares.take(room, for: cause, isUrgent: isNow(at))
    shares.give(room, for: payer)
    let before = shares.count(of: cause.client)
    let id = makePlan()
    let variation = Variation(seed: configuration.seed, cue: key, count: cues.count(of: key))
    let begins = cue.steps.map {
      CueBoard.Begin(at: begin(of: $0, in: pack, zero), offset: $0.at, isFelt: $0.action.isFelt)
    }
    let firing = CueBoard.Fired(
      id: id, key: key, at: at, begins: begins, tag: tag, keepAfterDisconnect: keepAfterDisconnect, cause: cause,
      payer: payer)
    cues.add(firing, cooldown: cue.cooldown, now: turn.now)
    gatheringDriven { engine in
      for (number, step) in cue.steps.enumerated() {
        let part = CuePart(
          cue: id, number: number, at: begins[number].at,
          isAsap: step.at == .zero && (step.action.isFelt ? zero.isTouchLate : zero.isSoundLate), pack: pack,
          keep: keepAfterDisconnect, cause: cause)
        engine.carryOut(step, part, variation, isFar: zero.sound + step.at - engine.turn.now > Self.farthestPlan)
      }
    }
    if shares.count(of: cause.client) == before {
      shares.takeAnyway(1, for: payer)
      cues.charge(1, to: id)
    }
    let planned = cues.firing(id) ?? firing
    cues.noteBegin(planned.feltAt ?? planned.at, of: id)
    return planned
  }

  /// What a step takes of its client's share.
  private func steps(of action: PackCue.Action, in pack: PackGeneration) -> Int {
    guard case .parameter(let setting) = action else { return 1 }
    return parameters.number(of: pack.key(setting.parameter)).map(steps(toSet:)) ?? 1
  }

  /// Does what a step says, or has the cue tell why not.
  private mutating func carryOut(
    _ step: PackCue.Step, _ part: CuePart, _ variation: Variation, isFar: Bool
  ) {
    do throws(VerbRefusal) {
      if isFar {
        throw VerbRefusal(.invalid, "a step \(step.at.seconds) s after the cue is more than an hour ahead")
      }
      if let chosen = try carryOut(step, part, variation) { cues.choose(chosen, of: part.cue) }
    } catch {
      let words = words(for: step.action, part, variation)
      skip(
        CueSkip(.init(error.kind), step: words, reason: error.sentence), of: part.cue,
        isFelt: step.action.isFelt, at: part.at)
    }
  }

  /// A step of a firing.
  private struct CuePart {
    var cue: PlanID
    /// The step's, from 0.
    var number: Int
    /// When it begins.
    var at: Instant
    /// Whether it is too late for the instant that was asked for: the switch as it is decides.
    var isAsap: Bool
    var pack: PackGeneration
    var keep: Interval
    var cause: Cause

    func key(_ name: String) -> AssetKey { pack.key(name) }
  }

  /// Does what a step says; answers what its variations came to, where it has any.
  private mutating func carryOut(
    _ step: PackCue.Step, _ part: CuePart, _ variation: Variation
  ) throws(VerbRefusal) -> CueBoard.Chosen? {
    switch step.action {
    case .sound(let sound):
      let chosen = chosen(of: sound, variation, part)
      let name = chosen.sound ?? part.key("")
      _ = try part.pack.find(.sound, name.name, in: \.sounds)
      let options = SoundOptions(
        gain: chosen.gain ?? 1, pan: sound.pan, pitch: chosen.pitch ?? 1, loops: sound.loops, duck: sound.duck,
        keepAfterDisconnect: part.keep)
      let voice = try play(
        name.name, in: part.pack, options, at: part.at, isAsap: part.isAsap, by: part.cause, cue: part.cue)
      guard voice != nil else {
        skip(.soundOff(step: "sound \(name)"), of: part.cue, isFelt: false, at: part.at)
        return nil
      }
      cues.hear(part.pack.manifest.heardBus(of: name.name), of: part.cue)
      return sound.varies ? chosen : nil
    case .pattern(let played):
      let chosen = chosen(of: played, variation, part)
      let key = chosen.pattern ?? part.key("")
      let pattern = try part.pack.find(.pattern, key.name, in: \.patterns)
      let owner = HapticBoard.Owner(
        cause: part.cause, source: key.description, pack: part.pack, cue: part.cue, keepAfterDisconnect: part.keep)
      let options = HapticPlayOptions(loops: played.loops, rate: played.rate, gain: chosen.gain ?? 1)
      let player = try startHaptics(pattern, owner: owner, options: options, at: part.at, isAsap: part.isAsap)
      guard player != nil else {
        skip(.hapticsOff(step: named(owner)), of: part.cue, isFelt: true, at: part.at)
        return nil
      }
      if let bus = pattern.heardBus { cues.hear(bus, of: part.cue) }
      return played.varies ? chosen : nil
    case .haptic(let event):
      let owner = HapticBoard.Owner(
        cause: part.cause, source: event.source, cue: part.cue, keepAfterDisconnect: part.keep)
      let player = try startHaptics(event.pattern, owner: owner, at: part.at, isAsap: part.isAsap)
      if player == nil { skip(.hapticsOff(step: named(owner)), of: part.cue, isFelt: true, at: part.at) }
    case .music(let music):
      try carryOut(music, of: part.cue, in: part.pack, at: part.at, by: part.cause)
      if music.isHeard { cues.hear(.music, of: part.cue) }
    case .parameter(let setting):
      guard let number = parameters.number(of: part.key(setting.parameter)) else {
        throw VerbRefusal(.unknownName, "no parameter \(part.key(setting.parameter))")
      }
      try set(
        number, to: setting.value, over: setting.over, at: max(part.at, earliestSetting(of: number)),
        by: part.cause, cue: part.cue, keepAfterDisconnect: part.keep)
    case .stop(let stop):
      switch stop.target {
      case .sound(let name):
        try stopSounds(
          of: name.map(part.key), fade(stop.fade, .linear), at: part.at, by: part.cause, cue: part.cue)
      case .pattern(let name):
        let planned = PlannedHapticStop(pattern: name.map(part.key), cause: part.cause, cue: part.cue)
        try stopPatterns(planned, at: part.at)
      }
    }
    return nil
  }

  /// A step as `cue.stop` names it, with what it came to this time.
  private func words(for action: PackCue.Action, _ part: CuePart, _ variation: Variation) -> String {
    switch action {
    case .sound(let sound): "sound \(chosen(of: sound, variation, part).sound ?? part.key(""))"
    case .pattern(let played): "pattern \(chosen(of: played, variation, part).pattern ?? part.key(""))"
    case .haptic(let event): event.source
    case .music(.play(let start)): "music.play \(part.key(start.track))"
    case .music(.stop): "music.stop"
    case .music(.gain): "music.gain"
    case .parameter(let setting): "parameter \(part.key(setting.parameter))"
    case .stop(let stop):
      switch stop.target {
      case .sound(let name): words(forStopOf: name.map(part.key))
      case .pattern(let name):
        words(for: PlannedHapticStop(pattern: name.map(part.key), cause: part.cause, cue: part.cue))
      }
    }
  }

  private func chosen(of sound: CueSound, _ variation: Variation, _ part: CuePart) -> CueBoard.Chosen {
    CueBoard.Chosen(
      step: part.number, sound: part.key(variation.name(of: sound.sound, step: part.number)),
      gain: variation.number(in: sound.gain, step: part.number, salt: 0),
      pitch: variation.number(in: sound.pitch, step: part.number, salt: 1))
  }

  private func chosen(of pattern: CuePattern, _ variation: Variation, _ part: CuePart) -> CueBoard.Chosen {
    CueBoard.Chosen(
      step: part.number, pattern: part.key(variation.name(of: pattern.pattern, step: part.number)),
      gain: variation.number(in: pattern.gain, step: part.number, salt: 0))
  }

  private mutating func carryOut(
    _ music: CueMusic, of cue: PlanID, in pack: PackGeneration, at instant: Instant, by cause: Cause
  ) throws(VerbRefusal) {
    switch music {
    case .play(let start):
      let settings = pack.manifest.settings
      var request = try musicRequest(
        start.track, of: pack, continues: start.from == .continue,
        crossfade: crossfade(start.crossfade, in: start.fadeIn, out: start.fadeOut, start.fadeCurve, as: settings))
      request.askedGain = Float(start.gain)
      let earliest = earliestStart(of: request.info, from: 0)
      try plan(.play(request), at: max(instant, earliest), for: .cue(cue), by: cause)
    case .stop(let length):
      try plan(.stop(fade(length, .equalPower)), at: instant, for: .cue(cue), by: cause)
    case .gain(let gain, let stem, let length):
      let fade = fade(length, .linear)
      let verb = stem.map { MusicVerb.stem($0, Float(gain), fade) } ?? .gain(Float(gain), fade)
      try plan(verb, at: instant, for: .cue(cue), by: cause)
    }
  }

  /// A track as its pack has it.
  func musicRequest(
    _ name: String, of pack: PackGeneration, continues: Bool = false, crossfade: CrossFade
  ) throws(VerbRefusal) -> MusicPlayer.Request {
    let info = try pack.find(.track, name, in: \.tracks)
    let track = pack.manifest.tracks[name]
    return MusicPlayer.Request(
      track: LoadedKey(pack, name), info: info, position: 0, loops: track?.loop != PackTrack.Loop.none,
      ownGain: Float(track?.gain ?? 1), continues: continues, fade: crossfade.fadeIn,
      fadeOut: crossfade.fadeOut, fadesInAlone: crossfade.fadesInAlone,
      standsWhenOff: pack.manifest.settings.musicOff == .pause)
  }
}

extension CueHaptic {
  /// What it is called where patterns are named.
  fileprivate var source: String { duration == nil ? "transient" : "continuous" }

  fileprivate var pattern: HapticPattern {
    guard let duration else { return .transient(intensity: intensity, sharpness: sharpness) }
    return .continuous(intensity: intensity, sharpness: sharpness, duration: duration)
  }
}

extension PackCue.Action {
  /// The patterns of which it plays one.
  fileprivate var patterns: [String] { if case .pattern(let played) = self { played.pattern.names } else { [] } }
}

extension CueSound {
  /// Whether it may be another each time.
  fileprivate var varies: Bool {
    sound.names.count > 1 || gain.lowerBound < gain.upperBound || pitch.lowerBound < pitch.upperBound
  }
}

extension CuePattern {
  /// Whether it may be another each time.
  fileprivate var varies: Bool { pattern.names.count > 1 || gain.lowerBound < gain.upperBound }
}
