// SPDX-License-Identifier: Apache-2.0

import Problems
import Testing

@testable import SoundFiles

@Suite struct TrackPlanTests {
  @Test(arguments: [
    // 44 100 frames are 48 000; 1 is 1.088; 147 are exactly 160; 3 of 96 kHz are 1.5, which rounds up.
    (44_100, 44_100 as Int64, 48_000 as Int64), (44_100, 1, 1), (44_100, 147, 160), (96_000, 3, 2), (22_050, 7, 15),
    (48_000, 12_345, 12_345), (8_000, 5, 30), (44_100, 7_717_500, 8_400_000),
  ]) func lengthIsRoundedToTheNearestEngineFrame(rate: Int, source: Int64, engine: Int64) {
    let plan = TrackPlan(sourceRate: rate, engineRate: 48_000, sourceFrames: source, loop: nil)
    #expect(plan.frames == engine)
    #expect(plan.streamFrames == engine)
    #expect(plan.loop == nil)
  }

  @Test func aLoopKeepsItsOwnRoundedLength() {
    // 1000 / 44.1 * 48 = 1088.4; 500 frames are 544.2.
    let plan = TrackPlan(sourceRate: 44_100, engineRate: 48_000, sourceFrames: 44_100, loop: 1_000..<1_500)
    #expect(plan.loop == 1_088..<1_632)
    #expect(plan.streamFrames == nil)
    #expect(plan.loopNeedsRestart)
  }

  @Test func aLoopOfWholePeriodsNeedsNoRestart() {
    let plan = TrackPlan(sourceRate: 44_100, engineRate: 48_000, sourceFrames: 44_100, loop: 1_000..<2_470)
    #expect(plan.loop == 1_088..<2_688)
    #expect(!plan.loopNeedsRestart)
  }

  @Test func positionsGoRoundTheLoop() {
    let plan = TrackPlan(sourceRate: 48_000, engineRate: 48_000, sourceFrames: 10_000, loop: 1_000..<4_000)
    #expect(plan.trackFrame(at: 0) == 0)
    #expect(plan.trackFrame(at: 3_999) == 3_999)
    #expect(plan.trackFrame(at: 4_000) == 1_000)
    #expect(plan.trackFrame(at: 6_999) == 3_999)
    // 1e12 - 4000 is 2 behind a whole number of turns of 3000.
    #expect(plan.trackFrame(at: 1_000_000_000_002) == 1_002)
  }

  @Test func loopsAreResolvedAsAskedFor() throws {
    func resolved(_ loop: TrackLoop, file: Range<Int64>? = nil) throws -> Range<Int64>? {
      try loop.resolved(path: "song.wav", rate: 10_000, frames: 50_000, fileLoop: file)
    }
    #expect(try resolved(.none, file: 1_000..<2_000) == nil)
    #expect(try resolved(.automatic) == 0..<50_000)
    #expect(try resolved(.automatic, file: 1_000..<2_000) == 1_000..<2_000)
    #expect(try resolved(.wholeFile, file: 1_000..<2_000) == 0..<50_000)
    #expect(try resolved(.seconds(start: 1.00004, end: 2.5)) == 10_000..<25_000)
    #expect(try resolved(.seconds(start: 4, end: nil)) == 40_000..<50_000)
    #expect(try resolved(.seconds(start: 0, end: 5)) == 0..<50_000)
  }

  @Test(arguments: [
    (TrackLoop.seconds(start: 1, end: 6), "from 1.0 s to 6.0 s leaves the file; give points between 0 and 5.0 s"),
    (.seconds(start: -1, end: nil), "from -1.0 s to the end leaves the file; give points between 0 and 5.0 s"),
    (.seconds(start: .nan, end: 2), "from nan s to 2.0 s leaves the file; give points between 0 and 5.0 s"),
    (.seconds(start: 2, end: 1.5), "from 2.0 s to 1.5 s ends before it begins; give start before end"),
  ]) func impossibleLoopsAreRefused(loop: TrackLoop, points: String) {
    let error = #expect(throws: Problem.self) {
      try loop.resolved(path: "song.wav", rate: 10_000, frames: 50_000, fileLoop: nil)
    }
    #expect(error?.kind == .badLoop)
    #expect(error?.description == "song.wav: the loop \(points)")
  }

  @Test func aLoopTooShortToStreamIsRefused() {
    let error = #expect(throws: Problem.self) {
      try TrackLoop.seconds(start: 2, end: 2.01)
        .resolved(path: "song.wav", rate: 10_000, frames: 50_000, fileLoop: nil)
    }
    #expect(
      error?.description == "song.wav: a loop of 0.01 s is too short to stream; "
        + "make it at least 0.05 s, or load the file as a sound")
  }
}
