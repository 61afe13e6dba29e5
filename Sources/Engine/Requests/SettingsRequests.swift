// SPDX-License-Identifier: Apache-2.0

import JSON
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
    changed.judging = try judging(params)
    guard changed != switches else { return currentSettings }
    change(switches: changed)
    notify(SettingsChanged(settings: currentSettings), at: present, by: cause)
    return currentSettings
  }

  /// Who plays, and how late everybody taps, once `params` are taken.
  private func judging(_ params: SettingsSet.Params) throws(RPCError) -> JudgingProfiles {
    var judging = switches.judging
    if let profile = params.profile { judging.choose(profile) }
    let ranges = SettingsSet.ranges
    let profiles = params.profiles ?? []
    guard ranges.profiles.range.contains(profiles.count) else {
      throw RPCError(
        .invalidParams, "profiles has \(profiles.count) elements, and at most \(JudgingProfile.most) are kept",
        hint: "name those that change; the others stay")
    }
    var offsets = try profiles.map { (given) throws(RPCError) in
      (given.profile, try ranges.offsetOfProfile.checked(given.judgingOffsetUs))
    }
    if let offset = try ranges.judgingOffset.checked(params.judgingOffsetUs) {
      offsets.append((judging.current, offset))
    }
    for (profile, offset) in offsets {
      guard judging.set(offset, for: profile) else {
        throw RPCError(
          .invalidParams, "\(JudgingProfile.most) profiles are kept, and there is no room for \(excerpt(profile))",
          hint: "set \(field: "judgingOffsetUs") of one to 0, and it is forgotten; \(method: "settings.get") lists them"
        )
      }
    }
    guard !judging.current.isEmpty, judging.offsets.allSatisfy({ !$0.profile.isEmpty }) else {
      throw RPCError(.invalidParams, "the name of a profile is empty", hint: "name it by who plays, and by what")
    }
    return judging
  }

  /// `settings.get`.
  public var currentSettings: Settings {
    Settings(
      music: switches.music, sound: switches.sound, haptics: switches.haptics, masterVolume: switches.masterVolume,
      musicVolume: switches.musicVolume, soundVolume: switches.soundVolume, voiceVolume: switches.voiceVolume,
      hapticsVolume: switches.hapticsVolume, profile: switches.judging.current,
      judgingOffsetUs: switches.judging.offset,
      profiles: switches.judging.offsets.map { JudgingProfile(profile: $0.profile, judgingOffsetUs: $0.offset) })
  }
}
