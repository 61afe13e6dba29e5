// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// The sounds of a haptic pattern, led by a client while they play: a turn begins them, the next two lead them, a fourth
/// stops them. All is asked for as soon as can be, so that what the mixer was told ahead is taken back again and again.
struct PatternSounds {
  private var player: Int64 = 0
  /// The most voices that played while they did.
  private(set) var mostVoices = 0
  /// A sound and a tone, each with its dull part.
  static let voices = 4

  mutating func begin(on connection: StarlightConnection) throws {
    let played = try connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "chime"))
    guard let player = played.player else { throw RigFailure("the chime is skipped: \(played)") }
    self.player = player
  }

  /// Every control: steps faster than sounds follow them, then curves.
  mutating func lead(on connection: StarlightConnection) throws {
    for step in 1...8 {
      let share = Double(step) / 8
      _ = try connection.call(
        HapticsSendParameters.self,
        HapticsSendParameters.Params(
          player: player, audioVolume: 1 - share / 2, audioPan: share, audioPitch: share / 2,
          audioBrightness: -share / 2))
    }
    let controls: [HapticsScheduleCurve.Control] = [.audioVolume, .audioPan, .audioPitch, .audioBrightness]
    for control in controls {
      _ = try connection.call(
        HapticsScheduleCurve.self,
        HapticsScheduleCurve.Params(
          player: player, control: control,
          points: [.init(timeUs: 0, value: 0.5), .init(timeUs: 60_000, value: 0.1), .init(timeUs: 120_000, value: 0.8)])
      )
    }
    try countVoices(connection)
  }

  /// Held, let go on, moved, made faster, muted and heard again.
  mutating func move(on connection: StarlightConnection) throws {
    try countVoices(connection)
    _ = try connection.call(HapticsPause.self, PlayerParams(player: player))
    _ = try connection.call(HapticsResume.self, PlayerParams(player: player))
    _ = try connection.call(HapticsSeek.self, HapticsSeek.Params(player: player, positionUs: 300_000))
    _ = try connection.call(HapticsSet.self, HapticsSet.Params(player: player, rate: 1.5))
    _ = try connection.call(HapticsSet.self, HapticsSet.Params(player: player, mute: true))
    _ = try connection.call(HapticsSet.self, HapticsSet.Params(player: player, mute: false))
  }

  mutating func end(on connection: StarlightConnection) throws {
    try countVoices(connection)
    _ = try connection.call(HapticsStop.self, HapticsStop.Params(player: player))
  }

  private mutating func countVoices(_ connection: StarlightConnection) throws {
    mostVoices = max(mostVoices, try connection.call(EngineStatus.self, Empty()).audio.activeVoices)
  }
}
