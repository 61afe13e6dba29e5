// SPDX-License-Identifier: Apache-2.0

/// What a player sees who looks at a run.
public struct Sight: Equatable, Sendable {
  /// Whether it is over.
  public var isOver: Bool
  /// The moment that is heard, or would be next where it stands.
  public var moment: Int64
  /// Beats that are in sight and not judged.
  public var inSight: [Int]
  /// What became of the others, in order.
  public var verdicts: [String]
  /// What was counted.
  public var tally: SeenTally
  /// The instant from which on there is help; nil before.
  public var assisted: Int64?

  public init(isOver: Bool, moment: Int64, inSight: [Int], verdicts: [String], tally: SeenTally, assisted: Int64?) {
    (self.isOver, self.moment, self.inSight) = (isOver, moment, inSight)
    (self.verdicts, self.tally, self.assisted) = (verdicts, tally, assisted)
  }
}

/// What a run came to so far.
public struct SeenTally: Equatable, Sendable {
  public var hits: Int
  public var misses: Int
  public var ghosts: Int
  public var longestCombo: Int

  public init(hits: Int, misses: Int, ghosts: Int, longestCombo: Int) {
    (self.hits, self.misses, self.ghosts, self.longestCombo) = (hits, misses, ghosts, longestCombo)
  }
}
