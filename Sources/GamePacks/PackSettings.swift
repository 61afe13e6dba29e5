// SPDX-License-Identifier: Apache-2.0

import Fades
import Timing

/// What holds for the whole pack unless something else is said.
public struct PackSettings: Equatable, Sendable {
  /// What switching music off does outside a chapter; inside one it always mutes.
  public enum MusicOff: String, CaseIterable, Sendable {
    /// The music waits where it is.
    case pause
    /// The music runs on unheard.
    case mute
  }

  /// The longest fade that is played: a minute.
  public static let longestFade = Interval.milliseconds(60_000)

  /// What switching music off does.
  public var musicOff: MusicOff
  /// Length of a cross-fade.
  public var crossfade: Interval
  /// Shape of a cross-fade.
  public var fadeCurve: FadeCurve

  /// What holds where a pack says nothing: mute, 500 ms, equal power.
  public static var standard: PackSettings {
    PackSettings(musicOff: .mute, crossfade: .milliseconds(500), fadeCurve: .equalPower)
  }

  init(musicOff: MusicOff, crossfade: Interval, fadeCurve: FadeCurve) {
    self.musicOff = musicOff
    self.crossfade = crossfade
    self.fadeCurve = fadeCurve
  }

  enum Keys: String, CodingKey, CaseIterable {
    case musicOff, crossfade, fadeCurve
  }

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    musicOff = fields.choice(.musicOff) ?? Self.standard.musicOff
    crossfade = fields.fade(.crossfade) ?? Self.standard.crossfade
    fadeCurve = fields.choice(.fadeCurve) ?? Self.standard.fadeCurve
  }
}
