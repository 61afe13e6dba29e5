// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Rhythm

@Suite struct WindowTests {
  @Test(arguments: [(150_000, true), (150_001, false), (-150_000, true), (-150_001, false), (0, true)])
  func theWindowHoldsBothItsEdgesAndNoMore(offset: Int64, hit: Bool) throws {
    var session = try makeSession([1_000_000])
    #expect(
      try session.tapNow(1_000_000 + offset) == (hit ? .hit(beat: 0, error: offset) : .ghost))
  }

  @Test func cellsMeetAtTheMidpointWhichBelongsToTheEarlier() throws {
    // 1.000000 and 1.200000: the midpoint is 1.100000. 1.200000 and 1.300001: 1.2500005, between two microseconds.
    let session = try makeSession([1_000_000, 1_200_000, 1_300_001])
    #expect(session.cell(of: 0) == Cell(start: 850_000, end: 1_100_000))
    #expect(session.cell(of: 1) == Cell(start: 1_100_001, end: 1_250_000))
    #expect(session.cell(of: 2) == Cell(start: 1_250_001, end: 1_450_001))
    #expect(session.cell(of: 3) == nil)
    var first = session
    #expect(try first.tapNow(1_100_000) == .hit(beat: 0, error: 100_000))
    #expect(try first.tapNow(1_100_001) == .hit(beat: 1, error: -99_999))
    #expect(try first.tapNow(1_250_001) == .hit(beat: 2, error: -50_000))
  }

  @Test func beatsOfOtherLanesClipNothing() throws {
    var session = try makeSession([1_000_000, 1_100_000, 1_200_000], lanes: [0, 1, 0])
    #expect(session.cell(of: 0) == Cell(start: 850_000, end: 1_100_000))
    #expect(session.cell(of: 1) == Cell(start: 950_000, end: 1_250_000))
    #expect(try session.tapNow(1_150_000, lane: 1) == .hit(beat: 1, error: 50_000))
    #expect(try session.tapNow(1_150_000, lane: 0) == .hit(beat: 2, error: -50_000))
  }

  @Test func theSecondTapOnABeatIsAGhost() throws {
    var session = try makeSession([1_000_000])
    #expect(try session.tapNow(1_000_100) == .hit(beat: 0, error: 100))
    let again = try session.tap(at: 1_000_000, lane: nil, now: 1_000_200)
    #expect(again.verdict == .ghost)
    #expect(
      again.actions == [
        .ghost(GhostTap(stampedAt: 1_000_000, declaredAt: 1_000_200, tally: RunTally(hits: 1, combo: 1)))
      ])
    #expect(session.summary.hits == 1)
    #expect(session.summary.ghosts == 1)
    #expect(session.summary.errors.median == 100)
  }

  @Test func aTapInNobodysCellIsAGhostHoweverLateItComes() throws {
    var session = try makeSession([1_000_000])
    #expect(try session.tap(at: 10, lane: nil, now: 20_000_000).verdict == .ghost)
    #expect(try session.tap(at: .min, lane: nil, now: 20_000_000).verdict == .ghost)
    #expect(session.summary.misses == 1)
  }

  @Test func aTapBeforeTheSongIsJudgedLikeAnyOther() throws {
    var session = try makeSession([100_000])
    #expect(try session.tapNow(-50_000) == .hit(beat: 0, error: -150_000))
  }
}
