// SPDX-License-Identifier: Apache-2.0

/// What a finished level brings.
public struct LevelPoints: Equatable, Sendable {
  public let collectibles: Int
  public let level: Int
  /// For being quicker than par; rounded down.
  public let speed: Int

  /// The points of a flight of `timeUs` from its launch that took `collected` collectibles.
  public init(collected: Int, timeUs: Int64, parTimeUs: Int64, rules: ScoreRules) {
    collectibles = Self.running(collected: collected, rules: rules)
    level = rules.level
    let sparedUs = min(max(parTimeUs - timeUs, 0), parTimeUs)
    speed = parTimeUs > 0 ? Int(sparedUs * Int64(rules.speed) / parTimeUs) : 0
  }

  /// All of it.
  public var total: Int { collectibles + level + speed }

  /// The running score of an attempt, which begins at 0.
  public static func running(collected: Int, rules: ScoreRules) -> Int { collected * rules.collectible }
}
