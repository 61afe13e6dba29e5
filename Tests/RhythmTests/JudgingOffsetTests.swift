// SPDX-License-Identifier: Apache-2.0

import Rhythm
import Testing

/// Beats at 1, 2 and 3 s, tapped by somebody who is late alike, or early.
@Suite struct JudgingOffsetTests {
  private func run(_ offset: Int64, from position: Int64 = 0) throws -> RhythmRun {
    let map = try BeatMap(beats: [1_000_000, 2_000_000, 3_000_000].map { Beat(at: $0) }, length: 4_000_000)
    let rules = try RhythmRules(assist: nil, length: 4_000_000)
    return RhythmRun(Course(map: map, rules: rules, from: position, judgingOffset: offset), start: 10_000_000)
  }

  @Test(arguments: [(83_000, 11_083_000), (-40_000, 10_960_000), (251_000, 11_251_000)] as [(Int64, Int64)])
  func aTapIsHeldAgainstTheBeatAndTheOffset(_ offset: Int64, _ at: Int64) throws {
    var run = try run(offset)
    #expect(try run.tap(at: at, lane: nil, now: at).verdict == .hit(beat: 0, error: 0))
    // The window lies around it, both edges included.
    #expect(try run.tap(at: at + 850_000, lane: nil, now: at + 850_000).verdict == .hit(beat: 1, error: -150_000))
    #expect(try run.tap(at: at + 2_150_000, lane: nil, now: at + 2_150_000).verdict == .hit(beat: 2, error: 150_000))
  }

  @Test func whatIsToldOfBeatsDoesNotMove() throws {
    for offset in [0, 83_000, -40_000] as [Int64] {
      var run = try run(offset)
      let told = run.announce(upTo: 20_000_000, oldest: 0).map { announcement -> Int64 in
        switch announcement {
        case .spawn(let moment): moment.at
        case .beat(let moment): -moment.at
        }
      }
      #expect(told == [9_000_000, 10_000_000, 11_000_000, -11_000_000, -12_000_000, -13_000_000])
      #expect(run.beatsInSight(at: 10_000_000, most: 9).map(\.at) == [11_000_000, 12_000_000])
      #expect(run.songPosition(at: 11_000_000) == 1_000_000)
    }
  }

  @Test func aMissIsDeclaredByTheOffset() throws {
    var run = try run(83_000)
    // 150 ms of window and 50 ms of grace behind 11.083 s.
    #expect(run.nextDeadline == 11_283_000)
    #expect(run.advance(to: 11_282_999).isEmpty)
    guard case .judgement(let missed)? = run.advance(to: 11_283_000).first else {
      Issue.record("no miss")
      return
    }
    #expect(missed.verdict == .miss && missed.declaredAt == 11_283_000)
    // Where it was heard.
    #expect(missed.beat.at == 11_000_000)
  }

  @Test func theRunWaitsForLateTapsAndNeverEndsBeforeItsSong() throws {
    let map = try BeatMap(beats: [Beat(at: 1_000_000)], length: 1_100_000)
    let rules = try RhythmRules(assist: nil, length: 1_100_000)
    let ends = ([0, 83_000, -83_000] as [Int64]).map { Course(map: map, rules: rules, judgingOffset: $0).end }
    #expect(ends == [1_200_000, 1_283_000, 1_117_000])
  }

  @Test func beatsWhoseTapsWouldHaveBegunBeforeThePlaceTakeNoPart() throws {
    // From 0.9 s on the first beat's cell opens at -50 ms, and 83 ms later within the run.
    #expect(try run(0, from: 900_000).course.takesPart == [false, true, true])
    #expect(try run(83_000, from: 900_000).course.takesPart == [true, true, true])
  }

  @Test func beatsThatLieBeforeThePlaceTakeNoPartHoweverLateTheyAreTapped() throws {
    // Tapped half a second late the second beat's cell opens at 2.35 s; it is heard at 2 s, which is before the place.
    #expect(try run(500_000, from: 2_100_000).course.takesPart == [false, false, true])
    #expect(try run(500_000, from: 2_000_000).course.takesPart == [false, true, true])
    var told = try run(500_000, from: 2_100_000)
    let beats = told.announce(upTo: 20_000_000, oldest: 0).compactMap { announcement -> Int64? in
      if case .beat(let moment) = announcement { moment.at } else { nil }
    }
    // The third beat, 0.9 s behind the run's beginning.
    #expect(beats == [10_900_000])
  }
}
