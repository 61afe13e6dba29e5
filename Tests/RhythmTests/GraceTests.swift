// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Rhythm

@Suite struct GraceTests {
  @Test func aTapStampedInTimeCountsUntilTheMissIsDeclared() throws {
    var session = try makeSession([1_000_000])
    #expect(try session.tap(at: 1_150_000, lane: nil, now: 1_199_999).verdict == .hit(beat: 0, error: 150_000))
  }

  @Test func afterItsMissATapIsTooLateAndCostsNothing() throws {
    var session = try makeSession([1_000_000, 5_000_000])
    _ = session.advance(to: 1_000_000)
    #expect(session.refusal(of: 1_150_000, now: 1_200_000) == .tooLate(beat: 0))
    #expect(session.summary.ghosts == 0)
    #expect(session.position == 1_000_000)
    // The refused tap left the miss to be told by the next advance.
    #expect(session.advance(to: 1_200_000).judgements.map(\.verdict) == [.miss])
    #expect(session.refusal(of: 850_000, now: 1_200_000) == .tooLate(beat: 0))
  }

  @Test func aSecondTapOnASettledHitIsTooLateLikeAnyOther() throws {
    var session = try makeSession([1_000_000])
    _ = try session.tapNow(1_000_000)
    #expect(session.refusal(of: 1_000_001, now: 1_199_999) == nil)
    #expect(session.refusal(of: 1_000_001, now: 1_200_000) == .tooLate(beat: 0))
    #expect(session.summary.ghosts == 1)
  }

  @Test func aStampMayLieTwoMillisecondsAhead() throws {
    var session = try makeSession([1_000_000])
    #expect(
      session.refusal(of: 1_002_001, now: 1_000_000) == .stampInFuture(ahead: 2_001, tolerance: 2_000))
    #expect(session.refusal(of: .max, now: -5) == .stampInFuture(ahead: .max, tolerance: 2_000))
    #expect(try session.tap(at: 1_002_000, lane: nil, now: 1_000_000).verdict == .hit(beat: 0, error: 2_000))
  }

  @Test func lanesAreToldWhereThereAreSomeAndOnlyThere() throws {
    var laned = try makeSession([1_000_000, 2_000_000], lanes: [0, 1])
    #expect(laned.refusal(of: 1_000_000, now: 1_000_000) == .missingLane)
    #expect(laned.refusal(of: 1_000_000, lane: 2, now: 1_000_000) == .unknownLane(2))
    #expect(laned.refusal(of: 1_000_000, lane: -1, now: 1_000_000) == .unknownLane(-1))
    #expect(try laned.tapNow(1_000_000, lane: 1) == .ghost)
    var plain = try makeSession([1_000_000])
    #expect(plain.refusal(of: 1_000_000, lane: 0, now: 1_000_000) == .noLanes)
    #expect(plain.summary.ghosts == 0)
  }

  @Test func afterTheChapterEveryTapIsTooLate() throws {
    var session = try makeSession([1_000_000], length: 2_000_000)
    #expect(try session.tapNow(1_999_999) == .ghost)
    #expect(session.refusal(of: 1_999_999, now: 2_000_000) == .tooLate(beat: nil))
    #expect(session.advance(to: 2_000_000) == [.complete(session.summary, at: 2_000_000)])
    #expect(session.summary.ghosts == 1)
  }
}
