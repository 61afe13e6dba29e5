// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Testing
import Wire

/// A whole chapter of the real daemon on a stepped clock, every verdict exact.
@Suite struct FirewallTests {
  static let firstBeat: Int64 = 706_000
  static let lastBeat: Int64 = 44_471_000
  static let lanes = ["left", "right", "top"]

  @Test func theChapterIsAnnouncedAsTheFactsSay() throws {
    let game = try SteppedGame()
    let started = try game.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "firewall"))
    #expect(started.beats == 32)
    #expect(started.lanes == Self.lanes)
    #expect(started.windowUs == 150_000)
    #expect(started.spawnLeadUs == 2_000_000)
    let told = try game.step(to: started.startUs + 46_000_000)
    let spawns = try told.all(RhythmSpawn.self)
    let beats = try told.all(RhythmBeat.self)
    #expect(spawns.count == 32)
    #expect(beats.count == 32)
    #expect(spawns.first?.payload.beatUs == started.startUs + Self.firstBeat)
    #expect(beats.last?.tUs == started.startUs + Self.lastBeat)
    for (index, beat) in beats.enumerated() {
      #expect(beat.payload.lane == Self.lanes[index % 3])
      #expect(spawns[index].payload.beatUs == beat.tUs)
      #expect(spawns[index].tUs == beat.tUs - 2_000_000)
    }
  }

  @Test func aTapIsJudgedToTheMicrosecond() throws {
    let game = try SteppedGame()
    let chapter = try PlayedChapter(game)
    #expect(try chapter.tap(beat: 0, error: 150_000) == .hit(beat: 0, errorUs: 150_000))
    #expect(try chapter.tap(beat: 1, error: 150_001) == .ghost)
    #expect(try chapter.tap(beat: 2, error: -150_000) == .hit(beat: 2, errorUs: -150_000))
    #expect(try chapter.tap(beat: 3, error: -150_001) == .ghost)
    #expect(try chapter.tap(beat: 3, error: 0) == .hit(beat: 3, errorUs: 0))
    // The right instant in another lane is nobody's.
    #expect(try chapter.tap(beat: 4, error: 0, lane: "left") == .ghost)
  }

  @Test func fiveMissesWidenTheWindowTo300Milliseconds() throws {
    let game = try SteppedGame()
    let chapter = try PlayedChapter(game)
    let told = try game.step(to: chapter.beat(4) + 200_000)
    let misses = try told.all(RhythmJudgement.self).filter { $0.payload.verdict == .miss }
    #expect(misses.map(\.payload.beat) == [0, 1, 2, 3, 4])
    #expect(misses.map(\.tUs) == (0..<5).map { chapter.beat($0) + 150_000 })
    let assist = try #require(try told.all(RhythmAssist.self).first)
    #expect(assist.payload.windowUs == 300_000)
    #expect(assist.tUs == chapter.beat(4) + 200_000)
    #expect(try chapter.tap(beat: 5, error: 300_000) == .hit(beat: 5, errorUs: 300_000))
    #expect(try chapter.tap(beat: 6, error: 300_001) == .ghost)
    #expect(try chapter.tap(beat: 7, error: -300_000) == .hit(beat: 7, errorUs: -300_000))
    #expect(try chapter.tap(beat: 8, error: -300_001) == .ghost)
  }

  @Test func aTapStampedInTimeCountsWithinTheGrace() throws {
    let game = try SteppedGame()
    let chapter = try PlayedChapter(game)
    try game.step(to: chapter.beat(0) + 150_000 + 49_999)
    #expect(try chapter.deliver(beat: 0, error: 150_000) == .hit(beat: 0, errorUs: 150_000))
    try game.step(to: chapter.beat(1) + 150_000 + 50_000)
    #expect(try errorKind { _ = try chapter.deliver(beat: 1, error: 150_000) } == "tooLate")
    #expect(try errorKind { _ = try chapter.deliver(beat: 2, error: 0) } == "stampInFuture")
  }

  @Test func theWholeChapterEndsWithItsScore() throws {
    let game = try SteppedGame()
    let chapter = try PlayedChapter(game)
    // Beats 0-4 are missed; then every third tap is 200 ms late (held by the assist alone), and one tap hits nothing.
    for beat in 5..<32 {
      let error: Int64 = beat % 3 == 0 ? 200_000 : 10_000
      #expect(try chapter.tap(beat: beat, error: error) == .hit(beat: beat, errorUs: error))
    }
    #expect(try chapter.tap(at: chapter.beat(31) + 400_000, lane: "right") == .ghost)
    let told = try game.step(to: chapter.startUs + 45_000_000)
    let complete = try #require(try told.all(RhythmComplete.self).first)
    #expect(complete.tUs == chapter.startUs + 45_000_000)
    #expect(!complete.payload.stopped)
    #expect(complete.payload.score.hits == 27)
    #expect(complete.payload.score.misses == 5)
    #expect(complete.payload.score.ghosts == 1)
    #expect(complete.payload.score.remaining == 0)
    #expect(complete.payload.score.assisted)
    #expect(complete.payload.score.medianErrorUs == 10_000)
    #expect(complete.payload.score.meanErrorUs == 73_333)
    #expect(try game.connection.call(RhythmStatus.self, Empty()).running == false)
  }

  @Test func aTapWithoutAStampIsJudgedAtItsArrival() throws {
    let game = try SteppedGame()
    let chapter = try PlayedChapter(game)
    try game.step(to: chapter.beat(0) + 7_000)
    let arrival = try game.connection.call(RhythmTap.self, RhythmTap.Params(lane: "left"))
    #expect(arrival.stamp == .arrival)
    #expect(arrival.errorUs == 7_000)
    try game.step(to: chapter.beat(1) + 20_000)
    let ago = try game.connection.call(RhythmTap.self, RhythmTap.Params(agoUs: 25_000, lane: "right"))
    #expect(ago.stamp == .ago)
    #expect(ago.errorUs == -5_000)
    #expect(try errorKind { _ = try game.connection.call(RhythmTap.self, RhythmTap.Params()) } == "invalidParams")
    #expect(
      try errorKind { _ = try game.connection.call(RhythmTap.self, RhythmTap.Params(lane: "middle")) }
        == "invalidParams")
  }

  @Test func aStoppedChapterTellsItsScore() throws {
    let game = try SteppedGame()
    let chapter = try PlayedChapter(game)
    _ = try chapter.tap(beat: 0, error: 0)
    let status = try game.connection.call(RhythmStop.self, Empty())
    #expect(!status.running)
    #expect(status.score.hits == 1)
    #expect(status.score.remaining == 31)
    #expect(try game.drain().all(RhythmComplete.self).first?.payload.stopped == true)
    #expect(try errorKind { _ = try game.connection.call(RhythmStop.self, Empty()) } == "notRunning")
  }
}

/// A started Firewall chapter and its taps.
struct PlayedChapter {
  enum Outcome: Equatable {
    case hit(beat: Int, errorUs: Int64)
    case ghost
    case held
  }

  let game: SteppedGame
  let startUs: Int64
  private let beats: [Int64]

  init(_ game: SteppedGame) throws {
    self.game = game
    startUs = try game.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "firewall")).startUs
    // Facts of the chapter: the first beat, then every 1.4118 s to 44.471 s, in steps as the map states them.
    beats = try TestPack.firewallBeats()
  }

  func beat(_ index: Int) -> Int64 { startUs + beats[index] }

  /// Steps to the tap's instant and delivers it there.
  func tap(beat index: Int, error: Int64, lane: String? = nil) throws -> Outcome {
    try tap(at: beat(index) + error, lane: lane ?? FirewallTests.lanes[index % 3])
  }

  func tap(at instant: Int64, lane: String) throws -> Outcome {
    try game.step(to: instant)
    return outcome(try game.tap(lane, at: instant))
  }

  /// Delivers a tap now, stamped elsewhere.
  func deliver(beat index: Int, error: Int64) throws -> Outcome {
    outcome(try game.tap(FirewallTests.lanes[index % 3], at: beat(index) + error))
  }

  private func outcome(_ result: RhythmTap.Result) -> Outcome {
    switch result.verdict {
    case .hit: .hit(beat: result.beat ?? -1, errorUs: result.errorUs ?? .min)
    case .ghost: .ghost
    case .held: .held
    }
  }
}
