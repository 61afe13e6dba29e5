// SPDX-License-Identifier: Apache-2.0

import Timing

/// How the music steps back while a sound is heard.
public struct PackDuck: Equatable, Sendable {
  /// Linear gain of the music meanwhile.
  public var depth: Double
  /// How long the music takes to go down.
  public var attack: Interval
  /// How long it stays down after the sound ends.
  public var hold: Interval
  /// How long it takes to come back.
  public var release: Interval
}

extension PackDuck {
  enum Keys: String, PackKey {
    case depth, attack, hold, release

    var rule: FieldRule {
      switch self {
      case .depth: .must(.number(0...1), "the gain of the music meanwhile")
      case .attack: .may(Self.time, "how long the music takes to go down, in seconds", standard: "0.02")
      case .hold: .may(Self.time, "how long it stays down after the sound's end, in seconds", standard: "0")
      case .release: .may(Self.time, "how long it takes to come back, in seconds", standard: "0.3")
      }
    }

    private static let time = ValueRule.seconds(PackSettings.fades, usual: 10)
  }

  init(_ manifest: PackFile, _ index: Int) {
    self.init(PackFields(manifest, index, keys: Keys.self), .depth, .attack, .hold, .release)
  }

  /// From the fields of an object that may have others besides.
  fileprivate init<Key: PackKey>(
    _ fields: PackFields<Key>, _ depth: Key, _ attack: Key, _ hold: Key, _ release: Key
  ) {
    self.depth = fields.number(depth)
    self.attack = fields.optionalSeconds(attack) ?? .milliseconds(20)
    self.hold = fields.optionalSeconds(hold) ?? .zero
    self.release = fields.optionalSeconds(release) ?? .milliseconds(300)
  }
}

/// Music made quieter while a sound plays.
public struct DuckingSound: Equatable, Sendable {
  /// The sound that ducks the music.
  public var sound: String
  /// How the music steps back.
  public var duck: PackDuck

  enum Keys: String, PackKey {
    case sound, depth, attack, hold, release

    var rule: FieldRule {
      switch self {
      case .sound: .must(.reference, "the sound that ducks the music")
      case .depth: PackDuck.Keys.depth.rule
      case .attack: PackDuck.Keys.attack.rule
      case .hold: PackDuck.Keys.hold.rule
      case .release: PackDuck.Keys.release.rule
      }
    }
  }

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    sound = fields.name(.sound)
    duck = PackDuck(fields, .depth, .attack, .hold, .release)
  }
}
