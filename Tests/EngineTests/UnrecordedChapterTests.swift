// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// A chapter that is played only to measure leaves the last player's score where it was.
@Suite struct UnrecordedChapterTests {
  @Test func itIsForgottenWhenItIsOver() throws {
    var fixture = try EngineFixture()
    let played = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: played.endUs + 100_000)
    let before = fixture.engine.chapterStatus()
    #expect(before.chapter == "game:tap" && before.score.misses == 2)

    let measured = try fixture.engine.startChapter(
      RhythmStart.Params(chapter: "tap", unrecorded: true), by: .daemon)
    #expect(fixture.engine.chapterStatus().running)
    _ = fixture.run(to: measured.startUs + 990_000)
    _ = try fixture.engine.tap(RhythmTap.Params(atUs: measured.startUs + 985_000), arrival: fixture.output.now)
    #expect(fixture.engine.chapterStatus().score.hits == 1)
    _ = fixture.run(to: measured.endUs + 100_000)
    #expect(fixture.engine.chapterStatus() == before)
  }

  @Test func itIsForgottenWhenItIsStoppedToo() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap", unrecorded: true), by: .daemon)
    _ = fixture.run(to: 1_500_000)
    #expect(try fixture.engine.stopChapter(by: .daemon).chapter == nil)
    #expect(fixture.engine.chapterStatus().chapter == nil)
  }
}
