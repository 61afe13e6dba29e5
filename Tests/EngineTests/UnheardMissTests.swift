// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// A miss that is due, and that clients were not heard for yet, when its chapter is held and let go on in one turn.
@Suite struct UnheardMissTests {
  private let me = Cause(client: ClientID(rawValue: 7), user: 1_000)

  @Test(arguments: [0, 2] as [Int64], [false, true])
  func itIsToldForItsOwnInstantAsSoonAsTheyAre(countIn: Int64, isTapped: Bool) throws {
    var fixture = try EngineFixture()
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: me)
    fixture.engine.listenedTo = Instant(microseconds: started.startUs + 1_190_000)
    // The beat at 1 s may be hit up to 1.15 s, and is settled 50 ms later.
    let before = fixture.run(to: started.startUs + 1_210_000)
    #expect(before.told(RhythmJudgement.self).isEmpty)
    _ = try fixture.engine.pauseChapter()
    let resumed = try fixture.engine.resumeChapter(RhythmResume.Params(countInBeats: countIn))
    let due = Instant(microseconds: started.startUs + 1_200_000)
    #expect(fixture.engine.settlesNext == due)
    #expect(try #require(fixture.engine.nextDeadline) <= fixture.output.now)
    // One that came in time, and is read only now.
    let stampUs = started.startUs + 1_100_000
    if isTapped {
      let tap = RhythmTap.Params(atUs: stampUs, run: nil)
      #expect(try fixture.engine.tap(tap, arrival: Instant(microseconds: stampUs)).verdict == .hit)
    }
    fixture.engine.listenedTo = fixture.output.now
    fixture.engine.advance()
    var told = fixture.engine.takeActions().told(RhythmJudgement.self)
    #expect(told.map(\.payload.verdict) == [isTapped ? .hit : .miss])
    #expect(told.map(\.tUs) == [isTapped ? stampUs : started.startUs + 1_150_000])
    fixture.engine.listenedTo = nil
    told = fixture.run(to: resumed.endUs + 100_000).told(RhythmJudgement.self)
    #expect(told.map(\.tUs) == [started.startUs + 2_150_000 + resumed.movedUs])
  }
}
