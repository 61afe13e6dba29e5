import Engine
import Timing
import Wire

extension Host {
  /// Registers every method of the engine. Session, events and discovery methods are the server's.
  public func register(on router: inout Router<RequestContext>) {
    registerClock(on: &router)
    registerMusicAndSound(on: &router)
    registerHapticsAndCues(on: &router)
    registerHapticPlayers(on: &router)
    registerRhythm(on: &router)
    registerSettingsAndStatus(on: &router)
  }

  private func registerClock(on router: inout Router<RequestContext>) {
    router.on(ClockNow.self) { [unowned self] _, _ in
      let output = output
      return ClockNow.Result(nowUs: output.now.microseconds, timeline: Timeline(output.timeline))
    }
    router.on(ClockStep.self) { [unowned self] params, _ throws(RPCError) in
      guard case .stepped(let audio) = driver else {
        throw RPCError(.notStepped, "this daemon's clock runs by itself", hint: "start it with --clock stepped")
      }
      let target = Instant(microseconds: params.toUs)
      guard target >= audio.now, target <= audio.now + Self.longestStep else {
        throw RPCError(
          .invalidParams, "toUs \(params.toUs) is not within an hour after now, \(audio.now.microseconds)",
          hint: "step forward, at most an hour at a time")
      }
      step(to: target, audio)
      return ClockStep.Result(nowUs: audio.now.microseconds)
    }
    router.on(PackList.self) { [unowned self] _, _ in engine.packList() }
  }

  private func registerMusicAndSound(on router: inout Router<RequestContext>) {
    router.on(MusicPlay.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.playMusic(params, output) }
    }
    router.on(MusicStop.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.stopMusic(params, output) }
    }
    router.on(MusicPause.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.pauseMusic(params, output) }
    }
    router.on(MusicResume.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.resumeMusic(params, output) }
    }
    router.on(MusicSeek.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.seekMusic(params, output) }
    }
    router.on(MusicGain.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.changeMusicGain(params, output) }
    }
    router.on(MusicStatus.self) { [unowned self] _, _ in engine.musicStatus(output) }
    router.on(SoundPlay.self) { [unowned self] params, context throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.playSound(params, from: context.client, output) }
    }
    router.on(SoundStop.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.stopSound(params, output) }
    }
  }

  private func registerHapticsAndCues(on router: inout Router<RequestContext>) {
    router.on(HapticsPlay.self) { [unowned self] params, context throws(RPCError) in
      if let device = params.device { try haptics.check(device) }
      return try perform { (output) throws(RPCError) in try engine.playHaptics(params, from: context.client, output) }
    }
    router.on(HapticsTransient.self) { [unowned self] params, context throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.playTransient(params, from: context.client, output) }
    }
    router.on(HapticsContinuous.self) { [unowned self] params, context throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.playContinuous(params, from: context.client, output) }
    }
    router.on(CueFire.self) { [unowned self] params, context throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.fireCue(params, from: context.client, output) }
    }
  }

  /// Any client may change any player.
  private func registerHapticPlayers(on router: inout Router<RequestContext>) {
    router.on(HapticsStop.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.stopHaptics(params, output) }
    }
    router.on(HapticsPause.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.pauseHaptics(params, output) }
    }
    router.on(HapticsResume.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.resumeHaptics(params, output) }
    }
    router.on(HapticsSeek.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.seekHaptics(params, output) }
    }
    router.on(HapticsSet.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.setHaptics(params, output) }
    }
    router.on(HapticsGain.self) { [unowned self] params, context throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.changeHapticGain(params, from: context.client, output) }
    }
    router.on(HapticsSendParameters.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.sendParameters(params, output) }
    }
    router.on(HapticsScheduleCurve.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.scheduleCurve(params, output) }
    }
  }

  private func registerRhythm(on router: inout Router<RequestContext>) {
    router.on(RhythmStart.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.startChapter(params, output) }
    }
    router.on(RhythmTap.self) { [unowned self] params, context throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.tap(params, arrival: context.arrival, output) }
    }
    router.on(RhythmStop.self) { [unowned self] _, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.stopChapter(output) }
    }
    router.on(RhythmStatus.self) { [unowned self] _, _ in engine.chapterStatus(output) }
  }

  private func registerSettingsAndStatus(on router: inout Router<RequestContext>) {
    router.on(SettingsSet.self) { [unowned self] params, _ throws(RPCError) in
      try perform { (output) throws(RPCError) in try engine.changeSettings(params, output) }
    }
    router.on(SettingsGet.self) { [unowned self] _, _ in engine.currentSettings }
    router.on(EngineStatus.self) { [unowned self] _, _ in status() }
    router.on(DevicesSet.self) { [unowned self] params, _ throws(RPCError) in
      let gain = try DevicesSet.parameters.gain.checked(params.gain)
      guard let changed = haptics.setGain(gain, of: params.device) else {
        throw Engine.unknownOutput(params.device, among: haptics.status.map(\.name))
      }
      engine.hapticDevicesChanged(haptics.status, audio: audioStatus.message, output)
      carryOutActions()
      return changed
    }
    router.on(DevicesList.self) { [unowned self] _, _ in
      DevicesList.Result(audio: audioStatus, haptics: haptics.status)
    }
  }

  /// One request: what it plans is carried out before it is answered.
  private func perform<Result>(
    _ body: (OutputState) throws(RPCError) -> Result
  ) throws(RPCError) -> Result {
    defer { carryOutActions() }
    return try body(output)
  }

  /// The most a stepped clock moves at once.
  private static let longestStep = Interval.milliseconds(3_600_000)
}
