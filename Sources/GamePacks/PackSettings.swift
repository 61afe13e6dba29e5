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
  /// How long fades may be, in seconds.
  static let fades = 0...longestFade.seconds

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

  enum Keys: String, PackKey {
    case musicOff, crossfade, fadeCurve

    var rule: FieldRule {
      switch self {
      case .musicOff:
        .may(
          .choice(MusicOff.self), "what switching music off does outside a chapter: it runs on unheard, or waits",
          standard: #""mute""#)
      case .crossfade:
        .may(
          .seconds(PackSettings.fades),
          "length of a cross-fade to a track of this pack where whoever plays it gives none, in seconds",
          standard: "0.5")
      case .fadeCurve:
        .may(
          .choice(FadeCurve.self), "shape of such a cross-fade where whoever plays the track gives none",
          standard: #""equalPower""#)
      }
    }
  }

}

extension PackSettings {
  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    musicOff = fields.choice(.musicOff) ?? Self.standard.musicOff
    crossfade = fields.optionalSeconds(.crossfade) ?? Self.standard.crossfade
    fadeCurve = fields.choice(.fadeCurve) ?? Self.standard.fadeCurve
  }
}
