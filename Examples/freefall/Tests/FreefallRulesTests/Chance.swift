// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// Always the same place of the whole range: `part` of `whole`, as a die of `whole` sides would show it.
struct Fixed: RandomNumberGenerator {
  let part: UInt64
  let whole: UInt64

  mutating func next() -> UInt64 { .max / whole * part + .max / whole / 2 }
}

/// A level with nothing in it: from (100, 400) downwards at no speed, unless said otherwise; its goal is out of reach.
func level(
  _ name: LevelName = LevelName(world: 1, number: 1), launch: Point = Point(x: 100, y: 400),
  velocity: Point = Point(x: 0, y: 0), goal: Point = Point(x: 380, y: 10), goalRadius: Double = 20,
  gravityDown: Bool = true, parFlips: Int = 1, parTimeUs: Int64 = 2_000_000, obstacles: [Shape] = [],
  collectibles: [Point] = []
) -> Level {
  Level(
    name: name, launchPosition: launch, launchVelocity: velocity, goalPosition: goal, goalRadius: goalRadius,
    initialGravityDown: gravityDown, parFlips: parFlips, parTimeUs: parTimeUs,
    obstacles: obstacles.map { Obstacle(shape: $0, style: .textured) }, collectibles: collectibles)
}
