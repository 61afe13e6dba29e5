// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Rhythm

@Suite struct ChapterTests {
  @Test func aChapterTellsEverythingAtItsInstant() throws {
    var session = try makeSession([706_000, 2_117_800], length: 3_000_000)
    #expect(session.nextDeadline == 906_000)
    let actions = session.advance(to: .max)
    func miss(_ index: Int, _ stampedAt: Int64, _ declaredAt: Int64) -> Judgement {
      Judgement(
        index: index, beat: session.course.beats[index], verdict: .miss, stampedAt: stampedAt, declaredAt: declaredAt,
        tally: RunTally(misses: index + 1))
    }
    #expect(
      actions == [
        .judgement(miss(0, 856_000, 906_000)),
        .judgement(miss(1, 2_267_800, 2_317_800)),
        .complete(session.summary, at: 3_000_000),
      ])
    #expect(session.isComplete)
    #expect(session.nextDeadline == nil)
    #expect(session.summary.pending == 0)
  }

  @Test func theNextDeadlineIsWhereTheNextActionIs() throws {
    var stepped = try makeSession([300, 70_000, 500_000, 900_000], lanes: [0, 1, 0, 1], length: 1_000_000)
    var whole = stepped
    var actions: [RhythmAction] = []
    while let deadline = stepped.nextDeadline {
      #expect(stepped.advance(to: deadline - 1).isEmpty)
      let due = stepped.advance(to: deadline)
      #expect(!due.isEmpty)
      #expect(due.allSatisfy { $0.at == deadline })
      actions += due
    }
    #expect(actions == whole.advance(to: .max))
  }

  @Test func aChapterLastsUntilItsLastGraceIsOver() throws {
    var session = try makeSession([990_000], length: 1_000_000)
    #expect(session.advance(to: 1_189_999).isEmpty)
    let last = session.advance(to: 1_190_000)
    #expect(last.map(\.at) == [1_190_000, 1_190_000])
    #expect(last.judgements.map(\.verdict) == [.miss])
    #expect(session.isComplete)
  }

  /// Known from the beginning: it ends when no beat could be open any more, by whatever help there can be.
  @Test(
    arguments: [
      (help: 1, beats: [100_000, 990_000], end: 1_340_000), (1, [700_000, 990_000], 1_190_000),
      (2, [100_000, 990_000], 1_190_000), (1, [100_000, 400_000], 1_000_000),
    ] as [(help: Int, beats: [Int64], end: Int64)])
  func aRunEndsWhenItSaidThatItWouldWhateverIsTapped(help: Int, beats: [Int64], end: Int64) throws {
    let assist = RhythmRules.Assist(misses: help, window: 300_000)
    for tapped in [[], beats, [beats[0]]] {
      let course = try makeSession(beats, assist: assist, length: 1_000_000).course
      var run = RhythmRun(course, start: 5_000_000)
      #expect(run.end == 5_000_000 + end)
      for beat in tapped { _ = try run.tap(at: 5_000_000 + beat, lane: nil, now: 5_000_000 + beat) }
      let ends = run.advance(to: 10_000_000).compactMap { action in
        if case .complete(_, let at) = action { at } else { nil }
      }
      #expect(ends == [5_000_000 + end])
    }
  }

  @Test func aHitNeedsNoDeadlineOfItsOwn() throws {
    var session = try makeSession([1_000_000], length: 10_000_000)
    _ = try session.tapNow(1_000_000)
    #expect(session.nextDeadline == 10_000_000)
  }

  @Test func theSongNeverRunsBackwards() throws {
    var session = try makeSession([1_000_000])
    _ = session.advance(to: 2_000_000)
    #expect(session.advance(to: 0).isEmpty)
    #expect(session.position == 2_000_000)
    #expect(session.refusal(of: 1_000_000, now: 500_000) == .tooLate(beat: 0))
  }

  @Test func aTapTellsWhatFellDueBeforeIt() throws {
    var session = try makeSession([1_000_000, 1_500_000])
    let outcome = try session.tap(at: 1_500_010, lane: nil, now: 1_500_020)
    #expect(outcome.actions.map(\.at) == [1_200_000, 1_500_020])
    #expect(
      outcome.actions.last
        == .judgement(
          Judgement(
            index: 1, beat: Beat(at: 1_500_000), verdict: .hit(error: 10), stampedAt: 1_500_010,
            declaredAt: 1_500_020, tally: RunTally(hits: 1, misses: 1, combo: 1))))
  }
}
