import GamePacks
import Mixing
import Timing
import Wire

/// The sound nouns of the socket.
extension Engine {
  /// `sound.play`.
  public mutating func playSound(
    _ params: SoundPlay.Params, from client: ClientID, _ output: OutputState
  ) throws(RPCError) -> SoundPlay.Result {
    guard sounds.count(of: client) < Self.mostSoundsOfAClient else {
      throw RPCError(
        .busy, "\(Self.mostSoundsOfAClient) sounds of this client are planned or playing, which is the most",
        hint: "wait until some have ended, or stop them with sound.stop")
    }
    let (key, frames, pack) = try catalog.resolve(.sound, params.sound, in: \.sounds)
    let parameters = SoundPlay.parameters
    let gain = try parameters.gain.checked(params.gain)
    let pan = try parameters.pan.checked(params.pan)
    let pitch = try parameters.pitch.checked(params.pitch)
    let (at, late) = try schedule(params.atUs, earliest: output.earliestSound)
    let voice = startSound(
      key, in: pack, gain: gain, pan: pan, pitch: pitch, loops: params.loop ?? parameters.loop.fallback, at: at,
      client: client,
      output)
    let length = Interval.frames(Int64(Double(frames) / pitch), rate: configuration.rate)
    return SoundPlay.Result(
      id: Int64(voice.rawValue), scheduledUs: at.microseconds, lateUs: late.microseconds,
      durationUs: length.microseconds)
  }

  /// `sound.stop`.
  public mutating func stopSound(_ params: SoundStop.Params, _ output: OutputState) throws(RPCError) -> Scheduled {
    let fade = try fade(params.fadeUs, SoundStop.parameters.fade, law: .linear)
    let voice = params.id.map { VoiceID(rawValue: UInt64(bitPattern: $0)) }
    if let voice, !sounds.contains(voice) {
      throw RPCError(
        .notRunning, "no sound with id \(params.id ?? 0) is playing",
        hint: "it may have ended; ids come from sound.play")
    }
    let (at, late) = try schedule(params.atUs, earliest: output.earliestSound, isEnding: true)
    cancelSounds(voice, before: at)
    plan(.stopSound(voice, fade), at: at, output)
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }

  /// What would only begin after it is stopped never begins.
  private mutating func cancelSounds(_ voice: VoiceID?, before instant: Instant) {
    let cancelled = plans.removeAll { step in
      guard case .startSound(let start) = step, sounds.contains(start.voice) else { return false }
      return voice == nil || start.voice == voice
    }
    for case .startSound(let start) in cancelled {
      guard let sound = sounds.remove(start.voice) else { continue }
      notify(SoundFinished(id: Int64(start.voice.rawValue), sound: spelled(sound), reason: .stopped), at: instant)
    }
  }

  /// Plans a sound that is known to be there.
  @discardableResult
  mutating func startSound(
    _ key: AssetKey, in pack: Catalog.Pack, gain: Double, pan: Double = 0, pitch: Double = 1, loops: Bool = false,
    at instant: Instant, client: ClientID, _ output: OutputState
  ) -> VoiceID {
    let entry = pack.manifest.sounds[key.name]
    let voice = makeVoice()
    sounds.add(voice, key, of: client)
    let start = SoundStart(
      voice: voice, sound: .sound(key), at: 0, gain: Float(gain * (entry?.gain ?? 1)), pan: Float(pan),
      pitch: Float(pitch),
      loops: loops, bus: entry?.bus == .voice ? .voice : .sound)
    plan(.startSound(start), at: instant, output)
    return voice
  }

  /// The mixer is done with a voice, whichever part it belonged to.
  public mutating func voiceFinished(
    _ voice: VoiceID, at frame: Int64, reason: SoundFinished.Reason, _ output: OutputState
  ) {
    if haptics.audio.remove(voice) { return }
    guard let sound = sounds.remove(voice) else { return musicVoiceFinished(voice, at: frame, output) }
    notify(
      SoundFinished(id: Int64(voice.rawValue), sound: spelled(sound), reason: reason),
      at: output.timeline.instant(ofFrame: frame))
  }

  /// Turns the music down under a sound where the sound's pack asks for it.
  func ducking(under sound: ResidentSound, at frame: Int64) -> [AudioStep] {
    guard case .sound(let sound) = sound else { return [] }
    let rules = catalog.pack(named: sound.pack)?.manifest.ducking.filter { $0.sound == sound.name } ?? []
    return rules.map { rule in
      let frames = { (length: Interval) in Int32(clamping: length.frames(rate: configuration.rate)) }
      let duck = Duck(
        depth: Float(rule.depth), attack: frames(rule.attack), hold: frames(rule.hold), release: frames(rule.release))
      return .command(.duck(.music, duck, at: frame))
    }
  }
}
