// SPDX-License-Identifier: Apache-2.0

import Fades
import Timing

/// What a cue has the music do.
public enum CueMusic: Equatable, Sendable {
  /// A track begins.
  case play(Start)
  /// The music ends, faded over that long (0 cuts).
  case stop(fade: Interval)
  /// The track that plays then, or a stem of it, is turned to a linear gain, over that long; a track's is on top of its own.
  case gain(Double, stem: String?, fade: Interval)

  /// How a cue starts a track. What is nil the pack's settings say.
  public struct Start: Equatable, Sendable {
    /// The track.
    public var track: String
    /// Linear, on top of the track's own.
    public var gain: Double
    /// Length of the cross-fade.
    public var crossfade: Interval?
    /// Length of the fade by which the track comes in, apart from that of what it takes over from.
    public var fadeIn: Interval?
    /// Length of the fade by which what sounds goes out, likewise.
    public var fadeOut: Interval?
    /// Shape of the cross-fade.
    public var fadeCurve: FadeCurve?
    /// Where in the track.
    public var from: From
  }

  /// Where a track begins.
  public enum From: String, CaseIterable, Sendable {
    /// At its beginning.
    case start
    /// Where it was left.
    case `continue`
  }
}

extension CueMusic {
  /// The fields of `music`.
  enum Keys: String, CodingKey, CaseIterable {
    case play, crossfade, fadeIn, fadeOut, fadeCurve, from, stop, gain, stem, fade
  }

  /// `{"play": "main", "crossfade": 0.5}`, `{"stop": true, "fade": 0.5}` or `{"gain": 0.4, "fade": 0.5}`; nil for none.
  init?(_ manifest: PackFile, _ index: Int) {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: Keys.self)
    let stops = fields.optional(.stop).map(manifest.truth) ?? false
    let plays = fields.has(.play)
    guard manifest.faultCount == before, stops != plays || !stops && fields.has(.gain) else {
      if manifest.faultCount == before {
        manifest.note(.invalidValue, at: index, "must either play a track, or stop: true, or set the gain")
      }
      return nil
    }
    let strays: [Keys] =
      plays ? [.fade, .stem] : [.crossfade, .fadeIn, .fadeOut, .fadeCurve, .from] + (stops ? [.gain, .stem] : [])
    for stray in strays.filter(fields.has) {
      fields.refuse(
        stray,
        stray == .stem
          ? "goes with gain" : plays ? "goes with stop and gain; play has crossfade" : "goes with play")
    }
    if plays, fields.has(.crossfade), fields.has(.fadeIn) || fields.has(.fadeOut) {
      fields.refuse(.crossfade, "is both fades at once; give either it, or fadeIn and fadeOut")
    }
    let gain = fields.gain(.gain, upTo: 4)
    if plays {
      self = .play(
        Start(
          track: fields.name(.play), gain: gain, crossfade: fields.fade(.crossfade),
          fadeIn: fields.fade(.fadeIn), fadeOut: fields.fade(.fadeOut), fadeCurve: fields.choice(.fadeCurve),
          from: fields.choice(.from) ?? .start))
    } else {
      let fade = fields.fade(.fade) ?? .milliseconds(5)
      self = stops ? .stop(fade: fade) : .gain(gain, stem: fields.optionalName(.stem), fade: fade)
    }
  }
}
