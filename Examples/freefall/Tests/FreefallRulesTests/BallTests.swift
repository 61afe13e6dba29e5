// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import RulesUnderTest
import SeededNumbers
import Testing

/// How the ball falls, and what it meets. Numbers are worked out by hand: 700 points per second, each second.
@Suite struct BallTests {
  let rules = Rules.underTest.ball

  @Test func fallsBySevenHundredPointsPerSecondEachSecond() {
    var attempt = Attempt(level: level(velocity: Point(x: 60, y: -30)), rules: rules, launchedUs: 5_000_000)
    #expect(attempt.advance(toUs: 5_500_000) == [])
    #expect(near(attempt.ball.position, 130, 472.5))
    #expect(near(attempt.ball.velocity, 60, 320))
  }

  @Test func fallsUpWhereTheLevelSaysSo() {
    var attempt = Attempt(level: level(gravityDown: false), rules: rules, launchedUs: 0)
    _ = attempt.advance(toUs: 1_000_000)
    #expect(near(attempt.ball.position, 100, 50))
  }

  @Test func aFlipTurnsGravityAtItsOwnMicrosecond() {
    var attempt = Attempt(level: level(), rules: rules, launchedUs: 0)
    // 0.3 s down, 87.5 µs off the grid of steps; then 0.6 s up.
    #expect(attempt.flip(atUs: 301_000).isFlipped == true)
    _ = attempt.advance(toUs: 900_000)
    let (down, up) = (0.301, 0.599)
    #expect(near(attempt.ball.velocity, 0, 700 * down - 700 * up))
    #expect(near(attempt.ball.position, 100, 400 + 350 * down * down + 700 * down * up - 350 * up * up))
    #expect(attempt.flips == 1)
  }

  @Test func howOftenItIsAdvancedChangesNothing() {
    let level = level(velocity: Point(x: 70, y: 0), obstacles: [.circle(centre: Point(x: 220, y: 500), radius: 30)])
    var seldom = Attempt(level: level, rules: rules, launchedUs: 0)
    var often = seldom
    _ = seldom.flip(atUs: 333_333)
    let seldomEvents = seldom.advance(toUs: 4_000_000)
    var oftenEvents: [Attempt.Event] = []
    for us in stride(from: Int64(0), through: 4_000_000, by: 1_777) {
      if us > 333_333, often.flips == 0 { oftenEvents += often.flip(atUs: 333_333).events }
      oftenEvents += often.advance(toUs: us)
    }
    #expect(seldomEvents == oftenEvents)
    #expect(seldom.ball == often.ball)
  }

  @Test func stepsAreOneHundredAndTwentiethsFromTheLaunch() {
    var attempt = Attempt(level: level(velocity: Point(x: 120, y: 0)), rules: rules, launchedUs: 1_000)
    _ = attempt.advance(toUs: 1_000 + 8_332)
    #expect(attempt.ball.position.x == 100)
    _ = attempt.advance(toUs: 1_000 + 8_333)
    #expect(near(attempt.ball.position.x, 101))
    // Drawn between steps, where it is by then.
    #expect(near(attempt.ball(atUs: 1_000 + 12_500).position.x, 101.5))
  }

  @Test func theTouchOfACircleIsDeath() {
    // The rims meet where the centres are 10 + 30 points apart.
    for (y, isTouched) in [(539.9, true), (540, true), (540.1, false)] {
      let shape = Shape.circle(centre: Point(x: 100, y: y), radius: 30)
      #expect(shape.touches(ball: Point(x: 100, y: 500), radius: 10, lineReach: 2) == isTouched)
    }
    var attempt = Attempt(
      level: level(obstacles: [.circle(centre: Point(x: 100, y: 500), radius: 30)]), rules: rules, launchedUs: 0)
    // 60 points down: after 0.41404 s; the step that ends there is the 50th, at 0.416666 s.
    #expect(attempt.advance(toUs: 9_000_000) == [.ended(.died, atUs: 416_666)])
    #expect(attempt.flip(atUs: 9_000_000).isFlipped == false)
  }

  @Test func theTouchOfALineOrAPolygonIsDeath() {
    let line = Shape.line(from: Point(x: 50, y: 500), to: Point(x: 150, y: 500))
    #expect(line.touches(ball: Point(x: 60, y: 488.1), radius: 10, lineReach: 2))
    #expect(!line.touches(ball: Point(x: 60, y: 487.9), radius: 10, lineReach: 2))
    // Beside its end.
    #expect(line.touches(ball: Point(x: 161.9, y: 500), radius: 10, lineReach: 2))
    #expect(!line.touches(ball: Point(x: 162.1, y: 500), radius: 10, lineReach: 2))
    let dent = Shape.polygon([
      Point(x: 0, y: 0), Point(x: 100, y: 0), Point(x: 100, y: 100), Point(x: 50, y: 40), Point(x: 0, y: 100),
    ])
    #expect(dent.touches(ball: Point(x: 50, y: 20), radius: 1, lineReach: 2))
    #expect(!dent.touches(ball: Point(x: 50, y: 80), radius: 10, lineReach: 2))
    #expect(dent.touches(ball: Point(x: 109.9, y: 50), radius: 10, lineReach: 2))
    #expect(!dent.touches(ball: Point(x: 110.1, y: 50), radius: 10, lineReach: 2))
  }

  @Test func thinLinesStopTheBallInARun() {
    var attempt = Attempt(
      level: level(obstacles: [.line(from: Point(x: 0, y: 700), to: Point(x: 390, y: 700))]), rules: rules,
      launchedUs: 0)
    // 288 points: after 0.90712 s, in the 109th step.
    #expect(attempt.advance(toUs: 9_000_000) == [.ended(.died, atUs: 908_333)])
  }

  @Test(arguments: [
    (Point(x: 400.1, y: 400), true), (Point(x: 399.9, y: 400), false), (Point(x: -10.1, y: 400), true),
    (Point(x: -9.9, y: 400), false), (Point(x: 100, y: 854.1), true), (Point(x: 100, y: 853.9), false),
    (Point(x: 100, y: -10.1), true), (Point(x: 100, y: -9.9), false),
  ])
  func theBallHasLeftWhereNothingOfItIsOnTheScreen(place: Point, hasLeft: Bool) {
    #expect(Ball(launchedOn: level(launch: place)).hasLeft(rules) == hasLeft)
  }

  @Test func aBallHalfOutIsStillThere() {
    var attempt = Attempt(
      level: level(launch: Point(x: 380, y: 400), velocity: Point(x: 60, y: 0)), rules: rules, launchedUs: 0)
    #expect(attempt.advance(toUs: 325_000) == [])
    #expect(attempt.advance(toUs: 350_000) == [.ended(.died, atUs: 341_666)])
  }

  @Test func collectiblesAreTakenOnceWithinTenPointsOfTheBallsRim() {
    // After 60 steps the ball is at 487.5, exactly beside them.
    for (x, isTaken) in [(119.95, true), (120.05, false)] {
      var attempt = Attempt(
        level: level(collectibles: [Point(x: x, y: 487.5)]), rules: rules, launchedUs: 0)
      #expect(attempt.advance(toUs: 1_000_000) == (isTaken ? [.collected(index: 0, atUs: 500_000)] : []))
      #expect(attempt.isCollected == [isTaken])
    }
  }

  @Test func aLineIsFourPointsWide() {
    let line = Obstacle(shape: .line(from: Point(x: 50, y: 500), to: Point(x: 150, y: 500)), style: .abstract)
    #expect(line.touches(ball: Point(x: 60, y: 488.01), rules: rules))
    #expect(!line.touches(ball: Point(x: 60, y: 487.99), rules: rules))
  }

  @Test func aLongFlightKeepsTheLastThousandAndTwentyFourPlaces() {
    var attempt = Attempt(level: level(launch: Point(x: 100, y: 422)), rules: rules, launchedUs: 0)
    // A flip at a quarter of a second, then each half: up and down about one place.
    for flip in 0..<90 { _ = attempt.flip(atUs: 250_000 + Int64(flip) * 500_000) }
    #expect(attempt.end == nil)
    #expect(attempt.trail.points.count == 1024)
  }

  @Test func theGoalIsReachedWhereTheRimsMeet() {
    // 400 to 600 less 20 and 10: 170 points, after 0.69693 s, in the 84th step.
    var attempt = Attempt(level: level(goal: Point(x: 100, y: 600)), rules: rules, launchedUs: 0)
    #expect(attempt.advance(toUs: 9_000_000) == [.ended(.reachedGoal, atUs: 700_000)])
  }

  @Test func contactAndGoalInOneStepIsDeath() {
    var attempt = Attempt(
      level: level(goal: Point(x: 100, y: 600), obstacles: [.circle(centre: Point(x: 100, y: 600), radius: 20)]),
      rules: rules, launchedUs: 0)
    #expect(attempt.advance(toUs: 9_000_000) == [.ended(.died, atUs: 700_000)])
  }

  @Test func theTrailKeepsAPlaceEveryFourthStepAndForgetsTheOldest() {
    var attempt = Attempt(level: level(velocity: Point(x: 1, y: 0)), rules: rules, launchedUs: 0)
    _ = attempt.advance(toUs: 1_000_000)
    #expect(attempt.trail.points.count == 31)
    var trail = Trail()
    for x in 0..<1030 { trail.add(Point(x: Double(x), y: 0), limit: 1024) }
    #expect(trail.points.count == 1024)
    #expect(trail.points[0].x == 6)
  }

  /// Nothing turns the ball across: whatever is flipped, its way goes on to one side, or straight up and down. So no level brings
  /// a tangle about, and DOPE for one waits for a world that does.
  @Test(arguments: [0.0, 1, -60, 150, -400])
  func noFlightCrossesItself(speedAcross: Double) {
    var chance = Seeded(seed: UInt64(abs(speedAcross)))
    for _ in 0..<40 {
      var attempt = Attempt(
        level: level(launch: Point(x: 195, y: 422), velocity: Point(x: speedAcross, y: 0)), rules: rules, launchedUs: 0)
      var us: Int64 = 0
      while attempt.end == nil, us < 20_000_000 {
        us += Int64.random(in: 1...600_000, using: &chance)
        _ = attempt.flip(atUs: us)
      }
      #expect(attempt.trail.crossings == 0)
    }
  }

  @Test func aTrailThatCrossesItselfIsCounted() {
    var trail = Trail()
    for (x, y) in [(0.0, 0.0), (10, 0), (10, 10), (5, -5), (2, 5), (20, 5)] {
      trail.add(Point(x: x, y: y), limit: 100)
    }
    // (10,10)-(5,-5) through (0,0)-(10,0); (5,-5)-(2,5) through it too; (2,5)-(20,5) through (10,0)-(10,10) and (10,10)-(5,-5).
    #expect(trail.crossings == 4)
  }
}

func near(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 0.02 }
func near(_ point: Point, _ x: Double, _ y: Double) -> Bool { near(point.x, x) && near(point.y, y) }
