// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Outcomes
import Timing

/// The verbs of sounds.
extension Engine {
  /// The most sounds of one client that are planned or playing.
  static let mostSoundsOfAClient = 1_024

  /// The fade of what ends because its client left.
  static let leavingFade = Interval.milliseconds(50)

  /// What begins so soon after the first instant that could be asked for counts as begun where its client leaves: a program
  /// that plays something now and ends has it heard. Not what repeats, which would be no more than its fade.
  static let promptness = Interval.milliseconds(20)

  /// How a sound is to be played.
  struct SoundOptions {
    /// Linear, on top of the pack's.
    var gain = 1.0
    var pan = 0.0
    var pitch = 1.0
    var loops = false
    /// How the music steps back under it; nil as the sound's pack says.
    var duck: PackDuck?
    var keepAfterDisconnect = Interval.zero
  }

  /// Plans a sound that is known to be there; `cue` is the firing it is part of. Nil where it is to begin as soon as it can
  /// and the switch is off.
  @discardableResult
  mutating func play(
    _ name: String, in pack: PackGeneration, _ options: SoundOptions = SoundOptions(), at instant: Instant,
    isAsap: Bool, by cause: Cause, cue: PlanID? = nil
  ) throws(VerbRefusal) -> VoiceID? {
    if isAsap && !switches.sound { return nil }
    guard sounds.count(of: cause.client) < Self.mostSoundsOfAClient else {
      throw VerbRefusal(
        .busy, "\(Self.mostSoundsOfAClient) sounds of this client are planned or playing, which is the most",
        remedy: "wait until some have ended, or stop them with \(method: "sound.stop")")
    }
    let payer = try payer(for: .start, at: instant, by: cause)
    let entry = pack.manifest.sounds[name]
    let voice = makeVoice()
    sounds.add(
      voice,
      SoundBoard.Entry(
        sound: pack.key(name), pack: pack, cause: cause, at: instant, ownGain: entry?.gain ?? 1, loops: options.loops,
        cue: cue, keepAfterDisconnect: options.keepAfterDisconnect))
    cues.partBegan(of: cue)
    var start = VoiceStart<NamedSource>(
      id: voice, source: .resident(.sound(LoadedKey(pack, name)), loops: options.loops),
      bus: entry?.bus == .voice ? .voice : .sound,
      at: 0, gain: Float(options.gain * (entry?.gain ?? 1)), pan: Float(options.pan), pitch: Float(options.pitch),
      ducking: (options.duck ?? pack.manifest.ducks[name]).map(ducking))
    (start.owner, start.user) = (cause.client.rawValue, cause.user)
    (start.sound, start.instant) = (sounds.number(of: pack.key(name)), instant.nanoseconds)
    plan(PlannedSound(action: .start(start), cause: payer, cue: cue), at: instant)
    return voice
  }

  /// Plans a change of a sound; one that has not begun by `instant` is changed as it begins. Answers when that is.
  mutating func change(
    _ voice: VoiceID, to change: SoundChange, at instant: Instant, by cause: Cause
  ) throws(VerbRefusal) -> Instant {
    guard let entry = sounds[voice] else { throw Self.noSound(voice) }
    let at = max(instant, entry.at)
    let payer = try payer(for: SoundPacing.Steps(count: change.count), at: at, by: cause)
    var change = change
    change.gain?.to *= Float(entry.ownGain)
    plan(PlannedSound(action: .set(voice, change), cause: payer), at: at)
    return at
  }

  static func noSound(_ voice: VoiceID) -> VerbRefusal {
    VerbRefusal(
      .notRunning, "no sound with id \(voice.rawValue) is playing",
      remedy: "it may have ended; ids come from \(method: "sound.play")")
  }

  /// Takes room for a step of a sound, of what the mixer is told and of what its client may plan: both or neither.
  private mutating func payer(
    for steps: SoundPacing.Steps, at instant: Instant, by cause: Cause
  ) throws(VerbRefusal) -> Cause {
    try soundPacing.check(steps, at: instant, now: turn.now, by: cause)
    let payer = try shares.take(1, for: cause, isUrgent: isNow(instant))
    soundPacing.charge(steps, at: instant, by: cause)
    return payer
  }

  /// A client has gone: its one-shots finish, what loops or has not begun ends, now or when the time it asked for is over.
  mutating func endSounds(of client: ClientID) {
    let fade = fade(Self.leavingFade, .linear)
    let voices = sounds.voices(of: client)
    sounds.noteLeft(voices)
    if !voices.isEmpty || haptics.audio.sounds.contains(where: { $0.owner == client.rawValue }) {
      perform([.command(.leave(client.rawValue, at: turn.reachableFrame))])
    }
    let ending = voices.compactMap {
      voice -> (voice: VoiceID, entry: SoundBoard.Entry, end: Instant)? in
      guard let entry = sounds[voice] else { return nil }
      let end = max(turn.earliestSound, present(after: entry.keepAfterDisconnect))
      return entry.loops || entry.at > max(end, turn.earliestSound + Self.promptness) ? (voice, entry, end) : nil
    }
    let unbegun = Set(ending.filter { $0.entry.at >= $0.end }.map(\.voice))
    neverBegin(unbegun, .clientLeft)
    for (voice, entry, end) in ending {
      // A fade of its own that is shorter goes on.
      let frame = turn.timeline.frame(at: end)
      if unbegun.contains(voice) || sounds.ends(voice, at: frame, noLaterThanBy: fade) { continue }
      sounds.noteLeaving(voice, at: end)
      shares.takeAnyway(1, for: entry.cause)
      plan(PlannedSound(action: .stop(.voice(voice), fade), cause: entry.cause), at: end)
    }
  }

  /// These never begin: neither those that wait for their instant nor those that the mixer has been told of already.
  mutating func neverBegin(_ voices: Set<VoiceID>, _ why: CueSkip.CallingOff) {
    endUnbegunSounds(.cancelled, why) { voice, _ in voices.contains(voice) }
    takeBack(voices, why)
  }

  /// Sounds that were to begin at `instant` or later never begin: one of them, or for nil all.
  mutating func neverBegin(from instant: Instant, of voice: VoiceID?) {
    // Looked for in the queue itself: a list of their voices, of which there may be thousands, would be searched for each.
    cancelSounds { $1 >= instant && (voice == nil || $0 == voice) }
    takeBack(sounds.voices(from: instant, of: voice), .stopped)
  }

  /// Has the mixer let go of what it was told and is never to begin, of each once: who asks again and again would fill it.
  private mutating func takeBack(_ voices: Set<VoiceID>, _ why: CueSkip.CallingOff) {
    let known = voices.filter { sounds[$0].map { !$0.isCalledOff } ?? false }
    var payers: [Cause] = []
    for voice in known.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let entry = sounds[voice], let cue = entry.cue,
        let payer = cues.skip(.calledOff(step: words(forSound: entry), why), of: cue, isFelt: false, at: entry.at)
      {
        payers.append(payer)
      }
      sounds.held.forget(voice)
      sounds.noteCalledOff(voice)
      perform([.command(.retract(voice, from: 0))])
    }
    shares.takeOneAnyway(forEach: payers)
  }

  /// What waits for its instant never begins; `isMeant` picks by voice and instant.
  mutating func cancelSounds(where isMeant: (VoiceID, Instant) -> Bool) {
    endUnbegunSounds(.cancelled, where: isMeant)
  }

  /// What waits for its instant never begins, and is told as called off, or at that instant as skipped.
  mutating func endUnbegunSounds(
    _ ending: SoundEnd, _ why: CueSkip.CallingOff = .stopped, where isMeant: (VoiceID, Instant) -> Bool
  ) {
    var ended = plans.removeAll { at, planned in
      if case .start(let start) = planned.action, isMeant(start.id, at) { UnbegunStep(planned, at) } else { nil }
    }
    ended += sounds.held.drop(where: isMeant).map { UnbegunStep($0.planned, $0.at) }
    if ended.isEmpty { return }
    // What would change them goes along.
    if plans.count > 0 {
      let voices = Set(ended.compactMap(\.voice))
      ended += plans.removeAll { at, planned in
        if case .set(let voice, _) = planned.action, voices.contains(voice) { UnbegunStep(planned, at) } else { nil }
      }
    }
    shares.giveOne(forEach: ended.lazy.map(\.cause))
    // Who pays for what cues are to tell as skipped.
    var payers: [Cause] = []
    for step in ended {
      soundPacing.giveBack(step.pacing, at: step.at, by: step.cause.client)
      guard step.isStart, let voice = step.voice, let entry = sounds.remove(voice) else { continue }
      let isSkipped = ending == .skipped
      tellSound(voice, entry, ending, at: isSkipped ? entry.at : turn.earliestSound)
      if let cue = step.cue {
        let step = words(forSound: entry)
        let skipped = isSkipped ? CueSkip.soundOff(step: step) : .calledOff(step: step, why)
        if let payer = cues.skip(skipped, of: cue, isFelt: false, at: entry.at) { payers.append(payer) }
      }
      cues.partEnded(of: step.cue)
    }
    shares.takeOneAnyway(forEach: payers)
  }

  /// What is left of a step of a sound that never begins: steps are large, and there may be thousands.
  private struct UnbegunStep {
    var voice: VoiceID?
    var isStart: Bool
    var cause: Cause
    var cue: PlanID?
    var at: Instant
    var pacing: SoundPacing.Steps

    init(_ planned: PlannedSound, _ at: Instant) {
      (voice, cause, cue) = (planned.voice, planned.cause, planned.cue)
      self.at = at
      pacing = planned.pacing
      isStart = if case .start = planned.action { true } else { false }
    }
  }

  /// The mixer is done with a voice, whichever part it belonged to.
  public mutating func voiceFinished(_ voice: VoiceID, at frame: Int64, _ ending: SoundEnd) {
    let instant = turn.timeline.instant(ofFrame: frame)
    // The mixer is ahead of what is heard, also as it comes to stand: the last of this is heard behind the pause.
    if let hold = clock.lasting, instant >= hold.at { return standingEnds.append((voice, frame, ending)) }
    if let sound = haptics.audio.remove(voice) {
      if ending == .stolen, !sound.isLeavingForGood {
        noteUnheard(sound.player, at: instant.roundedUpToMicrosecond, .stolen)
      }
      return
    }
    if ending == .cancelled, sounds.isTakenBack(voice) { return }
    if let entry = sounds.remove(voice) {
      // Where the mixer had begun what it was to take back, nothing of it waits any more.
      for step in sounds.held.drop(where: { held, _ in held == voice }) { shares.give(1, for: step.planned.cause) }
      // What was called off and began all the same stays called off.
      cues.partEnded(of: entry.cue, .done, ending.hasBegun && !entry.isCalledOff ? words(forSound: entry) : nil)
      return tellSound(voice, entry, ending, at: instant)
    }
    let takenBack = music.finished(voice, at: frame, ending, heardAt: instant, reachable: turn.reachableFrame)
    if let takenBack { redoMusic(takenBack) }
  }

  /// The engine goes on, and with it the last of what the mixer was done with as it came to stand.
  mutating func endSoundsThatStood() {
    let ends = standingEnds
    standingEnds = []
    for end in ends { voiceFinished(end.voice, at: end.frame, end.ending) }
  }

  /// Turns what is due within the horizon into frames; what begins while the switch for sound is off waits.
  mutating func dispatchPlans() {
    while let (instant, planned) = plans.pop(upTo: turn.now + horizon) {
      sounds.forgetWaitingStop(planned, at: instant)
      if isHeld(planned) {
        sounds.held.hold(HeldSounds.Step(at: instant, planned: planned))
        continue
      }
      shares.give(1, for: planned.cause)
      if planned.voice != nil {
        sounds.held.noteHandedOut(
          HeldSounds.Step(at: instant, planned: planned), settled: turn.earliestSound)
      }
      if case .stop = planned.action { cues.partEnded(of: planned.cue, .done, words(for: planned.action)) }
      let frame = max(turn.timeline.frame(at: instant), turn.reachableFrame)
      let changes = carryOut(planned.action, at: frame, instant)
      if planned.isStop, changes {
        noteChange(of: planned.cue, at: instant, frame: frame, by: planned.cause)
      }
    }
  }

  private func isHeld(_ planned: PlannedSound) -> Bool {
    if case .start = planned.action { return !switches.sound }
    return sounds.held.holds(planned.voice)
  }

  mutating func plan(_ planned: PlannedSound, at instant: Instant) {
    plans.insert(planned, at: instant)
    dispatchPlans()
  }

  /// Tells the mixer; whether there is something that it changes.
  private mutating func carryOut(_ action: PlannedSound.Action, at frame: Int64, _ instant: Instant) -> Bool {
    switch action {
    case .start(var start):
      (start.at, start.planned) = (frame, turn.timeline.frame(at: instant))
      if sounds[start.id]?.hasLeft == true { start.owner = VoiceOwner.gone(of: start.user) }
      perform([.start(start)])
      endBegun(start.id, at: frame, instant)
    case .stop(.voice(let voice), let fade): stop(voice, at: frame, instant, fade)
    case .set(let voice, let change): perform(change.steps(of: voice, at: frame))
    case .stop(.sound(let sound), let fade): return stopMany(of: sound, fade, at: frame, instant)
    case .stop(.all, let fade): return stopMany(of: nil, fade, at: frame, instant)
    }
    return true
  }

  /// A rule of a pack in frames.
  private func ducking(by rule: PackDuck) -> DuckRule {
    let frames = { (length: Interval) in Int32(clamping: length.frames(rate: configuration.rate)) }
    return DuckRule(
      .music, depth: Float(rule.depth), attack: frames(rule.attack), hold: frames(rule.hold),
      release: frames(rule.release))
  }
}

extension SoundEnd {
  /// Whether something of the sound was played.
  fileprivate var hasBegun: Bool { self != .cancelled && self != .skipped }
}
