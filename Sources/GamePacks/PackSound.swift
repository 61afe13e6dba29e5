/// A sound effect, or a spoken line.
public struct PackSound: Equatable, Sendable, Decodable {
  /// What it is mixed with; the switch for sound silences either.
  public enum Bus: String, CaseIterable, Sendable {
    /// Effects.
    case sound
    /// Spoken lines.
    case voice
  }

  /// The audio file, relative to the pack.
  public var file: String
  /// Linear.
  public var gain: Double
  /// What it is mixed with.
  public var bus: Bus

  enum Keys: String, CodingKey, CaseIterable {
    case file, gain, bus
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    file = try fields.file(.file)
    gain = try fields.gain(.gain)
    bus = try fields.choice(.bus, default: .sound)
  }
}

/// A haptic pattern.
public struct PackPattern: Equatable, Sendable, Decodable {
  /// The AHAP file, relative to the pack.
  public var file: String

  enum Keys: String, CodingKey, CaseIterable {
    case file
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    file = try PackFields(decoder, keys: Keys.self).file(.file)
  }
}
