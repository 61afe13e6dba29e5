// SPDX-License-Identifier: Apache-2.0

import ChapterOracle
import SeededNumbers
import Testing

@testable import Rhythm

/// Control comes by when it may, reads what has come by then and settles what was heard: what a beat comes to is the same as
/// where each tap is judged as it comes.
@Suite struct LateControlTests {
  @Test func whatBeatsComeToDoesNotHangOnWhenControlComesBy() throws {
    try search(upTo: 3_000) { random in
      let chapter = RandomChapter(using: &random)
      let course = try chapter.course()
      // Only what is paused by when its line is served knows of it.
      let holds = random.oneIn(2) ? [] : LateLine.holds(until: course.end, using: &random)
      // In the order in which they come, and in time: within the grace.
      let taps = chapter.deliveries(using: &random).filter { $0.now - $0.stamp < chapter.grace }.map { tap in
        holds.isEmpty ? tap : Delivery(stamp: min(tap.stamp, tap.now), lane: tap.lane, now: tap.now)
      }
      var late = LateRun(course, start: chapter.start)
      try late.serve((taps.map(LateLine.tap) + holds).sorted { $0.now < $1.now }, using: &random)
      let prompt = try PromptRun(course, start: chapter.start, late.served)
      let (are, should) = (Outcome(late.run.session, late.told), Outcome(prompt.run.session, prompt.told))
      try hold(are == should, "beats came to \(are), and where control was prompt to \(should)")
      try hold(late.refused == prompt.refused, "refused were \(late.refused), and not \(prompt.refused)")
      let instants = late.told.map(\.at)
      try hold(instants == instants.sorted(), "told out of order: \(instants)")
    }
  }

  /// All of a run but its combos, since of a hit and a miss that are decided at one time either may come first, and but for which
  /// of several taps in one cell has it: of those that are held it is the first by its stamp.
  private struct Outcome: Equatable {
    var hit: Set<Int>
    /// Of each beat that was not, the instants of its verdict.
    var missed: [Int: [Int64]]
    var counts: [Int]
    var assistedFrom: Int64?

    init(_ session: RhythmSession, _ told: [RhythmAction]) {
      let summary = session.summary
      let hits = told.judgements.filter { if case .hit = $0.verdict { true } else { false } }
      hit = Set(hits.map(\.index))
      missed = [:]
      for judgement in told.judgements where !hit.contains(judgement.index) {
        missed[judgement.index, default: []] += [judgement.stampedAt, judgement.declaredAt]
      }
      counts = [summary.hits, summary.misses, summary.voided, summary.ghosts]
      assistedFrom = summary.assistedFrom
    }
  }

  /// Held and let go on in one turn, before anybody was heard for what was due by then.
  @Test(arguments: [0, 400_000] as [Int64], [0, 300_000] as [Int64])
  func whatIsDueAtAPauseIsDueAtItsOwnInstantWhateverComesBehindIt(countIn: Int64, gap: Int64) throws {
    let map = try BeatMap(beats: [Beat(at: 1_000_000), Beat(at: 2_000_000)], lanes: [], length: 3_000_000)
    let rules = try RhythmRules(
      window: 150_000, assist: nil, grace: 50_000, spawnLead: 500_000, length: 3_000_000, futureTolerance: 2_000)
    var run = RhythmRun(Course(map: map, rules: rules), start: 10_000_000)
    #expect(run.advance(to: 11_190_000).isEmpty)
    run.pause(at: 11_220_000)
    #expect(run.nextDeadline == 11_200_000)
    run.resume(at: 11_230_000 + gap, countIn: countIn)
    #expect(run.nextDeadline == 11_200_000)
    // Again, in the count-in where there is one.
    run.pause(at: 11_231_000 + gap)
    #expect(run.nextDeadline == 11_200_000)
    run.resume(at: 11_240_000 + gap, countIn: 0)
    #expect(run.nextDeadline == 11_200_000)
    let told = run.advance(to: 11_240_000 + gap)
    #expect(told.map(\.at) == [11_200_000] && told.judgements.map(\.stampedAt) == [11_150_000])
    // The other has moved.
    #expect(run.nextDeadline == run.clock.zero + 2_200_000)
  }

  @Test func aTapBeforeWhatIsDueIsJudgedAtItsStampAndOneBehindItIsHeld() throws {
    var session = try makeSession([1_000_000, 1_400_000])
    _ = session.advance(to: 900_000)
    // The first beat is due at 1_200_000, but nobody was heard since.
    let first = try session.tap(at: 1_000_007, lane: nil, now: 1_390_000, heard: 900_000)
    #expect(first.verdict == .hit(beat: 0, error: 7))
    #expect(first.actions.map(\.at) == [1_000_007])
    let second = try session.tap(at: 1_390_000, lane: nil, now: 1_390_000, heard: 900_000)
    #expect(second.verdict == .hit(beat: 1, error: -10_000))

    session = try makeSession([1_000_000, 1_400_000])
    _ = session.advance(to: 900_000)
    #expect(try session.tap(at: 1_390_000, lane: nil, now: 1_390_000, heard: 900_000).verdict == .held)
    let told = session.advance(to: 1_390_000)
    #expect(told.judgements.map(\.verdict) == [.miss, .hit(error: -10_000)])
    #expect(told.map(\.at) == [1_200_000, 1_390_000])
  }

  @Test func whatWasSettledStaysSoAndATapForItIsTooLate() throws {
    var session = try makeSession([1_000_000, 1_400_000])
    _ = session.advance(to: 1_200_000)
    #expect(throws: TapError.tooLate(beat: 0)) {
      try session.tap(at: 1_000_000, lane: nil, now: 1_700_000, heard: 1_200_000)
    }
  }
}
