// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// A tap that is refused is told why, and what to do.
@Suite struct TapRefusalTests {
  @Test func aTapFromTheFutureIsToldHowToBeStamped() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    let (now) = (fixture.output.now)
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.tap(RhythmTap.Params(atUs: now.microseconds + 2_001), arrival: now)
    }
    #expect(refused?.data.kind == "stampInFuture")
    #expect(refused?.message == "the tap is stamped 2001 us ahead of now, more than the 2000 us allowed")
    #expect(refused?.data.hint == "send a tap once it has happened, at its instant")
    let nanoseconds = #expect(throws: RPCError.self) {
      try fixture.engine.tap(RhythmTap.Params(atUs: now.nanoseconds), arrival: now)
    }
    #expect(nanoseconds?.data.kind == "stampInFuture" && nanoseconds?.data.hint == Self.howToStamp)
  }

  private static let howToStamp =
    "stamp taps in microseconds of CLOCK_MONOTONIC, or give agoUs, the microseconds since the tap"

  /// Seconds and milliseconds in the place of microseconds, and an `agoUs` in nanoseconds.
  @Test func aStampInAnotherUnitIsToldHowToBeStamped() throws {
    var fixture = try EngineFixture()
    _ = fixture.run(to: 60_000_000)
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: started.startUs + 100_000)
    let now = fixture.output.now.microseconds
    for (params, stamp) in [
      (RhythmTap.Params(atUs: now / 1_000_000), now / 1_000_000), (RhythmTap.Params(atUs: now / 1000), now / 1000),
      (RhythmTap.Params(agoUs: now - 5), 5),
    ] {
      let refused = #expect(throws: RPCError.self) {
        try fixture.engine.tap(params, arrival: Instant(microseconds: now))
      }
      #expect(refused?.data.kind == "invalidParams")
      #expect(
        refused?.message == "the tap is stamped \(started.startUs - stamp) us before the chapter's beginning, "
          + "more than the 10000000 us allowed")
      #expect(refused?.data.hint == Self.howToStamp)
    }
    #expect(fixture.engine.chapterStatus().score.ghosts == 0)
  }

  @Test(
    arguments: [
      (1, "run 1 is over; 2 is running"), (3, "there has been no run 3; 2 is running"),
      (0, "there has been no run 0; 2 is running"),
    ] as [(Int64, String)])
  func aTapOfAnotherRunIsToldWhetherThatWas(run: Int64, message: String) throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    let again = try fixture.engine.restartedChapter()
    #expect(again.run == 2)
    let now = fixture.output.now
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.tap(RhythmTap.Params(atUs: now.microseconds, run: run), arrival: now)
    }
    #expect(refused?.data.kind == "notRunning" && refused?.message == message)
  }

  @Test func aTapForASettledBeatIsToldToComeSooner() throws {
    var fixture = try EngineFixture()
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: started.startUs + 1_300_000)
    let output = fixture.output
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.tap(RhythmTap.Params(atUs: started.startUs + 1_000_000), arrival: output.now)
    }
    #expect(refused?.data.kind == "tooLate")
    #expect(refused?.data.hint == "send taps as they happen")
  }

  /// Few lanes are listed; of many, those are named that are like it.
  @Test func anUnknownLaneIsToldInAFewWords() {
    let few = Engine.noLane("lef", among: ["left", "right"])
    #expect(few.message == "no lane lef; the lanes are left, right" && few.data.candidates == ["left"])
    #expect(few.data.hint == "name one of the chapter's lanes")
    let none = Engine.noLane("x", among: [])
    #expect(none.message == "no lane x; the chapter has no lanes" && none.data.hint == "leave the lane out")
    let lanes = (0..<64).map { String(repeating: "a", count: 62) + String($0 + 10) }
    let many = Engine.noLane(String(repeating: "a", count: 62) + "1x", among: lanes)
    #expect(many.message.utf8.count < 400 && many.data.candidates?.count == 3)
    #expect(Engine.noLane("b", among: lanes).message == "no lane b")
  }
}
