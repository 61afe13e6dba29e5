// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Rhythm

/// A stamp from before the chapter is a ghost where a player may have made it, and refused where nobody can.
@Suite struct EarlyStampTests {
  private static let longest = RhythmRun.longestBefore
  private static let start: Int64 = 100_000_000

  private func makeRun() throws -> RhythmRun {
    let map = try BeatMap(beats: [Beat(at: 1_000_000)], lanes: [], length: 3_000_000)
    return RhythmRun(Course(map: map, rules: try RhythmRules(length: 3_000_000)), start: Self.start)
  }

  @Test func upToTenSecondsBeforeTheBeginningItIsAGhost() throws {
    var run = try makeRun()
    let now = Self.start + 500_000
    #expect(try run.tap(at: Self.start - Self.longest, lane: nil, now: now).verdict == .ghost)
    #expect(throws: TapError.beforeChapter(before: Self.longest + 1)) {
      try run.tap(at: Self.start - Self.longest - 1, lane: nil, now: now)
    }
    #expect(throws: TapError.beforeChapter(before: .max)) { try run.tap(at: .min, lane: nil, now: now) }
    #expect(run.session.summary.ghosts == 1)
  }

  /// A chapter may be planned an hour ahead; who taps meanwhile does so now.
  @Test func whereTheChapterIsStillToBeginItsOwnDeliveryCounts() throws {
    var run = try makeRun()
    let now = Self.start - 60_000_000
    #expect(try run.tap(at: now - Self.longest, lane: nil, now: now).verdict == .ghost)
    #expect(throws: TapError.beforeChapter(before: 60_000_000 + Self.longest + 1)) {
      try run.tap(at: now - Self.longest - 1, lane: nil, now: now)
    }
  }

  /// However long it is held: its beginning stays where it was.
  @Test func aPauseDoesNotMoveTheBeginning() throws {
    var run = try makeRun()
    _ = run.advance(to: Self.start + 500_000)
    run.pause(at: Self.start + 500_001)
    run.resume(at: Self.start + 60_000_000, countIn: 0)
    let now = Self.start + 60_000_100
    #expect(try run.tap(at: Self.start - Self.longest, lane: nil, now: now).verdict == .ghost)
    #expect(throws: TapError.beforeChapter(before: Self.longest + 1)) {
      try run.tap(at: Self.start - Self.longest - 1, lane: nil, now: now)
    }
  }
}
