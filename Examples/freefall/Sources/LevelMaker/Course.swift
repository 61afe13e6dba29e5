// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import SeededNumbers

/// A launch, a goal and the flips between, before any obstacle stands.
struct Course {
  var file: LevelFile
  let flipsUs: [Int64]
  /// Where the ball is at each step, for each variation of the flips.
  let paths: [[Point]]

  /// A course by chance; nil where it leaves the screen's middle or misses its goal in some variation.
  init?(_ ask: Ask, rules: BallRules, random: inout Seeded) {
    let edge = random.real(0.07...0.16)
    let speed = random.real(ask.flips > 3 ? 62...105 : 85...150)
    var flips: [Int64] = []
    var atUs = Int64(random.real(0.25...0.9) * 1000) * 1000
    for _ in 0..<ask.flips {
      flips.append(atUs)
      atUs += Int64(random.real(0.38...1.25) * 1000) * 1000
    }
    let endUs = flips[ask.flips - 1] + Int64(random.real(0.35...1.3) * 1_000_000)
    file = LevelFile(
      worldId: ask.name.world, levelId: ask.name.number,
      launchPosition: .init(x: rounded(ask.goesRight ? edge : 1 - edge), y: rounded(random.real(0.1...0.9))),
      launchVelocity: .init(
        dx: (ask.goesRight ? speed : -speed).rounded(), dy: (random.real(-26...26).rounded() * 10)),
      goalPosition: .init(x: 0, y: 0), goalRadius: 0, initialGravityDown: random.oneIn(2),
      parFlips: ask.flips, parTime: 99, obstacles: [], collectibles: [])
    flipsUs = flips
    let slack = 1.5
    let level = Course.bare(file, rules: rules)
    let straight = Course.path(level, flips, rules: rules, toUs: endUs)
    guard let goal = straight.last, straight.allSatisfy({ Course.isInside($0, rules: rules) }) else { return nil }
    file.goalPosition = .init(x: rounded(goal.x / rules.screenWidth), y: rounded(goal.y / rules.screenHeight))
    let middle = Point(
      x: file.goalPosition.x * rules.screenWidth, y: file.goalPosition.y * rules.screenHeight)
    // The goal is as large as what must be forgiven asks for.
    var paths: [[Point]] = []
    var missed = ask.goalRadii.lowerBound - slack
    for variation in ask.variations(flips) {
      let path = Course.path(level, variation, rules: rules, toUs: endUs + 400_000)
      missed = max(missed, (path.map { distance($0, middle) }.min() ?? .infinity) - rules.radius)
      guard missed + slack <= ask.goalRadii.upperBound else { return nil }
      paths.append(path)
    }
    file.goalRadius = (missed + slack).rounded(.up)
    let reach = file.goalRadius + rules.radius - slack
    for index in paths.indices {
      guard let arrival = paths[index].firstIndex(where: { distance($0, middle) <= reach }) else { return nil }
      paths[index].removeSubrange((arrival + 1)...)
      guard paths[index].allSatisfy({ Course.isInside($0, rules: rules) }) else { return nil }
    }
    self.paths = paths
  }

  /// How much there is to see in it: a long way up and down, turns, and variations that stay close together.
  func interest(_ rules: BallRules) -> Double {
    let middle = paths[0]
    let heights = middle.map(\.y)
    guard let least = heights.min(), let greatest = heights.max() else { return 0 }
    var turns = 0.0
    for index in heights.indices.dropFirst(2)
    where (heights[index] - heights[index - 1]) * (heights[index - 1] - heights[index - 2]) < 0 { turns += 1 }
    var spread = 0.0
    for path in paths { for (one, other) in zip(path, middle) { spread = max(spread, abs(one.y - other.y)) } }
    let across = abs((middle.last ?? middle[0]).x - middle[0].x) / rules.screenWidth
    return (greatest - least) / rules.screenHeight + turns * 0.25 - spread / 300 + across * 0.8
  }

  /// The level without an obstacle.
  private static func bare(_ file: LevelFile, rules: BallRules) -> Level {
    Level(
      name: LevelName(world: file.worldId, number: file.levelId),
      launchPosition: Point(
        x: file.launchPosition.x * rules.screenWidth, y: file.launchPosition.y * rules.screenHeight),
      launchVelocity: Point(x: file.launchVelocity.dx, y: file.launchVelocity.dy),
      goalPosition: Point(x: -1000, y: -1000), goalRadius: 1, initialGravityDown: file.initialGravityDown,
      parFlips: file.parFlips, parTimeUs: 1, obstacles: [], collectibles: [])
  }

  private static func path(_ level: Level, _ flips: [Int64], rules: BallRules, toUs endUs: Int64) -> [Point] {
    var ball = Ball(launchedOn: level)
    var points = [ball.position]
    var atUs: Int64 = 0
    var next = 0
    func move(toUs us: Int64) {
      ball = ball.moved(Double(us - atUs) / 1_000_000, gravity: rules.gravity)
      atUs = us
    }
    for step in 1...Int(endUs * Int64(rules.stepsPerSecond) / 1_000_000) {
      let us = Int64(step) * 1_000_000 / Int64(rules.stepsPerSecond)
      while next < flips.count, flips[next] <= us {
        move(toUs: flips[next])
        ball.isGravityDown.toggle()
        next += 1
      }
      move(toUs: us)
      points.append(ball.position)
    }
    return points
  }

  private static func isInside(_ point: Point, rules: BallRules) -> Bool {
    point.x > 22 && point.x < rules.screenWidth - 22 && point.y > 44 && point.y < rules.screenHeight - 44
  }
}

/// To the fourth place: less than a tenth of a point on the screen.
func rounded(_ part: Double) -> Double { (part * 10_000).rounded() / 10_000 }

func distance(_ one: Point, _ other: Point) -> Double {
  ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y)).squareRoot()
}
