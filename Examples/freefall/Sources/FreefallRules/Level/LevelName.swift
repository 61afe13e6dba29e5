// SPDX-License-Identifier: Apache-2.0

/// Which level: world and number count from 1. Its text, as it is stored, is `W1L3`.
public struct LevelName: Hashable, Sendable, Comparable {
  public let world: Int
  public let number: Int

  /// Level `number` of world `world`; whether there is such a level is for `Rules` to say.
  public init(world: Int, number: Int) {
    self.world = world
    self.number = number
  }

  /// The level of a text such as `W1L3`; nil for any other text.
  public init?(_ text: String) {
    guard text.first == "W", let mark = text.firstIndex(of: "L"),
      let world = Int(text[text.index(after: text.startIndex)..<mark]),
      let number = Int(text[text.index(after: mark)...])
    else { return nil }
    self.init(world: world, number: number)
    guard self.text == text else { return nil }
  }

  /// `W1L3`.
  public var text: String { "W\(world)L\(number)" }

  /// By world, then by number.
  public static func < (left: LevelName, right: LevelName) -> Bool {
    (left.world, left.number) < (right.world, right.number)
  }
}

extension WorldRules {
  /// How many worlds there are.
  public var count: Int { titles.count }

  /// Every level, in the order of play.
  public var levels: [LevelName] {
    (0..<count).flatMap { world in (0..<levelsPerWorld).map { LevelName(world: world + 1, number: $0 + 1) } }
  }

  /// Whether there is such a level.
  public func has(_ level: LevelName) -> Bool {
    level.world >= 1 && level.world <= count && level.number >= 1 && level.number <= levelsPerWorld
  }

  /// The level after this one in the same world; nil after its last.
  public func next(after level: LevelName) -> LevelName? {
    let next = LevelName(world: level.world, number: level.number + 1)
    return has(next) ? next : nil
  }
}
