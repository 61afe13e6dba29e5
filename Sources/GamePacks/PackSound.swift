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
  /// Linear, 0 to 8; 1 is as recorded.
  public var gain: Double
  /// What it is mixed with.
  public var bus: Bus

  enum Keys: String, PackKey {
    case file, gain, bus

    var rule: FieldRule {
      switch self {
      case .file: .must(.fileName, "the audio file, from the pack's folder on; a minute at most")
      case .gain: .may(.number(0...8), "linear; 1 is as recorded", standard: "1")
      case .bus: .may(.choice(Bus.self), "voice for spoken lines", standard: #""sound""#)
      }
    }
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

  enum Keys: String, PackKey {
    case file

    var rule: FieldRule { .must(.fileName, "an AHAP file, from the pack's folder on") }
  }

  init(_ manifest: PackFile, _ index: Int) { file = PackFields(manifest, index, keys: Keys.self).file(.file) }
}
