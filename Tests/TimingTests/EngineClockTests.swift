// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

/// Engine time: the clock's, less what was paused.
struct EngineClockTests {
  private func us(_ value: Int64) -> Instant { Instant(microseconds: value) }

  /// Stood at 1000 for 500, and at 2000 of its own time for 70.
  private func pausedTwice() -> EngineClock {
    var clock = EngineClock()
    clock.hold(at: us(1_000))
    clock.release(after: .microseconds(500))
    clock.hold(at: us(2_000))
    clock.release(after: .microseconds(70))
    return clock
  }

  @Test func withoutAPauseItIsTheClock() {
    let clock = EngineClock()
    for instant in [Instant.distantPast, us(-5), .zero, us(7), .distantFuture] {
      #expect(clock.now(at: instant) == instant)
      #expect(clock.stamp(at: instant) == instant)
      #expect(clock.told(instant) == instant)
      #expect(clock.due(instant) == instant)
    }
  }

  @Test func itStandsJustBeforeTheInstantThatIsStillToCome() {
    var clock = EngineClock()
    clock.hold(at: us(1_000))
    #expect(clock.now(at: us(999)) == us(999))
    #expect(clock.now(at: us(1_000)) == Instant(nanoseconds: 999_999))
    #expect(clock.now(at: us(50_000)) == Instant(nanoseconds: 999_999))
    #expect(clock.stamp(at: us(999)) == us(999))
    #expect(clock.stamp(at: us(1_000)) == nil)
    #expect(clock.due(us(999)) == us(999))
    #expect(clock.due(us(1_000)) == nil)
    #expect(clock.told(us(1_200)) == us(1_200))
  }

  @Test func whatIsNotPastMovesByAsMuchAsItStood() {
    var clock = EngineClock()
    clock.hold(at: us(1_000))
    clock.release(after: .microseconds(500))
    #expect(clock.told(us(999)) == us(999))
    #expect(clock.told(us(1_000)) == us(1_500))
    #expect(clock.told(us(4_000)) == us(4_500))
    #expect(clock.now(at: us(1_499)) == Instant(nanoseconds: 999_999))
    #expect(clock.now(at: us(1_500)) == us(1_000))
    #expect(clock.stamp(at: us(1_499)) == nil)
    #expect(clock.stamp(at: us(1_501)) == us(1_001))
    #expect(clock.moved == .microseconds(500))
  }

  @Test func pausesAddUpAndEachMovesOnlyWhatComesAfterIt() {
    let clock = pausedTwice()
    #expect(clock.told(us(999)) == us(999))
    #expect(clock.told(us(1_999)) == us(2_499))
    #expect(clock.told(us(2_000)) == us(2_570))
    #expect(clock.moved == .microseconds(570))
    #expect(clock.count == 2)
    #expect(clock.hold(1)?.stoppedAt == us(2_500))
    #expect(clock.hold(1)?.resumedAt == us(2_570))
  }

  @Test func whatIsToldComesThen() {
    let clock = pausedTwice()
    for engine in (0..<3_000).map({ us($0) }) {
      #expect(clock.now(at: clock.told(engine)) == engine)
      #expect(clock.stamp(at: clock.told(engine)) == engine)
    }
  }

  @Test func aPauseOfNoLengthMovesNothing() {
    var clock = EngineClock()
    clock.hold(at: us(1_000))
    clock.release(after: .zero)
    #expect(clock.now(at: us(1_000)) == us(1_000))
    #expect(clock.told(us(1_000)) == us(1_000))
    #expect(clock.lasting == nil)
  }

  @Test func oneThatStandsDoesNotStandAgainAndOneThatRunsIsNotReleased() {
    var clock = EngineClock()
    clock.release(after: .microseconds(5))
    #expect(clock == EngineClock())
    clock.hold(at: us(10))
    let held = clock
    clock.hold(at: us(90))
    #expect(clock == held)
  }

  @Test func theyAreBoundedAndNothingNewIsLostByThat() {
    var clock = EngineClock()
    for number in 0..<Int64(200) {
      clock.hold(at: us(number * 100))
      clock.release(after: .microseconds(3))
    }
    #expect(clock.count == 200)
    #expect(clock.hold(0) == nil)
    #expect(clock.hold(199)?.at == us(19_900))
    #expect(clock.moved == .microseconds(600))
    #expect(clock.told(us(19_899)) == us(19_899 + 597))
    #expect(clock.now(at: us(20_500)) == us(19_900))
  }

  @Test func theEndsOfTimeSaturate() {
    var clock = pausedTwice()
    #expect(clock.told(.distantFuture) == .distantFuture)
    #expect(clock.now(at: .distantPast) <= us(0))
    clock.hold(at: us(5_000))
    clock.release(after: Interval(nanoseconds: .max))
    #expect(clock.told(us(6_000)) == .distantFuture)
  }
}
