// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import RulesUnderTest
import SeededNumbers
import Testing

/// The fall between levels, its score, its walls and its end.
@Suite struct IntermissionTests {
  var chance = Seeded(seed: 3)

  func intermission(hasWalls: Bool, beganUs: Int64 = 0) -> Intermission {
    var rules = Rules.underTest
    if !hasWalls { rules.intermission.wallGap = 1_000_000_000 }
    return Intermission(after: LevelName(world: 1, number: 5), rules: rules, beganUs: beganUs)
  }

  @Test mutating func playBeginsOneAndThreeTenthsOfASecondIn() {
    var fall = intermission(hasWalls: false, beganUs: 1_000_000)
    _ = fall.advance(toUs: 2_300_000 + 16_665, using: &chance)
    #expect(fall.points == 0)
    _ = fall.advance(toUs: 2_300_000 + 16_666, using: &chance)
    #expect(fall.points == 40)
  }

  @Test func itGoesBlackWithinThreeTenthsAndIsSeenAtPlay() {
    let fall = intermission(hasWalls: false)
    #expect(fall.cover(atUs: 0) == .init(black: 0, white: 0))
    #expect(fall.cover(atUs: 150_000) == .init(black: 0.5, white: 0))
    #expect(fall.cover(atUs: 300_000) == .init(black: 1, white: 0))
    #expect(fall.cover(atUs: 1_299_999) == .init(black: 1, white: 0))
    #expect(fall.cover(atUs: 1_300_000) == .init(black: 0, white: 0))
  }

  @Test(arguments: [(0 as Int64, 400.0), (2_999_999, 400), (3_000_000, 432), (6_000_000, 466.56), (30_000_000, 863.57)])
  func speedRisesByEightPercentEveryThreeSeconds(us: Int64, speed: Double) {
    #expect(abs(intermission(hasWalls: false).speed(atPlayUs: us) - speed) < 0.005)
  }

  @Test(arguments: [
    // A tenth of the speed, sixty times a second: 400, 432, 466.56, 503.885, 544.196 for 3 s each make 42239.5.
    (1_000_000 as Int64, 2_400), (3_000_000, 7_200), (6_000_000, 14_976), (15_000_000, 42_239),
    // From there half as much again: 60 steps of 58.773 x 1.5.
    (16_000_000, 47_529), (30_000_000, 135_335),
    // From 30 s on twice: 60 steps of 86.357 x 2.
    (31_000_000, 145_697),
  ])
  mutating func aStepBringsATenthOfItsSpeedMoreFromFifteenAndThirtySeconds(us: Int64, points: Int) {
    var fall = intermission(hasWalls: false)
    _ = fall.advance(toUs: 1_300_000 + us, using: &chance)
    #expect(abs(fall.points - points) <= 1, "\(fall.points)")
  }

  @Test mutating func aTapDodgesToItsHalfAndTheBallSpringsBack() {
    for (x, sign) in [(194.0, -1.0), (196, 1)] {
      var fall = intermission(hasWalls: false)
      fall.tap(x: x, atUs: 1_299_999)
      _ = fall.advance(toUs: 1_400_000, using: &chance)
      #expect(fall.offset == 0)
      fall.tap(x: x, atUs: 1_400_000)
      _ = fall.advance(toUs: 1_650_000, using: &chance)
      #expect(fall.offset * sign > 100 && fall.offset * sign < 140, "\(fall.offset)")
      _ = fall.advance(toUs: 3_500_000, using: &chance)
      #expect(abs(fall.offset) < 3)
    }
  }

  /// After so many steps of 1/60 s, worked out by hand: 1300 points per second, -16 for each point, -8 for each of speed.
  @Test(arguments: [(1, 18.778), (2, 34.968), (15, 104.790), (30, 74.474), (40, 50.504)])
  mutating func theBallSpringsBackByTheseNumbers(steps: Int, offset: Double) {
    var fall = intermission(hasWalls: false)
    fall.tap(x: 300, atUs: 1_300_000)
    _ = fall.advance(toUs: 1_300_000 + Int64(steps) * 1_000_000 / 60, using: &chance)
    #expect(abs(fall.offset - offset) < 0.002)
  }

  /// Walls between 300 and 500 points apart, the first 400 points into the fall; what they reach they touch.
  @Test(arguments: [(UInt64(0), 300.0), (UInt64(999_999), 500.0)])
  func wallsComeAboutOneInFourHundredPoints(part: UInt64, gap: Double) throws {
    var rules = Rules.underTest
    // Nobody dies of walls that reach nowhere.
    rules.intermission.wallReach = -1000
    var fall = Intermission(after: LevelName(world: 1, number: 5), rules: rules, beganUs: 0)
    var extreme = Fixed(part: part, whole: 1_000_000)
    _ = fall.advance(toUs: 1_300_000 + 2_500_000, using: &extreme)
    try #require(fall.walls.count >= 2)
    #expect(abs(fall.walls[1].y - fall.walls[0].y - gap) < 0.01)
    // 400 points until it came in at 844, and 600 since.
    #expect(abs(fall.walls[0].y - 244) < 0.01)
  }

  @Test mutating func wallsComeFromBothSidesButNeverTwoAtOnce() {
    var rules = Rules.underTest
    rules.intermission.wallReach = -1000
    var fall = Intermission(after: LevelName(world: 1, number: 5), rules: rules, beganUs: 0)
    var left = 0
    var seen = 0
    for step in 1...3000 {
      let (before, last) = (fall.walls.count, fall.walls.last?.y)
      _ = fall.advance(toUs: 1_300_000 + Int64(step) * 1_000_000 / 60, using: &chance)
      for (one, other) in zip(fall.walls.dropFirst(), fall.walls) { #expect(one.y - other.y > 299) }
      guard let newest = fall.walls.last, fall.walls.count > before || newest.y > last ?? 0 else { continue }
      seen += 1
      left += newest.isLeft ? 1 : 0
    }
    #expect(seen > 60)
    #expect(left > seen / 4 && left < seen * 3 / 4)
  }

  /// 844 and the gap less 253.2 and the ball's 10 points away, at 400 / 60 points a step: 147.1 steps, and 147.9.
  @Test(arguments: [(400.0, 148), (405.2, 148)])
  mutating func aWallTouchesInTheStepThatReachesTheBall(gap: Double, steps: Int64) {
    var rules = Rules.underTest
    rules.intermission.wallGap = gap
    var fall = Intermission(after: LevelName(world: 1, number: 5), rules: rules, beganUs: 0)
    _ = fall.advance(toUs: 60_000_000, using: &chance)
    #expect(fall.death?.atUs == 1_300_000 + steps * 1_000_000 / 60)
  }

  /// A wall from the left reaches 20 points past the centre, and the ball 10: 30 points to the right are clear of it.
  @Test(arguments: [(29.9, true), (30.1, false)])
  func aWallReachesTwentyPointsPastTheCentre(offset: Double, isTouched: Bool) {
    let fall = intermission(hasWalls: true)
    #expect(fall.isTouched(by: .init(isLeft: true, y: 250), atOffset: offset) == isTouched)
    #expect(fall.isTouched(by: .init(isLeft: false, y: 250), atOffset: -offset) == isTouched)
    // Its lower edge is 24 points below the upper one: 253.2 less 10 and 24 is 219.2.
    #expect(fall.isTouched(by: .init(isLeft: true, y: 219.3), atOffset: 0))
    #expect(!fall.isTouched(by: .init(isLeft: true, y: 219.1), atOffset: 0))
  }

  @Test mutating func whoDoesNothingDiesOfTheFirstWall() {
    var fall = intermission(hasWalls: true)
    let events = fall.advance(toUs: 60_000_000, using: &chance)
    guard case .died(let death)? = events.first else {
      Issue.record("\(events)")
      return
    }
    // 844 - 253.2 - 10 + 400 points away at 400 a second: 2.452 s of play.
    #expect(abs(death.atUs - (1_300_000 + 2_452_000)) < 17_000)
    #expect(death.seconds == 2)
    #expect(abs(death.points - 5_880) <= 40)
  }

  @Test mutating func afterDeathWhiteGoesBlackAndTheWordsStandForASecondAndAHalf() {
    var fall = intermission(hasWalls: true)
    let events = fall.advance(toUs: 60_000_000, using: &chance)
    guard case .died(let death)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(events.last == .ended(atUs: death.atUs + 1_800_000))
    #expect(fall.isOver)
    #expect(fall.advance(toUs: 90_000_000, using: &chance) == [])
    #expect(fall.cover(atUs: death.atUs) == .init(black: 0, white: 1))
    #expect(fall.cover(atUs: death.atUs + 150_000) == .init(black: 0.5, white: 0.5))
    #expect(fall.cover(atUs: death.atUs + 300_000) == .init(black: 1, white: 0))
    #expect(!fall.showsWords(atUs: death.atUs + 299_999))
    #expect(fall.showsWords(atUs: death.atUs + 300_000))
    #expect(fall.showsWords(atUs: death.atUs + 1_799_999))
    #expect(!fall.showsWords(atUs: death.atUs + 1_800_000))
  }

  @Test mutating func whoLooksCanDodgeForHalfAMinute() {
    var fall = intermission(hasWalls: true)
    var us: Int64 = 1_300_000
    while fall.death == nil, us < 60_000_000 {
      us += 16_667
      _ = fall.advance(toUs: us, using: &chance)
      // The next wall that is not yet past the ball, where it is about to come.
      let next = fall.walls.first { $0.y + 24 > 253.2 - 10 }
      if let next, next.y - 253.2 < fall.speed(atPlayUs: us - 1_300_000) * 0.16 {
        let isSafe = next.isLeft ? fall.offset > 60 : fall.offset < -60
        if !isSafe { fall.tap(x: next.isLeft ? 300 : 90, atUs: us) }
      }
    }
    #expect(us > 31_300_000, "\(us)")
  }
}
