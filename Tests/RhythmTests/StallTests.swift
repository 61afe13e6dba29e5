// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Rhythm

/// Nobody is blamed for what happened while nobody listened.
@Suite struct StallTests {
  private static let beats: [Int64] = [1_000_000, 2_000_000, 3_000_000, 4_000_000]

  @Test func cellsWhollyInsideAStallAreVoidAndTheOthersMissed() throws {
    var session = try makeSession(Self.beats)
    _ = session.advance(to: 1_849_999)
    // The second cell begins one microsecond early, the third lies inside to the microsecond.
    session.stall(from: 1_850_001, to: 3_150_000)
    let told = session.advance(to: 3_900_000)
    #expect(told.judgements.map(\.verdict) == [.miss, .void])
    #expect(told.judgements.map(\.index) == [1, 2])
    #expect(told.judgements.map(\.stampedAt) == [2_150_000, 3_150_000])
    #expect(session.summary.misses == 2)
    #expect(session.summary.voided == 1)
    #expect(session.summary.pending == 1)
  }

  @Test func aCellThatEndsAfterTheStallIsMissed() throws {
    var session = try makeSession(Self.beats)
    _ = session.advance(to: 1_300_000)
    session.stall(from: 1_300_000, to: 2_149_999)
    #expect(session.advance(to: 2_300_000).judgements.map(\.verdict) == [.miss])
  }

  @Test func tapsThatWaitedCountAtTheirOwnStampsInWhateverOrderTheyAreRead() throws {
    var session = try makeSession(Self.beats)
    _ = session.advance(to: 1_300_000)
    session.stall(from: 1_300_000, to: 3_500_000)
    #expect(session.isCatchingUp)
    for stamp in [3_000_005, 2_000_001, 2_500_000] as [Int64] {
      let outcome = try session.tap(at: stamp, lane: nil, now: 3_500_000)
      #expect(outcome == TapOutcome(verdict: .held, actions: []))
    }
    let told = session.advance(to: 3_500_000)
    #expect(told.map(\.at) == [2_000_001, 2_500_000, 3_000_005])
    #expect(told.judgements.map(\.verdict) == [.hit(error: 1), .hit(error: 5)])
    #expect(session.summary.ghosts == 1)
    #expect(!session.isCatchingUp)
  }

  @Test func aTapOfBeforeTheStallIsJudgedWhereTheSongStood() throws {
    var session = try makeSession(Self.beats)
    _ = session.advance(to: 1_170_000)
    session.stall(from: 1_170_000, to: 1_900_000)
    #expect(try session.tap(at: 1_150_000, lane: nil, now: 1_900_000).verdict == .hit(beat: 0, error: 150_000))
    #expect(session.position == 1_170_000)
  }

  @Test func voidBeatsBringNoHelp() throws {
    var session = try makeSession(Self.beats, assist: .init(misses: 2, window: 300_000))
    _ = session.advance(to: 1_300_000)
    session.stall(from: 1_300_000, to: 2_500_000)
    _ = session.advance(to: 2_900_000)
    #expect(session.assistedFrom == nil)
    _ = session.advance(to: 3_200_000)
    #expect(session.assistedFrom == 3_200_000)
  }

  @Test func missesSettledAtOnceEachCarryTheirOwnCount() throws {
    var session = try makeSession(Self.beats)
    #expect(session.advance(to: .max).judgements.map(\.tally.misses) == [1, 2, 3, 4])
  }

  @Test func aTapHeldBeyondTheEndIsToldAsAGhostBeforeIt() throws {
    var session = try makeSession([1_000_000], length: 2_000_000)
    _ = session.advance(to: 1_100_000)
    #expect(try session.tap(at: 2_000_500, lane: nil, now: 1_999_000).verdict == .held)
    let told = session.advance(to: 3_000_000)
    #expect(told.count == 2)
    #expect(
      told.first == .ghost(GhostTap(lane: nil, stampedAt: 2_000_500, declaredAt: 2_000_000, tally: RunTally(misses: 1)))
    )
  }

  @Test func aStallThatIsOverBeforeTheSongBeginsOrAfterItsEndChangesNothing() throws {
    var session = try makeSession(Self.beats)
    session.stall(from: -5_000_000, to: -4_000_000)
    #expect(session.isCatchingUp)
    let told = session.advance(to: .max)
    #expect(told.judgements.map(\.verdict) == [.miss, .miss, .miss, .miss])
    session.stall(from: 50_000_000, to: 60_000_000)
    #expect(!session.isCatchingUp)
  }
}
