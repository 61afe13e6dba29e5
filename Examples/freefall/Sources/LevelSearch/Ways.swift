// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// Where the ball is from its launch on, by these flips, until it dies or is there.
public func way(_ level: Level, flipsUs: [Int64], rules: BallRules) -> [Point] {
  var attempt = Attempt(level: level, rules: rules, launchedUs: 0)
  for flipUs in flipsUs { _ = attempt.flip(atUs: flipUs) }
  _ = attempt.advance(toUs: 20_000_000)
  return attempt.trail.points
}

/// How far two ways lie from each other, in points: the mean of 24 places, each as far along its own way.
public func pointsApart(_ one: [Point], _ other: [Point]) -> Double {
  guard let first = one.first, let second = other.first else { return .infinity }
  let places = 24
  let sum = (0..<places).reduce(0.0) { sum, place in
    func along(_ way: [Point], _ start: Point) -> Point {
      way.count > 1 ? way[(place * (way.count - 1) * 2 + places - 1) / (2 * (places - 1))] : start
    }
    let (here, there) = (along(one, first), along(other, second))
    let (dx, dy) = (here.x - there.x, here.y - there.y)
    return sum + (dx * dx + dy * dy).squareRoot()
  }
  return sum / Double(places)
}
