// SPDX-License-Identifier: Apache-2.0

/// A sound effect, or a spoken line.
public struct PackSound: Equatable, Sendable {
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

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    file = fields.file(.file)
    gain = fields.gain(.gain)
    bus = fields.choice(.bus) ?? .sound
  }
}

/// A haptic pattern.
public struct PackPattern: Equatable, Sendable {
  /// The AHAP file, relative to the pack.
  public var file: String

  enum Keys: String, CodingKey, CaseIterable {
    case file
  }

  init(_ manifest: PackFile, _ index: Int) { file = PackFields(manifest, index, keys: Keys.self).file(.file) }
}
