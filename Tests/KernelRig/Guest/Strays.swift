// SPDX-License-Identifier: Apache-2.0

extension Sound {
  /// How many of its frames sound before the end of the last stretch and lie in none of them.
  func strays(beside heard: [Stretch]) -> Int {
    var strays = 0
    var next = 0
    for stretch in heard {
      strays += frames[next..<max(next, stretch.captured)].count { $0 != 0 }
      next = stretch.captured + stretch.recorded.count
    }
    return strays
  }
}
