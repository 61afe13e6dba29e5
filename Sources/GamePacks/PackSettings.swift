import Timing

/// What holds for the whole pack unless something else is said.
public struct PackSettings: Equatable, Sendable, Decodable {
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
  public var law: CrossfadeLaw

  /// What holds where a pack says nothing: mute, 500 ms, equal power.
  public static var standard: PackSettings {
    PackSettings(musicOff: .mute, crossfade: .milliseconds(500), law: .equalPower)
  }

  init(musicOff: MusicOff, crossfade: Interval, law: CrossfadeLaw) {
    self.musicOff = musicOff
    self.crossfade = crossfade
    self.law = law
  }

  enum Keys: String, CodingKey, CaseIterable {
    case musicOff, crossfade, law
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    musicOff = try fields.choice(.musicOff, default: Self.standard.musicOff)
    crossfade = try fields.fade(.crossfade, default: Self.standard.crossfade)
    law = try fields.choice(.law, default: Self.standard.law)
  }
}

/// Music made quieter while a sound plays.
public struct PackDucking: Equatable, Sendable, Decodable {
  /// The sound that ducks the music.
  public var sound: String
  /// Linear gain of the music meanwhile.
  public var depth: Double
  /// How long the music takes to go down.
  public var attack: Interval
  /// How long it stays down after the sound ends.
  public var hold: Interval
  /// How long it takes to come back.
  public var release: Interval

  enum Keys: String, CodingKey, CaseIterable {
    case sound, depth, attack, hold, release
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    sound = try fields.required(.sound)
    depth = try fields.number(.depth, in: 0...1)
    attack = try fields.seconds(.attack, default: .milliseconds(20))
    hold = try fields.seconds(.hold, default: .zero)
    release = try fields.seconds(.release, default: .milliseconds(300))
  }
}
