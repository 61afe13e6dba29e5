// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// All that an audio thread may be asked to do, a little of it each turn.
struct Everything {
  /// Turns until all has been asked for.
  static let turns = 12

  private(set) var sounds = PatternSounds()

  /// What a turn asks for on top of its part, at about `atUs`.
  mutating func play(turn: Int, on connection: StarlightConnection, at atUs: Int64) throws {
    switch turn % Self.turns {
    case 0:
      // More than there are voices: some are stolen.
      for index in 0..<80 { try play("tick", on: connection, at: atUs, gain: 0.02, pan: Double(index) / 40 - 1) }
    case 1: _ = try connection.call(MusicSeek.self, MusicSeek.Params(positionUs: 100_000, atUs: atUs))
    case 2:
      _ = try connection.call(MusicPause.self, FadeParams(atUs: atUs))
      _ = try connection.call(MusicResume.self, FadeParams(atUs: atUs + 100_000))
    case 3:
      // The limiter works.
      for _ in 0..<4 { try play("tock", on: connection, at: atUs, gain: 4) }
    case 4:
      for pitch in [0.5, 0.9, 1.5, 3] { try play("tock", on: connection, at: atUs, gain: 0.2, pitch: pitch) }
      try play("tick", on: connection, at: atUs, gain: 0.2, pitch: 1.1, loop: true)
      _ = try connection.call(SoundStop.self, SoundStop.Params(atUs: atUs + 100_000))
    case 5:
      _ = try connection.call(MusicGain.self, MusicGain.Params(gain: 0.3, atUs: atUs, fadeUs: 50_000))
      _ = try connection.call(MusicGain.self, MusicGain.Params(gain: 1, atUs: atUs + 100_000, fadeUs: 50_000))
    case 6:
      _ = try connection.call(SettingsSet.self, SettingsSet.Params(sound: false))
      _ = try connection.call(SettingsSet.self, SettingsSet.Params(sound: true))
    case 7: try play("boom", on: connection, at: atUs, gain: 0.5)
    case 8: try sounds.begin(on: connection)
    case 9: try sounds.lead(on: connection)
    case 10: try sounds.move(on: connection)
    default: try sounds.end(on: connection)
    }
  }

  private func play(
    _ sound: String, on connection: StarlightConnection, at atUs: Int64, gain: Double, pan: Double = 0,
    pitch: Double = 1, loop: Bool = false
  ) throws {
    let params = SoundPlay.Params(sound: sound, atUs: atUs, gain: gain, pan: pan, pitch: pitch, loop: loop)
    _ = try connection.call(SoundPlay.self, params)
  }
}
