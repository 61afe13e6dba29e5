// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import LevelSearch
import SeededNumbers

/// No flight of a level takes longer.
let limitUs: Int64 = 15_000_000

func finishes(_ level: Level, _ flipsUs: [Int64], rules: BallRules) -> Bool {
  Flight(level, rules: rules, flipsUs: flipsUs, limitUs: limitUs).end == .reachedGoal
}

/// Which part of plays that tap at random finishes a level. Each play has a pace of its own, from restless to slow.
func randomShare(_ level: Level, rules: BallRules, plays: Int, random: inout Seeded) -> Double {
  var finished = 0
  for _ in 0..<plays {
    let pace = random.real(0.25...1.5)
    var flips: [Int64] = []
    var atUs: Int64 = 0
    while flips.count < 60 {
      atUs += Int64(random.real(0...2) * pace * 1_000_000)
      flips.append(atUs)
    }
    if finishes(level, flips, rules: rules) { finished += 1 }
  }
  return Double(finished) / Double(plays)
}

/// Which part of plays finishes a level where each flip of a solution errs for itself, as much as `marginUs` either way.
func erringShare(
  _ level: Level, flipsUs: [Int64], marginUs: Int64, rules: BallRules, plays: Int, random: inout Seeded
) -> Double {
  var finished = 0
  for _ in 0..<plays {
    let erring = flipsUs.map { $0 + Int64.random(in: -marginUs...marginUs, using: &random) }
    if finishes(level, erring, rules: rules) { finished += 1 }
  }
  return Double(finished) / Double(plays)
}

/// By how much the flips of a level's kept solution may err, in whole milliseconds: up to there every combination of early and
/// late finishes.
func forgivenUs(_ level: Level, _ kept: KeptSolutions, rules: BallRules) -> Int64 {
  let errors = stride(from: Int64(1_000), through: 200_000, by: 1_000)
  let failing = errors.first { errorUs in
    !kept.solutions[0].flipsUs.erring(byUs: errorUs).allSatisfy { finishes(level, $0.sorted(), rules: rules) }
  }
  return (failing ?? 201_000) - 1_000
}
