import Glibc
import Haptics
import Mixing
import Timing
import Wire

/// The sounds of haptic patterns, played by the mixer at the instants at which the players reach them.
extension Engine {
  /// Plans the sounds that begin within the horizon.
  mutating func planHapticAudio(_ output: OutputState) {
    guard output.now >= haptics.audio.nextLook, haptics.mixer.hasAudio else { return }
    let end = output.now + horizon(output)
    for start in haptics.mixer.audioStarts(from: haptics.audio.plannedUntil, to: end) { begin(start, output) }
    haptics.audio.plannedUntil = max(haptics.audio.plannedUntil, end)
    haptics.audio.nextLook = output.now + .milliseconds(10)
  }

  /// Tells the devices and the mirror of a change to a player, and lets its sounds follow from `instant` on.
  mutating func change(_ player: HapticPlayerID, by change: HapticCommand, at instant: Instant, _ output: OutputState) {
    let hadAudio = haptics.mixer.hasAudio(player)
    command(change)
    guard hadAudio || haptics.mixer.hasAudio(player) else { return }
    for (id, voice) in haptics.audio.voices(of: player) {
      if let end = voice.endsAt, end <= instant { continue }
      if voice.endsAt != nil { plans.removeAll { if case .hapticAudio(id, .stop) = $0 { true } else { false } } }
      haptics.audio.voices[id]?.endsAt = nil
      if voice.at >= instant {
        // It is planned anew below, where it is still to be heard.
        perform([.command(.stop(id, at: output.reachableFrame, fade: declick))])
        haptics.audio.voices[id]?.isCancelled = true
      } else {
        if let effect = effect(of: change, on: voice) { plan(.hapticAudio(id, effect), at: instant, output) }
        planEnd(of: id, after: instant, output)
      }
    }
    let until = haptics.audio.plannedUntil
    for start in haptics.mixer.audioStarts(from: instant, to: until) where start.player == player {
      begin(start, output)
    }
    haptics.audio.nextLook = .distantPast
    planHapticAudio(output)
  }

  /// Whether what a pattern names can be played.
  func canPlay(_ source: HapticAudioEvent.Source, pack: String?) -> Bool {
    guard case .waveform(let path, _) = source else { return true }
    return pack.flatMap(catalog.pack(named:))?.waveforms.contains(path) ?? false
  }

  private mutating func begin(_ start: HapticAudioStart, _ output: OutputState) {
    let event = start.event
    let pack = haptics.owners[start.player]?.pack
    // More at once cannot be told apart, and a pattern of tiny loops must not eat the machine.
    guard haptics.audio.voices.count < HapticAudio.mostVoices, canPlay(event.source, pack: pack) else { return }
    let (sound, loops): (ResidentSound, Bool) =
      switch event.source {
      case .waveform(let path, let loops): (.waveform(AssetKey(pack: pack ?? "", name: path)), loops)
      case .tone: (.hapticTone, true)
      }
    let id = makeVoice()
    let gain = Float(event.volume)
    let end = event.duration.map { event.time + $0 }
    haptics.audio.voices[id] = HapticAudio.Voice(player: start.player, at: start.at, gain: gain, end: end)
    let sounding = SoundStart(
      voice: id, sound: sound, at: 0, gain: start.isMuted ? 0 : gain, pan: Float(event.pan),
      // An octave up or down at the ends.
      pitch: Float(exp2(event.pitch)), loops: loops, bus: .haptic)
    plan(.startSound(sounding), at: start.at, output)
    if let endsAt = start.endsAt { planEnd(of: id, at: endsAt, output) }
  }

  private mutating func planEnd(of id: VoiceID, at instant: Instant, _ output: OutputState) {
    haptics.audio.voices[id]?.endsAt = instant
    plan(.hapticAudio(id, .stop), at: instant, output)
  }

  private mutating func planEnd(of id: VoiceID, after instant: Instant, _ output: OutputState) {
    guard let voice = haptics.audio.voices[id], let end = voice.end,
      let at = haptics.mixer.instant(of: end, of: voice.player, after: instant), at >= instant
    else { return }
    planEnd(of: id, at: at, output)
  }

  private func effect(of change: HapticCommand, on voice: HapticAudio.Voice) -> HapticAudioChange? {
    switch change {
    case .stop, .seek: .stop
    case .pause: .pause
    case .resume: .resume
    case .set(_, .muted(let muted), _): .gain(muted ? 0 : voice.gain)
    default: nil
    }
  }
}
