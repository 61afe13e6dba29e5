// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import SeededNumbers
import Testing

/// The fall between levels, its score, its walls and its end.
@Suite struct IntermissionTests {
  var chance = Seeded(seed: 3)

  func intermission(hasWalls: Bool, beganUs: Int64 = 0) -> Intermission {
    var rules = Rules.designed
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

  @Test mutating func wallsComeAboutOneInFourHundredPointsAndNeverBothSidesAtOnce() {
    var rules = Rules.designed
    // Nobody dies of walls that reach nowhere.
    rules.intermission.wallReach = -1000
    var fall = Intermission(after: LevelName(world: 1, number: 5), rules: rules, beganUs: 0)
    var places: [Double] = []
    var fallen = 0.0
    var sides: [Bool] = []
    var count = 0
    for step in 1...3000 {
      let before = fall.walls.count
      _ = fall.advance(toUs: 1_300_000 + Int64(step) * 1_000_000 / 60, using: &chance)
      fallen += fall.speed(atPlayUs: Int64(step - 1) * 1_000_000 / 60) / 60
      for wall in fall.walls.suffix(1)
      where fall.walls.count > before || (places.last.map { fallen + wall.y - $0 > 1 } ?? true) {
        places.append(fallen + wall.y)
        sides.append(wall.isLeft)
        count += 1
      }
    }
    let gaps = zip(places.dropFirst(), places).map { $0 - $1 }
    #expect(count > 60)
    #expect(gaps.allSatisfy { $0 > 299 && $0 < 501 })
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    #expect(mean > 380 && mean < 420, "\(mean)")
    #expect(Set(sides).count == 2)
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
