// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Outcomes
import Timing

/// Which tracks sound, where each is, and which fade: a pure state machine over output frames.
///
/// A pause lets all that sounds stand where it is, tails and fades included, and resuming lets it go on there.
///
/// A track that fades out keeps its voice until the mixer has finished it, so that it can be brought back. The tails of a
/// fade that is interrupted fade anew from the gain they have in flight, which keeps the sum of powers (`FadeCurve`).
/// Where they are alike their sum is louder than one track, and falls the more steeply: see `unhurried`.
///
/// It is the fold of the verbs it was told, in order of their frames: whoever has to go back takes a copy from before.
struct MusicPlayer {
  /// How many tracks sound at once. With one more the mixer takes the voice of the quietest: so does the player, to know.
  static let mostVoices = MixerConfiguration().musicVoices

  /// The most tracks that fade out at once: fewer than the mixer has slots for music, so that a new one finds room.
  static let mostTails = 12

  /// The track that plays or is paused.
  private(set) var current: Part?
  /// Tracks on their way out, oldest first.
  private(set) var tails: [Part] = []
  /// Why the music stands still; it plays while there is none.
  private(set) var pauses: Set<PauseReason> = []
  /// Whether the switch is off: it is among `pauses` where what plays stands by it.
  private var isSwitchedOff = false
  /// When the music was held, and when the switch was off.
  private var holds = MusicHolds()
  private var offs = MusicHolds()

  /// The output frame from which the current track stands; nil where the music is not paused.
  var standsFrom: Int64? { current?.standsFrom }

  /// Carries out a verb from output frame `frame` on, which is no earlier than that of any verb before it. `voice` is for
  /// what it starts, `declick` the shortest fade.
  mutating func apply(_ verb: MusicVerb, voice: VoiceID, at frame: Int64, declick: Fade) -> MusicOutcome {
    settle(at: frame)
    defer { noteHolds(of: verb, at: frame) }
    switch verb {
    case .play(let request): return play(request, voice: voice, at: frame, declick: declick)
    case .seek(let position, let late, let crossfade):
      return seek(to: position, lateBy: late, crossfade, voice: voice, at: frame, declick: declick)
    case .stop(let fade): return stop(at: frame, fade: fade)
    case .endTails(let generation, let fade): return endTails(of: generation, at: frame, fade: fade)
    case .pause(.switch, let fade): return switchOff(at: frame, fade: fade)
    case .pause(let reason, let fade): return pause(reason, at: frame, fade: fade)
    case .resume(let reason, let fade):
      if reason == .switch { isSwitchedOff = false }
      return resume(reason, at: frame, fade: fade)
    case .gain(let gain, let fade): return setGain(gain, at: frame, fade: fade)
    case .stem(let name, let gain, let fade): return setStem(name, to: gain, at: frame, fade: fade)
    }
  }

  private mutating func noteHolds(of verb: MusicVerb, at frame: Int64) {
    holds.note(!pauses.isEmpty, at: frame, standsFrom: standsFrom ?? frame)
    let fade: Int64 = if case .pause(.switch, let fade) = verb { Int64(fade.frames) } else { 0 }
    offs.note(isSwitchedOff, at: frame, standsFrom: frame + fade)
  }

  /// Moves a track that has been played to its end out of the way, and forgets those the mixer is done with.
  mutating func settle(at frame: Int64) {
    forgetDone(at: frame)
    // Paused at its very last frame it is paused yet, and ends when it goes on.
    guard var part = current, part.end <= frame else { return }
    guard part.standsFrom.map({ part.end < $0 }) ?? true || part.done != nil else { return }
    (part.over, part.endsByItself) = (part.end, true)
    tails.append(part)
    forgetCurrent()
    holds.note(!pauses.isEmpty, at: part.end, standsFrom: part.end)
    forgetDone(at: frame)
  }

  /// Forgets the tails that the mixer was done with by an output frame.
  mutating func forgetDone(at frame: Int64) { tails.removeAll { ($0.done ?? .max) <= frame } }

  /// Forgets the tails that are over by an output frame, where no mixer tells that it is done with them.
  mutating func forgetOver(at frame: Int64) { tails.removeAll { ($0.over ?? .max) <= $0.reached(by: frame) } }

  /// Notes that the mixer is done with a voice at an output frame.
  mutating func finished(_ voice: VoiceID, at frame: Int64) {
    for tail in tails.indices where tails[tail].voice == voice { tails[tail].done = frame }
    if current?.voice == voice { current?.done = frame }
  }

  /// Whether a voice has been played to its end.
  func endedByItself(_ voice: VoiceID) -> Bool { tails.contains { $0.voice == voice && $0.endsByItself } }

  /// The track of a voice that nobody asked to end.
  func unended(_ voice: VoiceID) -> LoadedKey? {
    if let tail = tails.first(where: { $0.voice == voice }) { return tail.endsByItself ? tail.track : nil }
    return current?.voice == voice ? current?.track : nil
  }

  /// The track that a voice plays or fades out.
  func track(of voice: VoiceID) -> LoadedKey? {
    current?.voice == voice ? current?.track : tails.first { $0.voice == voice }?.track
  }

  /// What a voice that may still sound is to be.
  func course(of voice: VoiceID) -> VoiceCourse? {
    (current?.voice == voice ? current : tails.first { $0.voice == voice })?.course
  }

  /// Every voice that may still sound.
  var voices: [VoiceID] { tails.map(\.voice) + [current].compactMap { $0?.voice } }

  /// How many streams its voices read: one that the mixer is done with reads none, even where that is heard later.
  var streams: Int { tails.count { $0.done == nil } + (current.map { $0.done == nil ? 1 : 0 } ?? 0) }

  /// Those of `tails` that still sound at an output frame, or stand.
  func fading(at frame: Int64) -> [Part] { tails.filter { $0.sounds(at: frame) } }

  /// Frames into the current track at an output frame.
  func position(at frame: Int64) -> Int64? { current?.position(at: frame) }

  /// Where a track stands that is to begin at an output frame, and was to begin so many frames before as its request is late.
  func entrance(of request: Request, at frame: Int64) -> Int64 {
    let stood = request.standsWhenOff ? offs.stood(by: frame, late: request.late) : 0
    return request.entered(lateBy: request.late - stood)
  }

  /// Where the current track stands when it is sought to a place at an output frame, `late` frames later than asked for; nil
  /// where there is none.
  func place(soughtTo position: Int64, lateBy late: Int64, at frame: Int64) -> Int64? {
    guard let current else { return nil }
    return current.request(from: position).entered(lateBy: late - holds.stood(by: frame, late: late))
  }

  /// Where a track that still sounds will be at an output frame; nil for one that has to start anew, as one that was read
  /// anew meanwhile has.
  func continued(_ track: LoadedKey, at frame: Int64) -> Int64? {
    if current?.track == track { return position(at: frame) }
    return tail(of: track, at: frame).map { tails[$0].position(at: frame) }
  }
}

// MARK: - The verbs

extension MusicPlayer {
  private mutating func play(_ asked: Request, voice: VoiceID, at frame: Int64, declick: Fade) -> MusicOutcome {
    var request = asked
    (request.position, request.late) = (entrance(of: asked, at: frame), 0)
    let held = hold(by: request, at: frame, declick: declick)
    var outcome = takeOver(request, voice: voice, at: frame, declick: declick)
    outcome.steps = held + outcome.steps
    return outcome
  }

  /// While the switch is off the track that is to play says whether the music stands: what ran on comes to stand with it,
  /// and what stood is let go of by one that runs on.
  private mutating func hold(by request: Request, at frame: Int64, declick: Fade) -> [AudioStep] {
    guard isSwitchedOff, request.standsWhenOff else {
      pauses.remove(.switch)
      return []
    }
    return pause(.switch, at: frame, fade: declick).steps
  }

  private mutating func takeOver(_ request: Request, voice: VoiceID, at frame: Int64, declick: Fade) -> MusicOutcome {
    pauses.remove(.client)
    // While the music is paused the new track is paused too, and its cross-fade begins when the music goes on.
    let waits = !pauses.isEmpty
    if request.continues, let part = current, part.track == request.track {
      let resumed = waits ? [] : goOn(at: frame, fade: request.fade)
      let turned = request.askedGain == part.askedGain ? [] : turn(to: request.askedGain, at: frame, fade: request.fade)
      let isFaded = !waits && !(resumed.isEmpty && turned.isEmpty)
      let change = placed(.started, part.track, isFaded ? request.fade : .none, at: frame)
      return MusicOutcome(steps: resumed + turned, changes: [change])
    }
    let leaving = current?.track
    let wasSilent = isSilent(at: frame)
    let isOverTails = tails.contains { $0.sounds(at: frame) && (waits || !$0.stands(at: frame)) }
    let fadeOut = unhurried(request.fadeOut ?? request.fade, at: frame, waits: waits)
    // Only a fade that is one for both is longer on both sides.
    let fade = request.fadeOut == nil ? fadeOut : request.fade
    let returning = request.continues ? tail(of: request.track, at: frame) : nil
    // What stands may have been sought away from where it is yet to be heard.
    let isHeardOut = tails.indices.contains { $0 != returning && tails[$0].isHeard(at: frame) }
    var outcome = MusicOutcome()
    var rise = fade
    if let returning {
      outcome.steps = bringBack(
        tails.remove(at: returning), asked: request.askedGain, at: frame, fade, fadeOut: fadeOut, declick: declick,
        waits: waits)
    } else {
      (outcome.steps, rise) = begin(
        request, voice: voice, at: frame, fade, fadeOut: fadeOut, declick: declick, waits: waits)
    }
    // A track that a client had paused is dropped without a fade: nobody hears it.
    let from = wasSilent && !waits ? nil : leaving
    if let leaving, from == nil {
      outcome.changes.append(MusicChange(kind: .stopped, track: leaving.key, fade: isHeardOut ? fadeOut : nil))
    }
    var change = placed(from == nil ? .started : .crossfaded, request.track, rise, at: frame, from: from)
    if from != nil || isOverTails, fadeOut.frames != rise.frames { change.fadeOut = fadeOut }
    outcome.changes.append(change)
    return outcome
  }

  private mutating func seek(
    to position: Int64, lateBy late: Int64, _ crossfade: Fade, voice: VoiceID, at frame: Int64, declick: Fade
  ) -> MusicOutcome {
    guard let part = current, let place = place(soughtTo: position, lateBy: late, at: frame) else {
      return MusicOutcome(cancelled: .notPlaying)
    }
    var request = part.request(from: place)
    request.fade = crossfade
    // Paused music stays paused, in its new place: what stands in the old one is dropped, what is yet being turned down is
    // heard no longer than the pause had it.
    let isHeld = !pauses.isEmpty
    let fade = unhurried(crossfade, at: frame, waits: false)
    let heard = part.turnedDown(fade, at: frame)
    let steps = begin(request, voice: voice, at: frame, fade, fadeOut: fade, declick: declick, waits: false).steps
    return MusicOutcome(
      steps: steps,
      changes: [
        placed(
          .crossfaded, part.track, heard, at: frame, from: isHeld ? nil : part.track)
      ])
  }

  /// What is told of the current track, where it is now: that it plays, or while the music is held that it stands there.
  private func placed(
    _ kind: MusicHappening, _ track: LoadedKey, _ fade: Fade, at frame: Int64, from: LoadedKey? = nil
  ) -> MusicChange {
    MusicChange(
      kind: pauses.isEmpty ? kind : .paused, track: track.key, from: from?.key, fade: fade,
      position: position(at: frame))
  }

  /// Lets a track begin, and stand where the music is held; with the fade that it comes in by. It cross-fades from what
  /// sounds, or `waits` with what stands for that.
  private mutating func begin(
    _ request: Request, voice: VoiceID, at frame: Int64, _ fade: Fade, fadeOut: Fade, declick: Fade, waits: Bool
  ) -> (steps: [AudioStep], rise: Fade) {
    let isHeld = !pauses.isEmpty
    let others = fading(at: frame) + [current].compactMap(\.self)
    let isAlone = isHeld && !waits || others.allSatisfy { $0.stands(at: frame) && !waits }
    var steps = leave(at: frame, fade: fadeOut, waits: waits, prolongs: !isHeld)
    steps += makeRoom(at: frame, declick: declick)
    // Alone and from its first frame a track begins as it was made; anywhere else a ramp keeps it from clicking, which is
    // that of the pause where it goes on after one.
    let asMade = request.position == 0 || isHeld ? Fade.none : declick
    let rise = isAlone && !request.fadesInAlone ? asMade : fade
    let gain = request.ownGain * request.askedGain
    let stemGains = request.stemGains ?? request.info.stems.map(\.gain)
    var part = Part(
      voice: voice, track: request.track, cause: request.cause, info: request.info, loops: request.loops,
      ownGain: request.ownGain, askedGain: request.askedGain, stemGains: stemGains,
      standsWhenOff: request.standsWhenOff, anchor: frame,
      position: request.position, rate: request.rate,
      level: Ramp(from: rise == .none ? gain : 0, to: gain, start: frame, fade: rise))
    var start = VoiceStart<NamedSource>(
      id: voice, source: .track(request.track, loops: request.loops), bus: .music, at: frame,
      sourceFrame: request.position, gain: gain, fadeIn: rise, pitch: Float(request.rate), late: .skip)
    start.stems = StemGains(stemGains)
    steps.append(.start(start))
    if isHeld {
      part.pause(at: frame, .none)
      steps.append(.command(.pause(voice, at: frame, fade: .none)))
    }
    current = part
    return (steps, rise)
  }

  private mutating func bringBack(
    _ tail: Part, asked: Float, at frame: Int64, _ fade: Fade, fadeOut: Fade, declick: Fade, waits: Bool
  ) -> [AudioStep] {
    var steps = leave(at: frame, fade: fadeOut, waits: waits)
    var part = tail
    part.over = nil
    part.askedGain = asked
    part.fade(to: part.gain, at: frame, fade)
    steps += [
      .command(.gain(part.voice, to: part.gain, at: frame, fade: fade)),
      .command(.bringBack(part.voice, at: frame, fade: fade)),
    ]
    if !waits, part.standsFrom != nil {
      part.resume(at: frame, declick)
      steps.append(.command(.resume(part.voice, at: frame, fade: declick)))
    }
    current = part
    return steps
  }

  private mutating func stop(at frame: Int64, fade: Fade) -> MusicOutcome {
    // Nothing is left that a resume, or the switch turned on again, could let go on.
    pauses.subtract([.client, .switch])
    guard let part = current else { return hurry(at: frame, fade: fade) }
    let fade = unhurried(fade, at: frame, waits: false)
    // The longest: where the track stands it may have been sought away from where it is yet to be heard.
    let heard = tails.filter { $0.isHeard(at: frame) }.map { $0.turnedDown(fade, at: frame) }
      .reduce(part.turnedDown(fade, at: frame)) { $0.frames < $1.frames ? $1 : $0 }
    return MusicOutcome(
      steps: leave(at: frame, fade: fade, waits: false, prolongs: false),
      changes: [MusicChange(kind: .stopped, track: part.track.key, fade: heard)])
  }

  /// A stop where no track is current, only tails that fade out: each is ended by the end of this fade, and one that would have
  /// ended sooner is left to do so.
  private mutating func hurry(at frame: Int64, fade: Fade) -> MusicOutcome {
    let fade = unhurried(fade, at: frame, waits: false)
    var outcome = MusicOutcome()
    for index in tails.indices {
      let isHeard = tails[index].standsFrom == nil
      guard let step = hurry(tail: index, at: frame, fade: fade) else { continue }
      outcome.steps.append(step)
      if isHeard { outcome.changes = [MusicChange(kind: .stopped, track: tails[index].track.key, fade: fade)] }
    }
    return outcome
  }

  /// Ends a tail by the end of a fade; nil where it is over as soon anyway.
  private mutating func hurry(tail index: Int, at frame: Int64, fade: Fade) -> AudioStep? {
    guard tails[index].isLeft(at: frame) else { return nil }
    let isHeard = tails[index].standsFrom == nil
    if isHeard, min(tails[index].over ?? .max, tails[index].end) <= frame + Int64(fade.frames) { return nil }
    let out = tails[index].turnedDown(fade, at: frame)
    tails[index].stop(at: frame, out)
    return .command(.stop(tails[index].voice, at: frame, fade: out))
  }

  /// Ends the tails of a reading of a pack; as one that makes room for another each is told nothing more.
  private mutating func endTails(of generation: Int, at frame: Int64, fade: Fade) -> MusicOutcome {
    let meant = tails.indices.filter { tails[$0].track.generation.number == generation }
    return MusicOutcome(steps: meant.compactMap { hurry(tail: $0, at: frame, fade: fade) })
  }

  /// What plays says whether it stands, or where only tails are left the last of them.
  private mutating func switchOff(at frame: Int64, fade: Fade) -> MusicOutcome {
    isSwitchedOff = true
    guard let deciding = current ?? fading(at: frame).last, deciding.standsWhenOff else { return MusicOutcome() }
    return pause(.switch, at: frame, fade: fade)
  }

  private mutating func pause(_ reason: PauseReason, at frame: Int64, fade: Fade) -> MusicOutcome {
    if current == nil && reason == .client { return MusicOutcome(cancelled: .notPlaying) }
    guard pauses.insert(reason).inserted, pauses.count == 1 else { return MusicOutcome() }
    var steps: [AudioStep] = []
    var lasts = true
    if var part = current {
      part.pause(at: frame, fade)
      current = part
      steps.append(.command(.pause(part.voice, at: frame, fade: fade)))
      // With a track that comes to its end before it stands a client's pause is over, and nobody would resume the tails.
      lasts = reason != .client || part.end >= part.standsFrom ?? frame
    }
    for index in tails.indices where tails[index].sounds(at: frame) && !tails[index].isCut {
      if lasts {
        tails[index].pause(at: frame, fade)
        steps.append(.command(.pause(tails[index].voice, at: frame, fade: fade)))
      } else {
        tails[index].stop(at: frame, fade)
        steps.append(.command(.stop(tails[index].voice, at: frame, fade: fade)))
      }
    }
    return MusicOutcome(
      steps: steps, changes: current.map { [MusicChange(kind: .paused, track: $0.track.key, fade: fade)] } ?? [])
  }

  private mutating func resume(_ reason: PauseReason, at frame: Int64, fade: Fade) -> MusicOutcome {
    if current == nil && reason == .client { return MusicOutcome(cancelled: .notPlaying) }
    guard pauses.remove(reason) != nil, pauses.isEmpty else { return MusicOutcome() }
    return MusicOutcome(
      steps: goOn(at: frame, fade: fade),
      changes: current.map { [MusicChange(kind: .resumed, track: $0.track.key, fade: fade)] } ?? [])
  }

  private mutating func setGain(_ asked: Float, at frame: Int64, fade: Fade) -> MusicOutcome {
    guard current != nil else { return MusicOutcome(cancelled: .notPlaying) }
    return MusicOutcome(steps: turn(to: asked, at: frame, fade: fade))
  }
}

extension MusicPlayer {
  private mutating func setStem(_ name: String, to gain: Float, at frame: Int64, fade: Fade) -> MusicOutcome {
    guard let part = current, let index = part.info.stems.firstIndex(where: { $0.name == name }) else {
      return MusicOutcome(cancelled: .notPlaying)
    }
    current?.stemGains[index] = gain
    return MusicOutcome(steps: [.command(.stem(part.voice, Int32(index), to: gain, at: frame, fade: fade))])
  }
}

// MARK: - What they are made of

extension MusicPlayer {
  private mutating func turn(to asked: Float, at frame: Int64, fade: Fade) -> [AudioStep] {
    guard var part = current else { return [] }
    part.askedGain = asked
    part.fade(to: part.gain, at: frame, fade)
    current = part
    return [.command(.gain(part.voice, to: part.gain, at: frame, fade: fade))]
  }

  /// Lets all that stands, or is about to, go on.
  private mutating func goOn(at frame: Int64, fade: Fade) -> [AudioStep] {
    var steps: [AudioStep] = []
    for index in tails.indices where tails[index].standsFrom != nil && tails[index].isLeft(at: frame) {
      tails[index].resume(at: frame, fade)
      steps.append(.command(.resume(tails[index].voice, at: frame, fade: fade)))
    }
    if var part = current, part.standsFrom != nil {
      part.resume(at: frame, fade)
      current = part
      steps.append(.command(.resume(part.voice, at: frame, fade: fade)))
    }
    return steps
  }

  private mutating func forgetCurrent() {
    current = nil
    pauses.remove(.client)
  }

  /// Whether the current track stands, its gate down.
  private func isSilent(at frame: Int64) -> Bool { current?.stands(at: frame) ?? false }

  private func tail(of track: LoadedKey, at frame: Int64) -> Int? {
    tails.lastIndex { $0.track == track && $0.sounds(at: frame) && !$0.isCut }
  }

  /// Fades out the current track and all tails. With `waits` a paused one keeps its fade for when it goes on; without, it ends
  /// at once. One that a pause is turning down just now takes the whole fade with `prolongs`; without, it ends when the pause
  /// would have had it silent, or sooner.
  private mutating func leave(at frame: Int64, fade: Fade, waits: Bool, prolongs: Bool = true) -> [AudioStep] {
    if let part = current {
      tails.append(part)
      current = nil
    }
    var steps: [AudioStep] = []
    for index in tails.indices where tails[index].isLeft(at: frame) {
      let voice = tails[index].voice
      if waits {
        tails[index].fadeOut(at: frame, fade)
        steps.append(.command(.fadeOut(voice, at: frame, fade: fade)))
      } else {
        let out = prolongs ? fade : tails[index].turnedDown(fade, at: frame)
        tails[index].stop(at: frame, out)
        steps.append(.command(.stop(voice, at: frame, fade: out)))
      }
    }
    return steps
  }

  /// Sends off the quietest of the tails, and of equals the oldest, where all voices sound but those that have been sent off.
  private mutating func makeRoom(at frame: Int64, declick: Fade) -> [AudioStep] {
    let sounding = tails.indices.filter { tails[$0].sounds(at: frame) && !tails[$0].isCut }
    guard sounding.count >= Self.mostVoices else { return [] }
    let quietest = sounding.min {
      let (a, b) = (tails[$0], tails[$1])
      return (a.faded(at: frame), a.voice.rawValue) < (b.faded(at: frame), b.voice.rawValue)
    }
    guard let quietest else { return [] }
    tails[quietest].cut(at: frame, declick)
    return [.command(.stop(tails[quietest].voice, at: frame, fade: declick))]
  }
}
