// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SyncRules
import Testing

/// Chapter 2: jump, glide, barriers and hearts.
@Suite struct PacketRunTests {
  static func run(_ player: Player) -> PacketRun {
    guard case .packetRun(let run)? = player.story.scene else { fatalError("not the packet run") }
    return run
  }

  /// A run in which the gaps are all of 380 points.
  static func evenRules() -> Rules {
    var rules = Rules.underTest
    rules.packetRun.gapSpread = 0
    return rules
  }

  /// No barriers and no hearts: there is only the ground.
  static func openRules() -> Rules {
    var rules = Rules.underTest
    rules.packetRun.gap = 1_000_000_000
    return rules
  }

  /// After so many frames of 1/120 s, in microseconds.
  static func us(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000 / 120 }

  /// Someone who looks: jumps where a barrier is 40 points away, and for a heart with room behind it. Tells what came of it until done or `frames` are over.
  static func play(_ player: Player, frames: Int) -> [String] {
    var texts: [String] = []
    for frame in 1...frames where player.highest == 1 {
      texts += player.pass(us(frame))
      guard player.chapter == 2 else { break }
      let run = run(player)
      let barriers = run.course.barriers.filter { $0 > 110 }
      let isBarrier = barriers.contains { $0 > 140 && $0 < 160 }
      let isHeart = run.course.hearts.contains { $0 > 145 && $0 < 165 } && !barriers.contains { $0 < 320 }
      if run.runner.isOnGround, isBarrier || isHeart {
        texts += player.act(.press, us(frame))
        texts += player.act(.release, us(frame))
      }
    }
    return texts
  }

  @Test func aJumpRisesAndFallsBackByTheseNumbers() {
    let player = Player(chapter: 2, rules: Self.openRules())
    #expect(player.act(.press, 0) == [])
    #expect(player.act(.release, 0) == [])
    // 640 points per second, less 15 each 1/120 s: after n steps (640 n - 15 n (n + 1) / 2) / 120.
    for (steps, height) in [(1, 5.208333), (10, 46.458333), (42, 111.125), (84, 1.75)] {
      _ = player.pass(Self.us(steps))
      #expect(abs(Self.run(player).runner.height - height) < 1e-4, "\(steps)")
    }
    _ = player.pass(Self.us(85))
    #expect(Self.run(player).runner.height == 0)
    #expect(Self.run(player).runner.isOnGround)
  }

  @Test func thereIsNoJumpFromTheAir() {
    let player = Player(chapter: 2, rules: Self.openRules())
    _ = player.act(.press, 0)
    _ = player.act(.release, 0)
    _ = player.pass(Self.us(10))
    _ = player.act(.press, Self.us(10))
    _ = player.act(.release, Self.us(10))
    _ = player.pass(Self.us(42))
    #expect(abs(Self.run(player).runner.height - 111.125) < 1e-4)
  }

  @Test func whoHoldsGlidesDown() {
    let player = Player(chapter: 2, rules: Self.openRules())
    _ = player.act(.press, 0)
    // Up it is a jump like any other; from 140 points per second downwards on it falls no faster.
    _ = player.pass(Self.us(42))
    #expect(abs(Self.run(player).runner.height - 111.125) < 1e-4)
    _ = player.pass(Self.us(60))
    #expect(Self.run(player).runner.speed == -140)
    let before = Self.run(player).runner.height
    _ = player.pass(Self.us(72))
    #expect(abs(before - Self.run(player).runner.height - 14) < 1e-6)
    // Let go, it falls.
    #expect(player.act(.release, Self.us(72)) == [])
    _ = player.pass(Self.us(74))
    #expect(Self.run(player).runner.speed == -170)
  }

  @Test func sixtySecondsSurvivedAreEnough() {
    let player = Player(chapter: 2, rules: Self.openRules())
    #expect(player.pass(59_999_999) == [])
    #expect(player.highest == 1)
    #expect(player.pass(60_000_000) == ["store 2"])
    #expect(player.pass(62_000_000) == [])
    #expect(player.chapter == 3)
  }

  /// Half a step behind the last that is whole.
  @Test func theyAreOverAtTheirOwnInstantAndNotWithAStep() {
    var rules = Self.openRules()
    rules.packetRun.surviveUs = 60_004_000
    let player = Player(chapter: 2, rules: rules)
    #expect(player.pass(60_003_999) == [])
    #expect(player.pass(60_004_000) == ["store 2"])
  }

  /// The first barrier comes in after 380 points and is 280 from the runner: 660 points at 240 a second.
  @Test func whoDoesNothingRunsIntoTheFirstBarrier() {
    let player = Player(chapter: 2)
    _ = player.pass(2_749_999)
    #expect(Self.run(player).deaths == 0)
    #expect(player.pass(2_758_400) == [])
    #expect(Self.run(player).deaths == 1)
    #expect(Self.run(player).deadSinceUs == 2_758_333)
  }

  @Test func aDeathIsSilentAndBeginsTheRunAnewASecondLater() {
    let player = Player(chapter: 2)
    #expect(player.pass(3_758_332) == [])
    #expect(Self.run(player).deadSinceUs != nil)
    #expect(player.pass(3_758_333) == [])
    #expect(Self.run(player).deadSinceUs == nil)
    #expect(Self.run(player).beganUs == 3_758_333)
    #expect(Self.run(player).course.barriers == [])
    // The dead do not jump.
    let dead = Player(chapter: 2)
    _ = dead.pass(3_000_000)
    _ = dead.act(.press, 3_000_000)
    #expect(Self.run(dead).runner.isOnGround)
  }

  @Test func barriersComeWithGapsOf260To500Points() {
    var gaps: [Double] = []
    var rules = Rules.underTest
    // Nobody dies of barriers that have no height; many are seen at once, and quickly.
    rules.packetRun.barrierHeight = 0
    rules.packetRun.screenWidth = 3000
    rules.packetRun.speed = 24_000
    for seed in 0..<4 {
      let player = Player(chapter: 2, rules: rules, seed: UInt64(seed))
      for frame in 1...100 {
        _ = player.pass(Self.us(frame * 10))
        let barriers = Self.run(player).course.barriers
        gaps += zip(barriers.dropFirst(), barriers).map { $0 - $1 - 24 }
      }
    }
    let (least, most) = (gaps.min() ?? 0, gaps.max() ?? 0)
    #expect(least >= 260 && least < 261, "\(least)")
    #expect(most <= 500 && most > 499, "\(most)")
  }

  @Test func barriersAreFiftyPointsHigh() {
    let player = Player(chapter: 2)
    _ = player.pass(2_758_333)
    let course = Self.run(player).course
    #expect(course.isHit(atHeight: 49.9, Self.run(player).rules))
    #expect(!course.isHit(atHeight: 50, Self.run(player).rules))
  }

  @Test func afterThreeDeathsAllIsAFifthSlowerAndGapsAFifthWiderOnce() {
    let player = Player(chapter: 2, rules: Self.evenRules())
    // Each death takes 2.758333 s, and a second to the next run.
    _ = player.pass(10_275_000 - 2_000)
    #expect(Self.run(player).deaths == 2)
    #expect(Self.run(player).speed == 240)
    #expect(!Self.run(player).isHelping)
    #expect(player.pass(10_276_000) == [])
    #expect(Self.run(player).deaths == 3)
    #expect(Self.run(player).isHelping)
    #expect(Self.run(player).speed == 192)
    // More deaths help no further.
    _ = player.pass(30_000_000)
    #expect(Self.run(player).deaths > 4)
    #expect(Self.run(player).speed == 192)
  }

  @Test func gapsAreAFifthWiderWhileHelped() {
    var rules = Self.evenRules()
    rules.packetRun.screenWidth = 2000
    let player = Player(chapter: 2, rules: rules)
    _ = player.pass(Self.us(1) * 700)
    let before = Self.run(player).course.barriers
    #expect(before.count >= 2)
    #expect(abs(before[1] - before[0] - 404) < 1e-6)
    // A heart behind every second one.
    #expect(before.count == 3)
    #expect(Self.run(player).course.hearts.map { abs($0 - before[1] - 214) < 1e-6 } == [true])
    var us: Int64 = 0
    while Self.run(player).deaths < 3, us < 120_000_000 {
      us += 100_000
      _ = player.pass(us)
    }
    _ = player.pass(us + 8_000_000)
    let after = Self.run(player).course.barriers
    #expect(after.count >= 2)
    #expect(abs(after[1] - after[0] - 480) < 1e-6)
  }

  @Test func heartsAreCollectedWithAChimeEach() {
    let player = Player(chapter: 2)
    let texts = Self.play(player, frames: 2400)
    #expect(Self.run(player).deaths == 0)
    #expect(texts.allSatisfy { $0.hasPrefix("collect ") }, "\(texts)")
    #expect(Self.run(player).hearts == texts.count)
    #expect(texts.count > 2)
  }

  /// A heart begins 14 points below its middle, and the runner ends 40 points above the ground.
  @Test(arguments: [(90.0, 75.9, false), (90, 76.1, true), (53.9, 40, true), (54.1, 40, false)])
  func heartsAreTouchedFromBelow(middle: Double, runner: Double, isTouched: Bool) {
    var rules = Self.evenRules()
    rules.packetRun.barrierHeight = 0
    if middle != 90 { rules.packetRun.heartHeight = middle }
    if runner != 40 { rules.packetRun.runnerHeight = runner }
    let player = Player(chapter: 2, rules: rules)
    #expect(player.pass(20_000_000).isEmpty == !isTouched)
  }

  @Test func heartsHangAtNinetyPointsAndAreTouchedByTheRunnersEdge() {
    var rules = Self.evenRules()
    rules.packetRun.barriersPerHeart = 1
    rules.packetRun.barrierHeight = 0
    // On the ground the runner ends at 40 points; the heart begins at 76.
    let ground = Player(chapter: 2, rules: rules)
    #expect(ground.pass(20_000_000) == [])
    #expect(Self.run(ground).hearts == 0)
    // The heart is in the middle of the gap, 24 and 190 points behind the first barrier.
    let course = Self.run(ground).course
    #expect(course.hearts.first.map { heart in course.barriers.contains { abs(heart - $0 - 214) < 1e-6 } } == true)
    // 380, 280, 214 less its own 14 points: 860 at 2 a step.
    let player = Player(chapter: 2, rules: rules)
    _ = player.pass(Self.us(415))
    _ = player.act(.press, Self.us(415))
    _ = player.act(.release, Self.us(415))
    #expect(player.pass(Self.us(450)) == ["collect \(Self.us(430))"])
    #expect(Self.run(player).hearts == 1)
  }

  /// Hearts on the ground, one behind each barrier: the first after 860 points, the others 404 apart, at 2 a step.
  static func heartsOnTheGround(barrierHeight: Double) -> Rules {
    var rules = evenRules()
    rules.packetRun.barriersPerHeart = 1
    rules.packetRun.heartHeight = 20
    rules.packetRun.barrierHeight = barrierHeight
    return rules
  }

  @Test func twentyHeartsAreEnough() {
    let player = Player(chapter: 2, rules: Self.heartsOnTheGround(barrierHeight: 0))
    #expect(player.pass(Self.us(4267)).count == 19)
    #expect(player.highest == 1)
    #expect(player.pass(Self.us(4268)) == ["collect \(Self.us(4268))", "store 2"])
  }

  @Test func aDeathKeepsHeartsAndBeginsTheMinuteAnew() {
    let player = Player(chapter: 2, rules: Self.heartsOnTheGround(barrierHeight: 50))
    _ = player.pass(Self.us(310))
    _ = player.act(.press, Self.us(310))
    _ = player.act(.release, Self.us(310))
    #expect(player.pass(Self.us(532)) == ["collect \(Self.us(430))"])
    #expect(Self.run(player).deaths == 0)
    #expect(player.pass(Self.us(533)) == [])
    #expect(Self.run(player).deaths == 1)
    _ = player.pass(Self.us(700))
    #expect(Self.run(player).hearts == 1)
    #expect(Self.run(player).beganUs == 5_441_666)
  }

  @Test func whoLooksFinishes() {
    let player = Player(chapter: 2)
    let texts = Self.play(player, frames: 120 * 120)
    #expect(texts.last == "store 2")
  }
}
