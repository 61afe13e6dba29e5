// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Rhythm

@Suite struct AssistTests {
  /// Five beats half a second apart from 1 s on; missed, the fifth is declared at 3.2 s.
  private static let missed: [Int64] = [1_000_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000]

  @Test func fiveMissesWidenTheBeatsWhoseWindowIsStillShut() throws {
    // The plain window of 3.350 opens at 3.2, not after it; that of 3.350001 does.
    var session = try makeSession(Self.missed + [3_350_000, 10_000_000])
    let actions = session.advance(to: 3_200_000)
    #expect(actions.last == .assist(AssistBegun(at: 3_200_000, window: 300_000, firstBeat: 6)))
    #expect(session.assistedFrom == 3_200_000)
    #expect(session.cell(of: 5) == Cell(start: 3_200_000, end: 3_500_000))
    #expect(session.cell(of: 6) == Cell(start: 9_700_000, end: 10_300_000))
    var other = try makeSession(Self.missed + [3_350_001])
    _ = other.advance(to: 3_200_000)
    #expect(other.cell(of: 5) == Cell(start: 3_200_000, end: 3_650_001))
  }

  @Test(arguments: [(300_000, true), (300_001, false), (-300_000, true), (-300_001, false)])
  func theWideWindowHoldsBothItsEdgesAndNoMore(offset: Int64, hit: Bool) throws {
    var session = try makeSession(Self.missed + [10_000_000])
    #expect(try session.tapNow(10_000_000 + offset) == (hit ? .hit(beat: 5, error: offset) : .ghost))
  }

  @Test func fourMissesWidenNothing() throws {
    var session = try makeSession(Self.missed + [10_000_000])
    #expect(try session.tapNow(1_000_000) == .hit(beat: 0, error: 0))
    #expect(try session.tapNow(10_150_001) == .ghost)
    #expect(session.summary.misses == 4)
    #expect(session.assistedFrom == nil)
  }

  @Test func wideCellsAreStillClippedByTheirNeighbours() throws {
    var session = try makeSession(Self.missed + [10_000_000, 10_400_000, 10_800_001])
    _ = session.advance(to: 5_000_000)
    #expect(session.cell(of: 5) == Cell(start: 9_700_000, end: 10_200_000))
    #expect(session.cell(of: 6) == Cell(start: 10_200_001, end: 10_600_000))
    #expect(session.cell(of: 7) == Cell(start: 10_600_001, end: 11_100_001))
  }

  @Test func aBeatWhoseWindowIsOpenKeepsItAndItsNeighbourIsClippedByIt() throws {
    // 3.3 opened at 3.15; 3.5 opens at 3.35 and may open at 3.2, but for 3.3, whose half ends at 3.4.
    var session = try makeSession(Self.missed + [3_300_000, 3_500_000])
    _ = session.advance(to: 3_200_000)
    #expect(session.cell(of: 5) == Cell(start: 3_150_001, end: 3_400_000))
    #expect(session.cell(of: 6) == Cell(start: 3_400_001, end: 3_800_000))
  }

  @Test func aTapStampedBeforeTheHelpStaysAGhostWhenItComesAfterIt() throws {
    // With help from 3.2 on, the cell of 3.38 opens at 3.2: past the midpoint at 3.19, and no earlier than the help.
    var before = try makeSession(Self.missed + [3_380_000])
    var after = before
    #expect(try before.tap(at: 3_199_999, lane: nil, now: 3_199_999).verdict == .ghost)
    #expect(try after.tap(at: 3_199_999, lane: nil, now: 3_200_500).verdict == .ghost)
    #expect(try after.tap(at: 3_200_000, lane: nil, now: 3_200_500).verdict == .hit(beat: 5, error: -180_000))
  }

  @Test func aTapStampedJustAheadOfTheHelpWaitsForIt() throws {
    var session = try makeSession(Self.missed + [3_400_000])
    let outcome = try session.tap(at: 3_200_001, lane: nil, now: 3_199_000)
    #expect(outcome.verdict == .held)
    #expect(session.nextDeadline == 3_200_000)
    let judgements = session.advance(to: 3_200_001).judgements
    #expect(judgements.map(\.verdict) == [.miss, .hit(error: -199_999)])
    #expect(judgements.last?.declaredAt == 3_200_001)
  }

  @Test func aTapThatWaitedForNothingIsAGhostAtItsStamp() throws {
    var session = try makeSession([1_000_000])
    #expect(try session.tap(at: 500_002, lane: nil, now: 499_000).verdict == .held)
    #expect(try session.tap(at: 500_001, lane: nil, now: 499_000).verdict == .held)
    let actions = session.advance(to: 600_000)
    #expect(actions.map(\.at) == [-1_000_000, 500_001, 500_002].filter { $0 > 0 })
    #expect(session.summary.ghosts == 2)
  }

  @Test func aLateTapThatSavesTheFifthBeatPutsOffTheHelp() throws {
    var session = try makeSession(Self.missed + [4_000_000, 10_000_000])
    // Stamped in the fifth beat's cell, delivered one microsecond before its miss.
    #expect(try session.tap(at: 3_000_000, lane: nil, now: 3_199_999).verdict == .hit(beat: 4, error: 0))
    _ = session.advance(to: 4_199_999)
    #expect(session.assistedFrom == nil)
    _ = session.advance(to: 4_200_000)
    #expect(session.assistedFrom == 4_200_000)
  }

  @Test func helpThatComesTooLateForAnyBeatIsToldAllTheSame() throws {
    var session = try makeSession(Self.missed)
    let actions = session.advance(to: .max)
    #expect(actions.contains(.assist(AssistBegun(at: 3_200_000, window: 300_000, firstBeat: nil))))
  }

  @Test func withoutHelpNothingWidens() throws {
    var session = try makeSession(Self.missed + [10_000_000], assist: nil)
    #expect(try session.tap(at: 10_151_000, lane: nil, now: 10_150_000).verdict == .ghost)
  }

  @Test func missesDeclaredAtOneInstantComeByIndexAndTheHelpBehindItsOwn() throws {
    // Lane 0 is clipped at 1.05 by its second beat; lane 1's window ends there too.
    var session = try makeSession(
      [900_000, 1_000_000, 1_100_000], lanes: [1, 0, 0], assist: .init(misses: 1, window: 300_000))
    let actions = session.advance(to: 1_100_000).filter {
      switch $0 {
      case .judgement, .assist: true
      default: false
      }
    }
    #expect(actions.map(\.at) == [1_100_000, 1_100_000, 1_100_000])
    #expect(actions.judgements.map(\.index) == [0, 1])
    #expect(actions[1] == .assist(AssistBegun(at: 1_100_000, window: 300_000, firstBeat: nil)))
  }

  @Test func helpNarrowerThanTheWindowIsRefused() {
    #expect(throws: RhythmRulesError(field: "assist.window", value: 149_999, least: 150_000)) {
      try RhythmRules(assist: .init(misses: 5, window: 149_999))
    }
  }

  @Test func rulesOutOfRangeAreRefused() {
    #expect(throws: RhythmRulesError(field: "window", value: -1, least: 1)) { try RhythmRules(window: -1) }
    #expect(throws: RhythmRulesError(field: "grace", value: 0, least: 1)) { try RhythmRules(grace: 0) }
    #expect(throws: RhythmRulesError(field: "length", value: .max, least: 1)) { try RhythmRules(length: .max) }
    #expect(throws: RhythmRulesError(field: "assist.after", value: 0, least: 1)) {
      try RhythmRules(assist: .init(misses: 0, window: 300_000))
    }
  }
}
