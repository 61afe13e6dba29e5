// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// Every file of the packs that is made of sound, with the loudness that it sits at.
///
/// Effects are as loud in their loudest 400 ms as they are written here, relative to the music.
let packs: [(name: String, recordings: [Recording])] = [
  (
    "starlight-sync",
    [
      .loop("audio_bgm_main") { StarlightSyncMusic.main() },
      .stem("audio_bgm_main-bells", of: "audio_bgm_main") {
        try StarlightSyncBells.stem(BeatMap("firewall.beats.json", of: $0))
      },
      .track("audio_bgm_finale") { StarlightSyncMusic.finale() },
      .effect("sfx_haptic_thud", -1) { StarlightSyncEffects.hapticThud() },
      .effect("sfx_success_chime", -2) { StarlightSyncEffects.successChime() },
      .effect("sfx_shield_impact", -4) { StarlightSyncEffects.shieldImpact() },
      .effect("sfx_click", -10) { StarlightSyncEffects.click() },
      .effect("sfx_error", -4) { StarlightSyncEffects.error() },
    ]
  ),
  (
    "freefall",
    [
      .loop("world1-track-a") { TheBlock.track(heavy: false) },
      .loop("world1-track-b") { TheBlock.track(heavy: true) },
      .loop("world2-track-a") { NeonYard.track(heavy: false) },
      .loop("world2-track-b") { NeonYard.track(heavy: true) },
      .loop("world3-track-a") { Underground.track(heavy: false) },
      .loop("world3-track-b") { Underground.track(heavy: true) },
      .loop("world4-track-a") { Static.track(heavy: false) },
      .loop("world4-track-b") { Static.track(heavy: true) },
      .loop("intermission-track", 1) { Intermission.track() },
      .effect("flip", -5) { FreefallEffects.flip() },
      .effect("death", -1) { FreefallEffects.death() },
      .effect("goal", -2) { FreefallEffects.goal() },
      .effect("level-complete", -1) { FreefallEffects.levelComplete() },
      .effect("ui-tap", -12) { FreefallEffects.uiTap() },
      .effect("world-unlock", -1) { FreefallEffects.worldUnlock() },
      .effect("collect", -4) { FreefallEffects.collect() },
      .effect("intermission-voice", 0) { FreefallEffects.intermissionVoice() },
    ]
  ),
]

/// One file: its name without an ending, and how it is made.
struct Recording: Sendable {
  enum Kind: Sendable, Equatable {
    case music(loops: Bool)
    case stem(of: String)
    case effect
  }

  let name: String
  let kind: Kind
  /// Makes it, given the folder of its pack.
  let make: @Sendable (_ pack: URL) throws -> Stereo

  /// Music that goes on from its end at its beginning; `louder` is in dB.
  static func loop(_ name: String, _ louder: Double = 0, _ make: @escaping @Sendable () -> Stereo) -> Recording {
    Recording(name: name, kind: .music(loops: true)) { _ in
      var sound = make()
      sound.master(musicLoudness + louder, loops: true, \.integrated)
      return sound
    }
  }

  /// Music that ends.
  static func track(_ name: String, _ make: @escaping @Sendable () -> Stereo) -> Recording {
    Recording(name: name, kind: .music(loops: false)) { _ in
      var sound = make()
      sound.master(musicLoudness, \.integrated)
      return sound
    }
  }

  /// What is played together with a track: composed at the level that it has beside it.
  static func stem(_ name: String, of track: String, _ make: @escaping @Sendable (_ pack: URL) throws -> Stereo)
    -> Recording
  {
    Recording(name: name, kind: .stem(of: track), make: make)
  }

  static func effect(_ name: String, _ louder: Double, _ make: @escaping @Sendable () -> Stereo) -> Recording {
    Recording(name: name, kind: .effect) { _ in
      var sound = make()
      sound.centre()
      sound.master(musicLoudness + louder, \.momentary)
      return sound
    }
  }
}

extension Stereo {
  /// Frees it of direct current, by a bow that is nothing at both ends, where a constant would click.
  mutating func centre() {
    for channel in [\Stereo.left, \Stereo.right] {
      let mean = self[keyPath: channel].reduce(0, +) / Float(frames)
      for frame in 0..<frames {
        self[keyPath: channel][frame] -= mean * (1 - cosf(2 * .pi * (Float(frame) + 0.5) / Float(frames)))
      }
    }
  }
}
