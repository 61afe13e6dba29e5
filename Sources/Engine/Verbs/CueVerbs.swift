// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Timing

/// Cues: a named moment's sounds, haptics and music changes, fired as one plan.
extension Engine {
  /// When the parts of a cue begin: what is heard, and what is felt.
  struct CueZero {
    var sound: Instant
    var haptic: Instant

    /// The instant that is told as the cue's: of what is heard, or of a cue that is felt alone, of that.
    func instant(of cue: PackCue) -> Instant {
      cue.steps.allSatisfy(\.action.isFelt) && !cue.steps.isEmpty ? haptic : sound
    }
  }

  /// Fires a cue. A step that cannot be done never stops the rest; the sentences say which those are.
  mutating func fire(
    _ cue: PackCue, _ key: AssetKey, in pack: Catalog.Pack, at zero: CueZero, keepAfterDisconnect: Interval = .zero,
    by cause: Cause
  ) throws(Refusal) -> (id: PlanID, skipped: [String]) {
    let at = zero.instant(of: cue)
    let id = makePlan()
    // What the daemon fires by itself is told by what sets it off.
    if cause.client != .daemon {
      try shares.take(1 + cue.steps.count, for: cause, isUrgent: isNow(at))
      // The steps take their own.
      shares.give(cue.steps.count, for: cause)
      cues.add(CueBoard.Fired(id: id, key: key, at: at, skipped: [], cause: cause))
    }
    var skipped: [String] = []
    for step in cue.steps {
      do throws(Refusal) {
        try carryOut(step, of: id, in: pack, zero, keepAfterDisconnect, by: cause)
      } catch {
        skipped.append(error.reason.text)
        cues.skip(error.reason.text, of: id)
      }
    }
    return (id, skipped)
  }

  /// Fires a chapter's feedback as soon as each output can.
  mutating func fireFeedback(_ name: String?, of chapter: Chapter) {
    guard let name, let pack = catalog.pack(named: chapter.key.pack), let cue = pack.manifest.cues[name] else { return }
    let zero = CueZero(sound: turn.earliestSound, haptic: turn.earliestHaptic)
    // What the daemon has no room for is left out: a chapter goes on without.
    _ = try? fire(cue, AssetKey(pack: chapter.key.pack, name: name), in: pack, at: zero, by: .daemon)
  }

  /// A client has gone: its cues that are to come do not, but for the music of those that have begun.
  mutating func endCues(of client: ClientID) {
    for cue in cues.takeAll(where: { $0.cause.client == client && $0.at > turn.now }) {
      shares.give(1, for: cue.cause)
      cancelMusic(.clientLeft) { $0.purpose == .cue(cue.id) }
      tellCancelled(cue, .clientLeft)
    }
  }

  private mutating func carryOut(
    _ step: PackCue.Step, of cue: PlanID, in pack: Catalog.Pack, _ zero: CueZero, _ keep: Interval, by cause: Cause
  ) throws(Refusal) {
    guard zero.sound + step.at - turn.now <= Self.farthestPlan else {
      throw Refusal(.invalid, "a step \(step.at.seconds) s after the cue is more than an hour ahead")
    }
    let sounds = zero.sound + step.at
    switch step.action {
    case .sound(let sound):
      let (key, _, pack) = try catalog.find(.sound, AssetKey(pack: pack.manifest.name, name: sound.sound), in: \.sounds)
      let options = SoundOptions(
        gain: sound.gain, pan: sound.pan, pitch: sound.pitch, loops: sound.loops, duck: sound.duck,
        keepAfterDisconnect: keep)
      try play(key, in: pack, options, at: sounds, by: cause, cue: cue)
    case .pattern(let played):
      let (key, pattern, _) = try catalog.find(
        .pattern, AssetKey(pack: pack.manifest.name, name: played.pattern), in: \.patterns)
      let owner = HapticBoard.Owner(
        cause: cause, source: spelled(key), pack: key.pack, keepAfterDisconnect: keep)
      let options = HapticPlayOptions(loops: played.loops, rate: played.rate, gain: played.gain)
      // What is heard and felt together begins when both can.
      let felt = pattern.audioEvents.isEmpty ? zero.haptic : max(zero.haptic, zero.sound)
      try startHaptics(pattern, owner: owner, options: options, at: felt + step.at)
    case .haptic(let event):
      let owner = HapticBoard.Owner(cause: cause, source: event.source, keepAfterDisconnect: keep)
      try startHaptics(event.pattern, owner: owner, at: zero.haptic + step.at)
    case .music(let music): try carryOut(music, of: cue, in: pack, at: sounds, by: cause)
    case .stop(let stop):
      let key = { (name: String) in AssetKey(pack: pack.manifest.name, name: name) }
      switch stop.target {
      case .sound(let name):
        try stopSounds(of: name.map(key), fade(stop.fade, .linear), at: sounds, by: cause, cue: cue)
      case .pattern(let name):
        try stopPatterns(PlannedHapticStop(pattern: name.map(key), cause: cause, cue: cue), at: zero.haptic + step.at)
      }
    }
  }

  private mutating func carryOut(
    _ music: CueMusic, of cue: PlanID, in pack: Catalog.Pack, at instant: Instant, by cause: Cause
  ) throws(Refusal) {
    switch music {
    case .play(let start):
      let settings = pack.manifest.settings
      let curve = start.fadeCurve ?? settings.fadeCurve
      var request = try musicRequest(
        AssetKey(pack: pack.manifest.name, name: start.track), continues: start.from == .continue,
        crossfade: fade(start.crossfade ?? settings.crossfade, curve))
      request.askedGain = Float(start.gain)
      let earliest = earliestStart(of: request.info, from: 0)
      try plan(.play(request), at: max(instant, earliest), for: .cue(cue), by: cause)
    case .stop(let length):
      try plan(.stop(fade(length, .equalPower)), at: instant, for: .cue(cue), by: cause)
    case .gain(let gain, let length):
      try plan(.gain(Float(gain), fade(length, .linear)), at: instant, for: .cue(cue), by: cause)
    }
  }

  /// A track as its pack has it.
  func musicRequest(
    _ key: AssetKey, continues: Bool = false, crossfade: Fade
  ) throws(Refusal) -> MusicPlayer.Request {
    let (key, info, pack) = try catalog.find(.track, key, in: \.tracks)
    let track = pack.manifest.tracks[key.name]
    return MusicPlayer.Request(
      track: key, info: info, position: 0, loops: track?.loop != PackTrack.Loop.none,
      ownGain: Float(track?.gain ?? 1), continues: continues, fade: crossfade)
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
