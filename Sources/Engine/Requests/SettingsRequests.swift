// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// The settings nouns of the socket.
extension Engine {
  /// `settings.set`.
  public mutating func changeSettings(_ params: SettingsSet.Params, by cause: Cause) throws(RPCError) -> Settings {
    var changed = switches
    changed.music = params.music ?? switches.music
    changed.sound = params.sound ?? switches.sound
    changed.haptics = params.haptics ?? switches.haptics
    let ranges = SettingsSet.ranges
    changed.masterVolume = try ranges.masterVolume.checked(params.masterVolume) ?? switches.masterVolume
    changed.musicVolume = try ranges.musicVolume.checked(params.musicVolume) ?? switches.musicVolume
    changed.soundVolume = try ranges.soundVolume.checked(params.soundVolume) ?? switches.soundVolume
    changed.voiceVolume = try ranges.voiceVolume.checked(params.voiceVolume) ?? switches.voiceVolume
    changed.hapticsVolume = try ranges.hapticsVolume.checked(params.hapticsVolume) ?? switches.hapticsVolume
    guard changed != switches else { return currentSettings }
    change(switches: changed)
    notify(SettingsChanged(settings: currentSettings), at: turn.now, by: cause)
    return currentSettings
  }

  /// `settings.get`.
  public var currentSettings: Settings {
    Settings(
      music: switches.music, sound: switches.sound, haptics: switches.haptics, masterVolume: switches.masterVolume,
      musicVolume: switches.musicVolume, soundVolume: switches.soundVolume, voiceVolume: switches.voiceVolume,
      hapticsVolume: switches.hapticsVolume)
  }
}
