// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing

/// Ending sounds: one, all of a name, or all.
extension Engine {
  /// Stops a sound, or for nil all. One that would only begin after that never begins; of all, those do where `isForGood`.
  /// What is `isOwed` is refused to nobody.
  mutating func stopSound(
    _ voice: VoiceID?, _ fade: Fade, at instant: Instant, isForGood: Bool, isOwed: Bool = false, by cause: Cause
  ) throws(VerbRefusal) {
    if let voice {
      guard let entry = sounds[voice] else { throw Self.noSound(voice) }
      // It never begins: there is nothing to be ended. What lost frames have brought back before its instant has begun.
      if entry.at >= instant, !entry.hasBegun { return neverBegin(from: instant, of: voice) }
    }
    let target = SoundBoard.StopTarget(voice: voice, fadeFrames: fade.frames)
    let isKnown =
      sounds.waitingStops.contains(target, at: instant, by: cause.client) || changesNothing(target, fade, at: instant)
    let payer = isKnown ? cause : try payer(forStopAt: instant, isOwed: isOwed, by: cause)
    if voice == nil, isForGood { neverBegin(from: instant, of: nil) }
    if isKnown { return }
    sounds.waitingStops.note(target, at: instant, by: cause.client)
    plan(PlannedSound(action: .stop(voice.map(PlannedSound.Stopped.voice) ?? .all, fade), cause: payer), at: instant)
  }

  /// Plans a stop of every playing of a sound, or for nil of all, that begins before `instant`.
  mutating func stopSounds(
    of sound: AssetKey?, _ fade: Fade, at instant: Instant, by cause: Cause, cue: PlanID? = nil
  ) throws(VerbRefusal) {
    let payer = try payer(forStopAt: instant, by: cause)
    cues.partBegan(of: cue)
    plan(
      PlannedSound(action: .stop(sound.map(PlannedSound.Stopped.sound) ?? .all, fade), cause: payer, cue: cue),
      at: instant)
  }

  /// Whether the mixer has been told already of a stop at that instant, or before, that is over no later.
  private func changesNothing(_ target: SoundBoard.StopTarget, _ fade: Fade, at instant: Instant) -> Bool {
    guard isNow(instant) else { return false }
    if let voice = target.voice {
      return sounds.ends(voice, at: turn.timeline.frame(at: instant), noLaterThanBy: fade)
    }
    return sounds.stopsOfMany.contains {
      $0.sound == nil && $0.at == instant && $0.fade.frames <= fade.frames && $0.frame >= turn.reachableFrame
    }
  }

  /// Takes room for a stop, of one or of many: the mixer is told of either once.
  private mutating func payer(
    forStopAt instant: Instant, isOwed: Bool = false, by cause: Cause
  ) throws(VerbRefusal) -> Cause {
    if !isOwed { try soundPacing.check(.stop, at: instant, now: turn.now, by: cause) }
    let payer = try share(forStopAt: instant, by: cause)
    soundPacing.charge(.stop, at: instant, by: cause)
    return payer
  }

  /// Takes a share for a stop. One for now is not refused for what is planned: it is carried out at once.
  mutating func share(forStopAt instant: Instant, by cause: Cause) throws(VerbRefusal) -> Cause {
    if !isNow(instant) { return try shares.take(1, for: cause, isUrgent: isSoon(instant)) }
    shares.takeAnyway(1, for: cause)
    return cause
  }

  /// One command, however many sounds it ends, those among them that begin before it and are asked for later.
  mutating func stopMany(of sound: AssetKey?, _ fade: Fade, at frame: Int64, _ instant: Instant) -> Bool {
    sounds.note(
      SoundBoard.StopOfMany(sound: sound, at: instant, frame: frame, fade: fade), reachable: turn.reachableFrame)
    let number = sound.map { sounds.number(of: $0) } ?? 0
    perform([.command(.endMany(number, before: instant.nanoseconds, at: frame, fade: fade))])
    let sounding = sounds.voices.filter { voice in
      sounds[voice].map { $0.at < instant && (sound == nil || $0.sound == sound) } ?? false
    }
    for voice in sounding { sounds.noteStopped(voice, at: frame, instant, fade) }
    return !sounding.isEmpty
  }

  /// A sound is handed over of which stops of many that the mixer knows are to be. Those of the very frame come before it there.
  mutating func endBegun(_ voice: VoiceID, at frame: Int64, _ instant: Instant) {
    let sound = sounds[voice]?.sound
    let stops = sounds.stopsOfMany.filter {
      $0.at > instant && $0.frame >= turn.reachableFrame && ($0.sound == nil || $0.sound == sound)
    }
    for stop in stops { sounds.noteStopped(voice, at: stop.frame, stop.at, stop.fade) }
    if let first = stops.lazy.filter({ $0.frame <= frame }).min(by: { $0.fade.frames < $1.fade.frames }) {
      stop(voice, at: frame, first.at, first.fade)
    }
  }

  /// Lets a sound fade out from a frame on, as was asked for `instant`; one that fades out already is over no later for it.
  mutating func stop(_ voice: VoiceID, at frame: Int64, _ instant: Instant, _ fade: Fade) {
    sounds.noteStopped(voice, at: frame, instant, fade)
    perform([.command(.end(voice, at: frame, fade: fade))])
  }
}
