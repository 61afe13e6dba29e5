// SPDX-License-Identifier: Apache-2.0

import Timing

/// How the music steps back while a sound is heard.
public struct Duck: Equatable, Sendable {
  /// Linear gain of the music meanwhile.
  public var depth: Double
  /// How long the music takes to go down.
  public var attack: Interval
  /// How long it stays down after the sound ends.
  public var hold: Interval
  /// How long it takes to come back.
  public var release: Interval
}

extension Duck {
  enum Keys: String, CodingKey, CaseIterable {
    case depth, attack, hold, release
  }

  init(_ manifest: PackFile, _ index: Int) {
    self.init(PackFields(manifest, index, keys: Keys.self), .depth, .attack, .hold, .release)
  }

  /// From the fields of an object that may have others besides.
  fileprivate init<Key: CodingKey & CaseIterable>(
    _ fields: PackFields<Key>, _ depth: Key, _ attack: Key, _ hold: Key, _ release: Key
  ) {
    self.depth = fields.number(depth, in: 0...1)
    self.attack = fields.seconds(attack, default: .milliseconds(20))
    self.hold = fields.seconds(hold, default: .zero)
    self.release = fields.seconds(release, default: .milliseconds(300))
  }
}

/// Music made quieter while a sound plays.
public struct PackDucking: Equatable, Sendable {
  /// The sound that ducks the music.
  public var sound: String
  /// How the music steps back.
  public var duck: Duck

  enum Keys: String, CodingKey, CaseIterable {
    case sound, depth, attack, hold, release
  }

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    sound = fields.name(.sound)
    duck = Duck(fields, .depth, .attack, .hold, .release)
  }
}
