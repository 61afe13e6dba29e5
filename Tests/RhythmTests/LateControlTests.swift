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
      let end = chapter.start + course.end
      // In the order in which they come, and in time: within the grace, and before the chapter is over.
      let taps = chapter.deliveries(using: &random).filter { $0.now - $0.stamp < chapter.grace && $0.now < end }
      var prompt = RhythmRun(course, start: chapter.start)
      var expected: [RhythmAction] = []
      for tap in taps { expected += try prompt.tap(at: tap.stamp, lane: tap.lane, now: tap.now).actions }
      expected += prompt.advance(to: .max)

      var late = RhythmRun(course, start: chapter.start)
      var told: [RhythmAction] = []
      var heard = -100 as Int64
      var waiting = taps[...]
      while !waiting.isEmpty {
        // It looks, which it sees all by that has come, then stands still for a while, and then serves what it saw.
        let looked = heard + random.integer(0...60)
        let now = looked + (random.oneIn(2) ? 0 : random.integer(0...120))
        while let tap = waiting.first, tap.now <= looked {
          waiting.removeFirst()
          told += try late.tap(at: tap.stamp, lane: tap.lane, now: now, heard: heard).actions
        }
        heard = looked
        told += late.advance(to: heard)
      }
      told += late.advance(to: .max)
      let (are, should) = (Outcome(late.session, told), Outcome(prompt.session, expected))
      try hold(are == should, "beats came to \(are), and where control was prompt to \(should)")
      let instants = told.map(\.at)
      try hold(instants == instants.sorted(), "told out of order: \(instants)")
    }
  }

  /// All of a run but its combos, since of a hit and a miss that are decided at one time either may come first, and but for which
  /// of several taps in one cell has it: of those that are held it is the first by its stamp.
  private struct Outcome: Equatable {
    var hit: Set<Int>
    var counts: [Int]
    var assistedFrom: Int64?

    init(_ session: RhythmSession, _ told: [RhythmAction]) {
      let summary = session.summary
      hit = Set(told.judgements.filter { if case .hit = $0.verdict { true } else { false } }.map(\.index))
      counts = [summary.hits, summary.misses, summary.voided, summary.ghosts]
      assistedFrom = summary.assistedFrom
    }
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
