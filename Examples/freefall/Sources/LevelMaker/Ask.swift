// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import LevelSearch

/// What is asked of a level: how many flips it takes, and by how much each may err.
struct Ask {
  let name: LevelName
  let flips: Int
  /// To which side the ball flies, by turns from level to level.
  var goesRight: Bool
  let marginUs: Int64
  /// More than any level of the world may forgive.
  let tooMuchUs: Int64
  let goalRadii: ClosedRange<Double>
  let collectibles: Int
  /// The most of random plays that may finish it.
  let randomShare: Double
  /// How far the ways of two levels of a world lie from each other at least.
  let pointsApart = 72.0

  init(_ name: LevelName) {
    self.name = name
    let flips = [
      [1, 1, 1, 1, 2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 3, 3, 3, 3, 3], [3, 3, 3, 3, 3, 3, 3, 3, 3, 3],
      [3, 3, 3, 3, 3, 4, 4, 4, 4, 4],
    ]
    self.flips = flips[name.world - 1][name.number - 1]
    goesRight = name.number.isMultiple(of: 2) == (name.world % 2 == 0)
    marginUs = [60_000, 48_000, 36_000, 25_000][name.world - 1]
    tooMuchUs = [72_000, 60_000, 48_000, 36_000][name.world - 1]
    goalRadii = 20...[46, 44, 42, 40][name.world - 1]
    collectibles = min(3 + (name.world - 1) / 2 + name.number / 8, 5)
    randomShare = [1, 1, 0.03, 0.03][name.world - 1]
  }

  /// The kept solution's flips with every error that it must forgive: each flip in time, early or late, in all combinations.
  /// First none, then those that add up the most, each flip erring the other way than the one before.
  func variations(_ flipsUs: [Int64]) -> [[Int64]] { flipsUs.erring(byUs: marginUs) }
}
