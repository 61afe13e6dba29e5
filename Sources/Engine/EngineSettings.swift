import GamePacks
import Mixing
import Timing
import Wire

/// The player's switches: effective at once, ramped.
extension Engine {
  /// `settings.set`.
  public mutating func changeSettings(
    _ params: SettingsSet.Params, _ output: OutputState
  ) throws(RPCError) -> Settings {
    var changed = settings
    changed.music = params.music ?? settings.music
    changed.sound = params.sound ?? settings.sound
    changed.haptics = params.haptics ?? settings.haptics
    let parameters = SettingsSet.parameters
    changed.musicVolume = try parameters.musicVolume.checked(params.musicVolume) ?? settings.musicVolume
    changed.soundVolume = try parameters.soundVolume.checked(params.soundVolume) ?? settings.soundVolume
    guard changed != settings else { return settings }
    settings = changed
    applySwitches(output)
    notify(SettingsChanged(settings: settings), at: output.now)
    return settings
  }

  /// `settings.get`.
  public var currentSettings: Settings { settings }

  /// Brings buses, music and haptics in line with the switches. During a chapter music is muted, not paused, because the
  /// beats go on; elsewhere the pack says which.
  mutating func applySwitches(_ output: OutputState) {
    let ramp = Fade(frames: Int32(Interval.milliseconds(20).frames(rate: configuration.rate)), law: .linear)
    let frame = output.reachableFrame
    var steps: [AudioStep] = []
    let music = settings.music ? Float(taper(settings.musicVolume)) : 0
    let sound = settings.sound ? Float(taper(settings.soundVolume)) : 0
    for (bus, gain) in [(Bus.music, music), (.sound, sound), (.voice, sound), (.haptic, settings.haptics ? sound : 0)] {
      steps.append(.command(.busGain(bus, to: gain, at: frame, fade: ramp)))
    }
    let pauses = catalog.active.flatMap(catalog.pack(named:))?.manifest.settings.musicOff == .pause
    if settings.music, pausedBySwitch {
      steps += self.music.resume(at: frame, fade: ramp)
      pausedBySwitch = false
    } else if !settings.music, pauses, chapter == nil, self.music.current != nil,
      self.music.pausedAt == nil
    {
      steps += self.music.pause(at: frame, fade: ramp, declick: declick)
      pausedBySwitch = true
    }
    perform(steps)
    command(.mute(!settings.haptics))
  }

  /// The gain of a slider: its cube, a common stand-in for loudness over 60 dB of useful way.
  private func taper(_ volume: Double) -> Double { volume * volume * volume }
}
