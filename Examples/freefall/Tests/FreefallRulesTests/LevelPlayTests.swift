// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import RulesUnderTest
import SeededNumbers
import Testing

/// Ready, playing, dead, complete, paused.
@Suite struct LevelPlayTests {
  var chance = Seeded(seed: 1)

  @Test func theLaunchingTapIsNoFlip() {
    var play = LevelPlay(level(), rules: .underTest)
    #expect(play.state == .ready)
    #expect(play.breathesSinceUs == nil)
    #expect(play.tap(atUs: 1_000) == [.launched(atUs: 1_000)])
    #expect(play.state == .playing)
    #expect(play.breathesSinceUs == 1_000)
    #expect(play.attempt?.flips == 0)
    #expect(play.tap(atUs: 100_000) == [.flipped(atUs: 100_000)])
    #expect(play.attempt?.flips == 1)
  }

  @Test mutating func deathLastsThreeTenthsOfASecondThenTheSameLevelIsReady() {
    var play = LevelPlay(
      level(obstacles: [.circle(centre: Point(x: 100, y: 500), radius: 30)]), rules: .underTest)
    _ = play.tap(atUs: 0)
    #expect(play.advance(toUs: 500_000, last: nil, using: &chance) == [.died(atUs: 416_666)])
    #expect(play.state == .dead(untilUs: 716_666))
    #expect(play.breathesSinceUs == nil)
    #expect(play.tap(atUs: 600_000) == [])
    #expect(play.advance(toUs: 716_665, last: nil, using: &chance) == [])
    #expect(play.state == .dead(untilUs: 716_666))
    #expect(play.advance(toUs: 716_666, last: nil, using: &chance) == [])
    #expect(play.state == .ready)
  }

  @Test mutating func theWordComesEightTenthsOfASecondAfterTheGoal() {
    var play = LevelPlay(level(goal: Point(x: 100, y: 600)), rules: .underTest)
    _ = play.tap(atUs: 1_000_000)
    let events = play.advance(toUs: 1_700_000, last: nil, using: &chance)
    guard case .reachedGoal(let finish, 1_700_000)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(finish.timeUs == 700_000)
    #expect(finish.flips == 0)
    // 200, and 1.3 s of 2 s spared: 195.
    #expect(finish.points.total == 395)
    #expect(play.breathesSinceUs == nil)
    #expect(play.tap(atUs: 1_800_000) == [])
    #expect(play.advance(toUs: 2_499_999, last: nil, using: &chance) == [])
    let said = play.advance(toUs: 2_500_000, last: .fresh, using: &chance)
    #expect(said == [.said(.clean, atUs: 2_500_000)])
    #expect(play.state == .over(finish, .clean))
    #expect(play.advance(toUs: 9_000_000, last: nil, using: &chance) == [])
  }

  @Test mutating func aLevelIsCompletedOnceHoweverOftenTimePasses() {
    var play = LevelPlay(level(goal: Point(x: 100, y: 600)), rules: .underTest)
    _ = play.tap(atUs: 0)
    var goals = 0
    for us in stride(from: Int64(0), through: 3_000_000, by: 10_000) {
      for case .reachedGoal in play.advance(toUs: us, last: nil, using: &chance) { goals += 1 }
    }
    #expect(goals == 1)
  }

  @Test mutating func aLevelIsFinishedWithoutItsCollectibles() {
    let beside = [Point(x: 300, y: 420), Point(x: 300, y: 500), Point(x: 300, y: 560)]
    var play = LevelPlay(level(goal: Point(x: 100, y: 600), collectibles: beside), rules: .underTest)
    _ = play.tap(atUs: 0)
    let events = play.advance(toUs: 700_000, last: nil, using: &chance)
    guard case .reachedGoal(let finish, 700_000)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(finish.points.collectibles == 0)
  }

  @Test mutating func timeCountsFromTheLaunchOfTheAttemptThatSucceeds() {
    let wall = Shape.line(from: Point(x: 0, y: 300), to: Point(x: 390, y: 300))
    var play = LevelPlay(level(goal: Point(x: 100, y: 600), obstacles: [wall]), rules: .underTest)
    _ = play.tap(atUs: 0)
    _ = play.tap(atUs: 10_000)
    _ = play.advance(toUs: 5_000_000, last: nil, using: &chance)
    #expect(play.state == .ready)
    _ = play.tap(atUs: 6_000_000)
    for case .reachedGoal(let finish, _) in play.advance(toUs: 8_000_000, last: nil, using: &chance) {
      #expect(finish.timeUs == 700_000)
      #expect(finish.flips == 0)
      return
    }
    Issue.record("the goal was not reached")
  }

  @Test mutating func theRunningScoreBeginsAtNothingWithEachAttempt() {
    let play0 = level(
      obstacles: [.circle(centre: Point(x: 100, y: 500), radius: 30)],
      collectibles: [Point(x: 100, y: 420), Point(x: 100, y: 430)])
    var play = LevelPlay(play0, rules: .underTest)
    _ = play.tap(atUs: 0)
    _ = play.advance(toUs: 400_000, last: nil, using: &chance)
    #expect(play.runningScore == 100)
    _ = play.advance(toUs: 1_000_000, last: nil, using: &chance)
    #expect(play.runningScore == 0)
    _ = play.tap(atUs: 1_000_000)
    #expect(play.runningScore == 0)
  }

  @Test mutating func aPauseHoldsAllInPlaceAndDoesNotCount() {
    var play = LevelPlay(level(goal: Point(x: 100, y: 600)), rules: .underTest)
    _ = play.tap(atUs: 0)
    _ = play.advance(toUs: 350_000, last: nil, using: &chance)
    #expect(play.pause(atUs: 354_000) == true)
    #expect(play.pause(atUs: 355_000) == false)
    #expect(play.breathesSinceUs == nil)
    let ball = play.attempt?.ball
    #expect(play.advance(toUs: 60_000_000, last: nil, using: &chance) == [])
    #expect(play.tap(atUs: 60_000_000) == [])
    #expect(play.attempt?.ball == ball)
    #expect(play.resume(atUs: 60_354_000) == true)
    #expect(play.resume(atUs: 60_354_001) == false)
    let events = play.advance(toUs: 61_000_000, last: nil, using: &chance)
    guard case .reachedGoal(let finish, 60_700_000)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(finish.timeUs == 700_000)
  }

  @Test mutating func neitherDeathNorCompletionCanBePaused() {
    var play = LevelPlay(level(goal: Point(x: 100, y: 600)), rules: .underTest)
    #expect(play.pause(atUs: 0) == true)
    #expect(play.resume(atUs: 5) == true)
    #expect(play.state == .ready)
    _ = play.tap(atUs: 10)
    _ = play.advance(toUs: 1_000_000, last: nil, using: &chance)
    #expect(play.pause(atUs: 1_000_000) == false)
    #expect(play.resume(atUs: 1_000_000) == false)
  }
}
