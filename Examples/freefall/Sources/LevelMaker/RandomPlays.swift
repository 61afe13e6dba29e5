// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import SeededNumbers

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
    if Flight(level, rules: rules, flipsUs: flips, limitUs: 15_000_000).end == .reachedGoal { finished += 1 }
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
    if Flight(level, rules: rules, flipsUs: erring, limitUs: 15_000_000).end == .reachedGoal { finished += 1 }
  }
  return Double(finished) / Double(plays)
}
