import GamePacks
import Haptics
import Timing
import Wire

/// Cues: a named moment's sounds, haptics and music changes, fired as one plan.
extension Engine {
  /// `cue.fire`.
  public mutating func fireCue(
    _ params: CueFire.Params, from client: ClientID, _ output: OutputState
  ) throws(RPCError) -> CueFire.Result {
    let (key, pack) = try catalog.resolve(.cue, params.cue)
    guard let cue = pack.manifest.cues[key.name] else {
      throw RPCError(.internal, "cue \(key.name) is listed but missing")
    }
    let parameters = CueFire.parameters
    let keep = Interval.microseconds(try parameters.keepAfterDisconnect.checked(params.keepAfterDisconnectUs))
    var zero = try zero(of: params, output)
    if let grid = params.quantise {
      let next = try quantised(zero.sound, to: grid, output)
      zero = (next, next, zero.late)
    }
    let skipped = carryOut(
      cue, in: pack, soundZero: zero.sound, hapticZero: zero.haptic, sender: (client, keep), output)
    notify(CueFired(cue: spelled(key), skipped: skipped), at: min(zero.sound, zero.haptic))
    let hasHaptic = cue.steps.contains { $0.isFelt }
    let hasSound = cue.steps.contains { !$0.isFelt }
    return CueFire.Result(
      scheduledUs: (hasHaptic && !hasSound ? zero.haptic : zero.sound).microseconds, lateUs: zero.late.microseconds,
      soundAtUs: hasSound ? zero.sound.microseconds : nil, hapticAtUs: hasHaptic ? zero.haptic.microseconds : nil,
      skewUs: hasSound && hasHaptic ? (zero.haptic - zero.sound).microseconds : nil, skipped: skipped)
  }

  /// Fires a chapter's feedback as soon as each output can.
  mutating func fireFeedback(_ name: String?, of chapter: Chapter, _ output: OutputState) {
    guard let name, let pack = catalog.pack(named: chapter.key.pack), let cue = pack.manifest.cues[name] else { return }
    _ = carryOut(
      cue, in: pack, soundZero: output.earliestSound, hapticZero: output.earliestHaptic, sender: (.daemon, .zero),
      output)
  }

  /// The cue's zero for what is heard and for what is felt. A late cue moves whole.
  private func zero(
    of params: CueFire.Params, _ output: OutputState
  ) throws(RPCError) -> (sound: Instant, haptic: Instant, late: Interval) {
    let both = max(output.earliestSound, output.earliestHaptic)
    if params.atUs != nil {
      let (at, late) = try schedule(params.atUs, earliest: both)
      return (at, at, late)
    }
    return (params.align ?? CueFire.parameters.align.fallback) == .together
      ? (both, both, .zero) : (output.earliestSound, output.earliestHaptic, .zero)
  }

  /// Does every step that can be done; tells of those that cannot.
  private mutating func carryOut(
    _ cue: PackCue, in pack: Catalog.Pack, soundZero: Instant, hapticZero: Instant,
    sender: (client: ClientID, keep: Interval),
    _ output: OutputState
  ) -> [String] {
    var skipped: [String] = []
    for step in cue.steps {
      do throws(RPCError) {
        try carryOut(step, in: pack, soundZero: soundZero, hapticZero: hapticZero, sender: sender, output)
      } catch {
        skipped.append(error.message)
      }
    }
    return skipped
  }

  private mutating func carryOut(
    _ step: PackCue.Step, in pack: Catalog.Pack, soundZero: Instant, hapticZero: Instant,
    sender: (client: ClientID, keep: Interval),
    _ output: OutputState
  ) throws(RPCError) {
    let name = { (asset: String) in pack.manifest.name + ":" + asset }
    switch step.action {
    case .sound(let sound, let gain):
      let (key, _, pack) = try catalog.resolve(.sound, name(sound), in: \.sounds)
      startSound(key, in: pack, gain: gain, at: soundZero + step.at, client: sender.client, output)
    case .pattern(let pattern, let gain):
      let (key, asset, _) = try catalog.resolve(.pattern, name(pattern), in: \.patterns)
      var options = HapticPlayOptions()
      options.gain = gain
      let owner = HapticBoard.Owner(
        client: sender.client, source: spelled(key), pack: key.pack, keepAfterDisconnect: sender.keep)
      // What is heard and felt together begins when both can.
      let zero = asset.audioEvents.isEmpty ? hapticZero : max(hapticZero, soundZero)
      try startHaptics(asset, owner: owner, options: options, at: zero + step.at, output)
    case .playMusic(let start):
      let settings = pack.manifest.settings
      let params = MusicPlay.Params(
        track: name(start.track), from: start.from == .continue ? .continue : .start,
        atUs: (soundZero + step.at).microseconds, crossfadeUs: (start.crossfade ?? settings.crossfade).microseconds,
        fade: (start.law ?? settings.law) == .linear ? .linear : .equalPower)
      _ = try playMusic(params, output)
    case .stopMusic(let fade):
      _ = try stopMusic(FadeParams(atUs: (soundZero + step.at).microseconds, fadeUs: fade.microseconds), output)
    }
  }

  /// The first beat or bar of the music at or after `instant`.
  func quantised(
    _ instant: Instant, to grid: Quantise, _ output: OutputState
  ) throws(RPCError) -> Instant {
    guard let part = music.current, music.pausedAt == nil,
      let track = catalog.pack(named: part.track.pack)?.manifest.tracks[part.track.name], let bpm = track.bpm
    else {
      throw RPCError(
        .unavailable, "there is no beat to wait for: no track with a tempo is playing",
        hint: "play one first, or leave quantise out")
    }
    let beat = 60 / bpm * (grid == .bar ? Double(track.beatsPerBar) : 1) * Double(configuration.rate)
    let frame = output.timeline.frame(at: instant)
    let position = Double(part.position(at: frame)) - track.firstBeat.seconds * Double(configuration.rate)
    let wait = (position / beat).rounded(.up) * beat - position
    return output.timeline.instant(ofFrame: frame + Int64(wait.rounded()))
  }
}

extension PackCue.Step {
  /// Whether it is felt; what is not is heard.
  fileprivate var isFelt: Bool {
    if case .pattern = action { true } else { false }
  }
}
