// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// What is asked of a level: how many flips it takes, and by how much each may err.
struct Ask {
  let name: LevelName
  let flips: Int
  let marginUs: Int64
  let goalRadius: Double
  let collectibles: Int
  /// The most of random plays that may finish it.
  let randomShare: Double

  init(_ name: LevelName) {
    self.name = name
    let flips = [
      [1, 1, 1, 1, 2, 2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 3, 3, 3, 3, 3], [3, 3, 3, 3, 3, 4, 4, 4, 4, 4],
      [4, 4, 4, 4, 4, 5, 5, 5, 5, 5],
    ]
    self.flips = flips[name.world - 1][name.number - 1]
    marginUs = [60_000, 48_000, 36_000, 25_000][name.world - 1]
    goalRadius = [44, 38, 34, 30][name.world - 1]
    collectibles = min(3 + (name.world - 1) / 2 + name.number / 8, 5)
    randomShare = [1, 1, 0.03, 0.03][name.world - 1]
  }

  /// The kept solution's flips with every error that it must forgive: none, each flip alone, all together.
  func variations(_ flipsUs: [Int64]) -> [[Int64]] {
    var all = [flipsUs]
    for error in [-marginUs, marginUs] {
      for index in flipsUs.indices {
        var flips = flipsUs
        flips[index] += error
        all.append(flips)
      }
      all.append(flipsUs.map { $0 + error })
    }
    return all
  }
}
