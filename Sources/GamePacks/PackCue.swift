// SPDX-License-Identifier: Apache-2.0

import Timing

/// A named moment of a game: what is heard, felt and changed, fired as one.
public struct PackCue: Equatable, Sendable {
  /// In the order written; each counts its time from the moment the cue is fired.
  public var steps: [Step]

  /// One thing a cue does.
  public struct Step: Equatable, Sendable {
    /// How long after the cue.
    public var at: Interval
    /// What is done.
    public var action: Action
  }

  /// What a step does; every name is one of the pack's.
  public enum Action: Equatable, Sendable {
    /// A sound, with a linear gain on top of its own.
    case sound(String, gain: Double)
    /// A haptic pattern, with a linear gain of at most 1.
    case pattern(String, gain: Double)
    /// A track, cross-faded to.
    case playMusic(MusicStart)
    /// The music ends, faded over that long (0 cuts).
    case stopMusic(fade: Interval)
  }

  /// How a cue starts a track. What is nil the pack's settings say.
  public struct MusicStart: Equatable, Sendable {
    /// The track.
    public var track: String
    /// Length of the cross-fade.
    public var crossfade: Interval?
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

  enum Keys: String, CodingKey, CaseIterable {
    case steps
  }

  init(_ manifest: PackFile, _ index: Int) {
    let list = PackFields(manifest, index, keys: Keys.self).required(.steps).map(manifest.list) ?? []
    steps = list.map { Step(manifest, $0) }
  }
}

/// How two tracks share the way from one to the other.
public enum FadeCurve: String, CaseIterable, Sendable {
  /// The power stays the same: for different music.
  case equalPower
  /// The amplitude stays the same: for music that is alike.
  case linear
}

extension PackCue.Step {
  enum Keys: String, CodingKey, CaseIterable {
    case at, sound, pattern, music, gain
  }

  init(_ manifest: PackFile, _ index: Int) {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: Keys.self)
    at = fields.seconds(.at, default: .zero)
    let kinds = [Keys.sound, .pattern, .music].filter(fields.has)
    switch kinds {
    case [.sound]: action = .sound(fields.name(.sound), gain: fields.gain(.gain))
    case [.pattern]: action = .pattern(fields.name(.pattern), gain: fields.gain(.gain, upTo: 1))
    case [.music]:
      if fields.has(.gain) { fields.refuse(.gain, "is not for music; set the track's own") }
      action = fields.required(.music).map { musicAction(manifest, $0) } ?? .stopMusic(fade: .zero)
    default:
      // A mistyped one is told already.
      if !kinds.isEmpty || manifest.faultCount == before {
        manifest.note(.invalidValue, at: index, "must have exactly one of sound, pattern, music")
      }
      action = .stopMusic(fade: .zero)
    }
  }
}

/// The fields of `music`.
enum MusicKeys: String, CodingKey, CaseIterable {
  case play, crossfade, fadeCurve, from, stop, fade
}

/// `{"play": "main", "crossfade": 0.5}` or `{"stop": true, "fade": 0.5}`.
private func musicAction(_ manifest: PackFile, _ index: Int) -> PackCue.Action {
  let before = manifest.faultCount
  let fields = PackFields(manifest, index, keys: MusicKeys.self)
  let stops = fields.optional(.stop).map(manifest.truth) ?? false
  guard stops != fields.has(.play) else {
    if manifest.faultCount == before {
      manifest.note(.invalidValue, at: index, "must either play a track or stop: true")
    }
    return .stopMusic(fade: .zero)
  }
  for stray in (stops ? [MusicKeys.crossfade, .fadeCurve, .from] : [.fade]).filter(fields.has) {
    fields.refuse(stray, stops ? "goes with play" : "goes with stop; play has crossfade")
  }
  if stops { return .stopMusic(fade: fields.fade(.fade) ?? .milliseconds(5)) }
  return .playMusic(
    PackCue.MusicStart(
      track: fields.name(.play), crossfade: fields.fade(.crossfade), fadeCurve: fields.choice(.fadeCurve),
      from: fields.choice(.from) ?? .start))
}
