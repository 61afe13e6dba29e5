// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Timing

@testable import HapticOutput

/// Outputs stand where the engine stands, and put out what is felt where it goes on.
@Suite struct PauseTests {
  private func ms(_ value: Int64) -> Instant { .zero + .milliseconds(value) }

  private func start(at: Int64, length: Int64, _ intensity: Double = 1) -> HapticCommand {
    .start(
      HapticPlayerID(rawValue: UInt64(at + 1)),
      .continuous(intensity: intensity, sharpness: 0, duration: .milliseconds(length)), source: "x", at: ms(at),
      options: HapticPlayOptions())
  }

  private func schedule(_ commands: [HapticCommand]) -> RumbleSchedule {
    var schedule = RumbleSchedule(
      motors: MotorProfile(), timing: RumbleTiming(interval: .milliseconds(16)), now: .zero)
    schedule.apply(commands, at: .zero) { _, _ in }
    return schedule
  }

  @Test func aPadIsStoppedToldNothingMeanwhileAndFeelsAsBefore() {
    var schedule = schedule([start(at: 100, length: 400)])
    var writes: [String] = []
    let note = { (at: Instant, action: RumbleAction) in writes.append("\(at.microseconds / 1_000) \(action)") }
    schedule.advance(to: ms(200), note)
    writes = []
    schedule.stand(at: ms(200), note)
    #expect(writes == ["200 stop"])
    #expect(schedule.nextDue == nil)
    schedule.apply([start(at: 150, length: 10)], at: ms(200), note)
    schedule.advance(to: ms(200), note)
    schedule.restart(at: ms(200), note)
    #expect(writes == ["200 stop"])
    schedule.goOn(at: ms(200), after: .milliseconds(5_000), note)
    #expect(writes.dropFirst().map { $0.prefix(10) } == ["200 upload", "200 play"])
    writes = []
    schedule.advance(to: ms(1_000), note)
    #expect(writes.last == "500 stop", "the effect ends where its pattern does: \(writes)")
  }

  @Test func aShortPauseKeepsTheIntervalBetweenWrites() {
    var schedule = schedule([start(at: 100, length: 400)])
    schedule.advance(to: ms(200)) { _, _ in }
    schedule.stand(at: ms(200)) { _, _ in }
    var writes: [Instant] = []
    schedule.goOn(at: ms(200), after: .milliseconds(4)) { at, _ in writes.append(at) }
    schedule.advance(to: ms(300)) { at, _ in writes.append(at) }
    #expect(writes.first == ms(212), "16 ms after the stop, of which 4 are the pause")
  }

  @Test func aTapThatWasToComeIsFeltWhole() {
    var schedule = schedule([start(at: 205, length: 5)])
    var writes: [RumbleAction] = []
    schedule.advance(to: ms(200)) { writes.append($1) }
    schedule.stand(at: ms(200)) { writes.append($1) }
    #expect(writes.isEmpty)
    schedule.goOn(at: ms(200), after: .milliseconds(100)) { writes.append($1) }
    schedule.advance(to: ms(400)) { writes.append($1) }
    #expect(writes.contains(.play) && writes.last == .stop)
  }

  @Test func anOutputThatComesByLateGoesThroughEveryPauseInTurn() {
    var clock = EngineClock()
    clock.hold(at: ms(100))
    clock.release(after: .milliseconds(50))
    clock.hold(at: ms(200))
    var walk = PauseWalk()
    walk.follow(clock)
    #expect(walk.nextDue == ms(100))
    #expect(walk.next(by: ms(99)) == nil)
    var steps: [String] = []
    while let step = walk.next(by: ms(10_000)) {
      switch step {
      case .stand(let hold): steps.append("stands at \(hold.stoppedAt.microseconds)")
      case .goOn(let hold, let at): steps.append("goes on at \(at.microseconds) with \(hold.at.microseconds)")
      }
    }
    #expect(steps == ["stands at 100000", "goes on at 150000 with 100000", "stands at 250000"])
    #expect(walk.isStanding && walk.nextDue == nil)
    clock.release(after: .milliseconds(10))
    walk.follow(clock)
    #expect(walk.nextDue == ms(260))
  }

  @Test func anOutputThatIsNewKnowsNothingOfPausesThatAreOver() {
    var clock = EngineClock()
    clock.hold(at: ms(100))
    clock.release(after: .milliseconds(50))
    var walk = PauseWalk()
    walk.follow(clock, beginningAt: ms(1_000))
    #expect(walk.next(by: ms(2_000)) == nil)
    clock.hold(at: ms(1_000))
    walk.follow(clock, beginningAt: ms(2_000))
    #expect(walk.next(by: ms(2_000)) == .stand(clock.hold(1) ?? clock.lasting!))
  }
}
