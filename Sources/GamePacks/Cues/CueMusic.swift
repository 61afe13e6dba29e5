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
    /// The track, one of the cue's own pack.
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
  enum Keys: String, PackKey {
    case play, crossfade, fadeIn, fadeOut, fadeCurve, from, stop, gain, stem, fade

    static var object: ObjectRule { CueMusic.shape }

    var rule: FieldRule {
      switch self {
      case .play: .may(.reference, "the track that begins")
      case .crossfade: .may(.seconds(PackSettings.fades), "how long the cross-fade takes, in seconds; 0 cuts")
      case .fadeIn: .may(.seconds(PackSettings.fades), "how long the track that comes fades in, in seconds")
      case .fadeOut: .may(.seconds(PackSettings.fades), "how long what sounds fades out, in seconds")
      case .fadeCurve: .may(.choice(FadeCurve.self), "equalPower for different music, linear for music that is alike")
      case .from: .may(.choice(From.self), "continue: where the track is, when it still sounds", standard: #""start""#)
      case .stop: .may(.onlyTrue, "fades the music out")
      case .gain: .may(.number(0...4), "linear, on top of the track's own", standard: "1")
      case .stem: .may(.reference, "a stem of the track that plays, which is turned in place of the track")
      case .fade: .may(.seconds(PackSettings.fades), "how long it takes, in seconds", standard: "0.005")
      }
    }
  }

  /// A track with one length for both fades, or with two; a stop; a gain.
  static let shape = ObjectRule(variants: [
    .init([.play, .gain, .crossfade, .fadeCurve, .from] as [Keys], required: [.play]),
    .init([.play, .gain, .fadeIn, .fadeOut, .fadeCurve, .from] as [Keys], required: [.play]),
    .init([.stop, .fade] as [Keys], required: [.stop]),
    .init([.gain, .stem, .fade] as [Keys], required: [.gain]),
  ])

  /// `{"play": "main", "crossfade": 0.5}`, `{"stop": true, "fade": 0.5}` or `{"gain": 0.4, "fade": 0.5}`; nil for none.
  init?(_ manifest: PackFile, _ index: Int) {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: Keys.self)
    let stops = fields.truth(.stop) ?? false
    let plays = fields.has(.play)
    guard manifest.faultCount == before, stops != plays || !stops && fields.has(.gain) else {
      if manifest.faultCount == before {
        manifest.note(
          .invalidValue, at: index, "must either play a track, or stop: true, or set the gain",
          advice: "write one of {\"play\": \"NAME\"}, {\"stop\": true}, {\"gain\": 0.5}")
      }
      return nil
    }
    let strays: [Keys] =
      plays ? [.fade, .stem] : [.crossfade, .fadeIn, .fadeOut, .fadeCurve, .from] + (stops ? [.gain, .stem] : [])
    for stray in strays.filter(fields.has) {
      fields.refuseStray(
        stray,
        stray == .stem
          ? "goes with gain" : plays ? "goes with stop and gain; play has crossfade" : "goes with play")
    }
    if plays, fields.has(.crossfade), fields.has(.fadeIn) || fields.has(.fadeOut) {
      fields.refuse(
        .crossfade, "is both fades at once; give either it, or fadeIn and fadeOut", advice: "remove one of them")
    }
    let gain = plays || stops ? fields.gain(.gain) : fields.number(.gain)
    if plays {
      self = .play(
        Start(
          track: fields.name(.play), gain: gain, crossfade: fields.optionalSeconds(.crossfade),
          fadeIn: fields.optionalSeconds(.fadeIn), fadeOut: fields.optionalSeconds(.fadeOut),
          fadeCurve: fields.choice(.fadeCurve),
          from: fields.choice(.from) ?? .start))
    } else {
      let fade = fields.optionalSeconds(.fade) ?? .milliseconds(5)
      self = stops ? .stop(fade: fade) : .gain(gain, stem: fields.optionalName(.stem), fade: fade)
    }
  }
}
