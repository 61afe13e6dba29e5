// SPDX-License-Identifier: Apache-2.0

/// All that is stored of a player.
public struct Progress: Equatable, Sendable {
  public private(set) var completed: Set<LevelName> = []
  public var switches = Switches()
  /// By world, in their order.
  public private(set) var worldScores: [Int]
  public private(set) var totalScore = 0

  /// A player who has not played.
  public init(rules: WorldRules) { worldScores = rules.titles.map { _ in 0 } }

  /// A player as stored; nil where a level or a score cannot be of this game.
  public init?(
    completed: [LevelName], switches: Switches, worldScores: [Int], totalScore: Int, rules: WorldRules
  ) {
    guard completed.allSatisfy(rules.has), worldScores.count == rules.count, totalScore >= 0,
      worldScores.allSatisfy({ $0 >= 0 })
    else { return nil }
    self.completed = Set(completed)
    self.switches = switches
    self.worldScores = worldScores
    self.totalScore = totalScore
  }

  /// World 1 is open, each other one after all levels of the one before it.
  public func isOpen(world: Int, rules: WorldRules) -> Bool {
    guard world >= 1, world <= rules.count else { return false }
    return world == 1
      || (0..<rules.levelsPerWorld).allSatisfy { completed.contains(LevelName(world: world - 1, number: $0 + 1)) }
  }

  /// The first level of an open world is open, each other one after the one before it.
  public func isOpen(_ level: LevelName, rules: WorldRules) -> Bool {
    guard rules.has(level), isOpen(world: level.world, rules: rules) else { return false }
    return level.number == 1 || completed.contains(LevelName(world: level.world, number: level.number - 1))
  }

  mutating func complete(_ level: LevelName) { completed.insert(level) }

  /// Adds to a world's score and to the total; both stay where they cannot grow.
  mutating func add(score: Int, world: Int) {
    worldScores[world - 1] = Self.sum(worldScores[world - 1], score)
    totalScore = Self.sum(totalScore, score)
  }

  private static func sum(_ score: Int, _ more: Int) -> Int {
    let (sum, isOver) = score.addingReportingOverflow(max(more, 0))
    return isOver ? .max : sum
  }
}

/// What the player hears and feels at all; each is on until switched off.
public struct Switches: Equatable, Sendable {
  public var isMusicOn: Bool
  public var areEffectsOn: Bool
  public var areHapticsOn: Bool

  /// All on, unless said otherwise.
  public init(isMusicOn: Bool = true, areEffectsOn: Bool = true, areHapticsOn: Bool = true) {
    self.isMusicOn = isMusicOn
    self.areEffectsOn = areEffectsOn
    self.areHapticsOn = areHapticsOn
  }

  /// One of the three.
  public enum Name: Equatable, Sendable, CaseIterable {
    case music, effects, haptics
  }

  /// Whether one of them is on.
  public subscript(_ name: Name) -> Bool {
    get {
      switch name {
      case .music: isMusicOn
      case .effects: areEffectsOn
      case .haptics: areHapticsOn
      }
    }
    set {
      switch name {
      case .music: isMusicOn = newValue
      case .effects: areEffectsOn = newValue
      case .haptics: areHapticsOn = newValue
      }
    }
  }
}
