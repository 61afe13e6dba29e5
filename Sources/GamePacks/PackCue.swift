import Timing

/// A named moment of a game: what is heard, felt and changed, fired as one.
public struct PackCue: Equatable, Sendable, Decodable {
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
    public var law: CrossfadeLaw?
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

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    steps = try PackFields(decoder, keys: Keys.self).required(.steps)
  }
}

/// How two tracks share the way from one to the other.
public enum CrossfadeLaw: String, CaseIterable, Sendable {
  /// The power stays the same: for different music.
  case equalPower
  /// The amplitude stays the same: for music that is alike.
  case linear
}

extension PackCue.Step: Decodable {
  enum Keys: String, CodingKey, CaseIterable {
    case at, sound, pattern, music, gain
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    at = try fields.seconds(.at, default: .zero)
    let kinds = [Keys.sound, .pattern, .music].filter(fields.has)
    guard kinds.count == 1 else {
      throw FieldError(
        path: decoder.codingPath, code: .invalidValue, reason: "must have exactly one of sound, pattern, music")
    }
    switch kinds[0] {
    case .sound: action = .sound(try fields.required(.sound), gain: try fields.gain(.gain))
    case .pattern: action = .pattern(try fields.required(.pattern), gain: try fields.gain(.gain, upTo: 1))
    default:
      if fields.has(.gain) { throw fields.refusal(.gain, "is not for music; set the track's own") }
      action = try (fields.required(.music) as MusicStep).action
    }
  }
}

/// `{"play": "main", "crossfade": 0.5}` or `{"stop": true, "fade": 0.5}`.
struct MusicStep: Decodable {
  var action: PackCue.Action

  enum Keys: String, CodingKey, CaseIterable {
    case play, crossfade, law, from, stop, fade
  }

  init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    let stops = try fields.optional(.stop) ?? false
    guard stops != fields.has(.play) else {
      throw FieldError(
        path: decoder.codingPath, code: .invalidValue, reason: "must either play a track or stop: true")
    }
    if let stray = (stops ? [Keys.crossfade, .law, .from] : [.fade]).first(where: fields.has) {
      throw fields.refusal(stray, stops ? "goes with play" : "goes with stop; play has crossfade")
    }
    if stops {
      action = .stopMusic(fade: try fields.fade(.fade, default: .milliseconds(5)))
    } else {
      action = .playMusic(
        PackCue.MusicStart(
          track: try fields.required(.play),
          crossfade: fields.has(.crossfade) ? try fields.fade(.crossfade) : nil,
          law: fields.has(.law) ? try fields.choice(.law, default: .equalPower) : nil,
          from: try fields.choice(.from, default: .start)))
    }
  }
}
