// SPDX-License-Identifier: Apache-2.0

import Moments
import StarlightClient
import Testing
import Wire

/// The chapter Firewall, as its table has it: its map, its windows, its help, and all that is heard and felt of it.
@Suite struct ChapterMomentTests {
  private let table: MomentTable
  private let facts: MomentTable.ChapterFacts

  init() throws {
    table = try MomentTable.read("starlight-sync")
    facts = try #require(table.chapter)
  }

  @Test func aPersonCanPlayTheMap() throws {
    let beats = facts.beats
    #expect(beats.count >= 40)
    #expect(zip(beats, beats.dropFirst()).allSatisfy { $0.us < $1.us })
    // Two lanes at once a person has two hands for; and thumbs are not quicker than a quaver of it.
    #expect(zip(beats, beats.dropFirst()).allSatisfy { $1.us - $0.us >= facts.us(beats: 0.5) - 1 })
    for lane in facts.lanes {
      let own = beats.filter { $0.lane == lane }.map(\.us)
      #expect(own.count >= 10)
      #expect(zip(own, own.dropFirst()).allSatisfy { $1 - $0 >= facts.leastUsOfOneLane })
    }
    // Each comes into sight after the chapter's beginning, and is over before its end with the widest window.
    #expect(beats.allSatisfy { $0.us >= facts.us(beats: facts.spawnBeats) })
    #expect(beats.allSatisfy { $0.us + facts.assistWindowUs + facts.graceUs < facts.seconds * 1_000_000 })
  }

  @Test func everyBeatIsToldAtItsMicrosecondAndComesIntoSightOnTheMusic() throws {
    let stage = try MomentStage(table)
    let started = try start(stage)
    #expect(started.beats == facts.beats.count)
    #expect(started.lanes == facts.lanes)
    #expect(started.windowUs == facts.windowUs)
    let end = started.startUs + facts.seconds * 1_000_000
    let told = try stage.step(to: end + 1_000_000)
    let beats = try told.all(RhythmBeat.self)
    #expect(beats.map(\.tUs) == facts.beats.map { started.startUs + $0.us })
    #expect(beats.map(\.payload.lane) == facts.beats.map(\.lane))
    let spawns = try told.all(RhythmSpawn.self)
    for (spawn, beat) in zip(spawns, facts.beats) {
      // To the microsecond that a beat is rounded to, and the one that the lead is.
      let onTheMusic = started.startUs + beat.us - facts.us(beats: facts.spawnBeats)
      #expect(spawn.tUs == onTheMusic)
      #expect(spawn.payload.beatUs == started.startUs + beat.us)
    }
    #expect(spawns.count == facts.beats.count)
    #expect(try told.all(RhythmComplete.self).map(\.tUs) == [end])
  }

  /// The first beats are missed: each is felt alone. Then help comes, which nothing tells the player of; taps in the widened
  /// window hit. At the end the music goes on, its bells fade, and nothing else is heard.
  @Test func whatIsHeardAndFeltOfTheChapterIsItsFeedbackAlone() throws {
    let stage = try MomentStage(table)
    let before = stage.nextBeginning
    _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: facts.track, atUs: before, crossfadeUs: 0))
    try stage.step(to: before + 1_000_000)
    let started = try start(stage)
    let beats = facts.beats.map { (us: started.startUs + $0.us, lane: $0.lane) }
    let zero = before - stage.zero
    var expected = HeardSamples(table, stage.probes, seconds: Double(facts.seconds) + 3)
    let begin = (started.startUs - before) * 48 / 1_000
    #expect((started.startUs - before) * 48 % 1_000 == 0)
    expected.add(track: facts.track, at: 0, until: Int(begin), fadeOut: frame(facts.crossfade))

    var levels = FeltLevels()
    let miss = try #require(table.patterns[facts.miss.pattern])
    let told = try stage.step(to: beats[facts.misses - 1].us + facts.windowUs + facts.graceUs)
    let misses = try told.all(RhythmJudgement.self)
    #expect(misses.map(\.payload.verdict) == Array(repeating: .miss, count: facts.misses))
    // It is known once no tap can come any more that was made in time.
    for beat in beats.prefix(facts.misses) {
      levels.add(miss, at: beat.us + facts.windowUs + facts.graceUs - before)
    }
    #expect(try told.all(RhythmAssist.self).map(\.payload.windowUs) == [facts.assistWindowUs])

    var hits: [Int64] = []
    var hitBeats: Set<Int64> = []
    var fired: [(tUs: Int64, payload: CueFired)] = []
    // From the next beat on, and only where none is near: to the edge of the window and a microsecond beyond it.
    let apart = (facts.misses..<beats.count - 1).filter {
      beats[$0].us - beats[$0 - 1].us > 700_000 && beats[$0 + 1].us - beats[$0].us > 700_000
    }
    for (turn, index) in apart.enumerated() {
      let error = [facts.assistWindowUs, -facts.assistWindowUs, facts.assistWindowUs + 1, 0][turn % 4]
      let tap = beats[index].us + error
      fired += try stage.step(to: tap).all(CueFired.self)
      let answer = try stage.connection.call(RhythmTap.self, RhythmTap.Params(atUs: tap, lane: beats[index].lane))
      #expect(answer.verdict == (abs(error) <= facts.assistWindowUs ? .hit : .ghost))
      #expect(answer.grade == nil)
      if answer.verdict == .hit {
        hitBeats.insert(beats[index].us)
        hits.append(tap)
      }
    }
    #expect(hits.count >= 6)
    let end = started.startUs + facts.seconds * 1_000_000
    let rest = try stage.step(to: end + 2_500_000)
    let complete = try #require(try rest.all(RhythmComplete.self).first)
    #expect(complete.payload.score.hits == hits.count)
    #expect(complete.payload.score.assisted)
    // As soon as it can be, and told: then the bells begin to go.
    fired += try rest.all(CueFired.self)
    let ends = fired.filter { $0.payload.cue.hasSuffix(":" + facts.over) }
    let over = try #require(ends.first?.tUs)
    #expect(ends.count == 1 && ends[0].payload.skipped == [] && (0...25_000).contains(over - end))
    expected.add(
      track: facts.track, at: Int(begin), fadeIn: frame(facts.crossfade), stems: facts.stems,
      stemsUntil: frame(Double(over - before) / 1_000_000), stemsOut: frame(facts.stemsOut))
    let (left, right, felt) = try stage.end()
    #expect(left == right)

    // Feedback comes as soon as it can, within 25 ms of the tap: touch with the sound, as is told.
    let first = frame(Double(zero) / 1_000_000)
    let hit = try #require(facts.hit.sound)
    let light = try #require(table.patterns[facts.hit.pattern])
    let answers = fired.filter { $0.payload.cue.hasSuffix(":hit") }
    #expect(answers.count == hits.count && answers.allSatisfy { $0.payload.skipped == [] })
    for (tap, answer) in zip(hits, answers) {
      let heard = try #require(answer.payload.soundAtUs)
      #expect((0...25_000).contains(heard - tap), "the hit at \(tap) is heard at \(heard)")
      #expect(answer.payload.hapticAtUs == heard, "and felt at \(answer.payload.hapticAtUs ?? 0)")
      expected.add(sound: hit, at: Int(((heard - before) * 48 + 500) / 1_000))
      levels.add(light, at: heard - before)
    }
    #expect(expected.firstDifference(from: left[first..<first + expected.samples.count]) == nil)
    let lines = felt.map { FeltLevel(us: $0.us - zero, intensity: $0.intensity, sharpness: $0.sharpness) }
    // Beats that were let go after the help came are missed later, by the wider window.
    let widest = facts.assistWindowUs + facts.graceUs
    for beat in beats[facts.misses...] where !hitBeats.contains(beat.us) {
      levels.add(miss, at: beat.us + widest - before)
    }
    #expect(levels.faults(in: lines.filter { $0.us >= 0 }, until: end + 2_000_000 - before).prefix(4) == [])
  }

  /// The bells begin on the frame of their track, and go with it.
  @Test func theBellsStopWithTheChapter() throws {
    let stage = try MomentStage(table)
    let started = try start(stage)
    try stage.step(to: started.startUs + 5_000_000)
    _ = try stage.connection.call(RhythmStop.self, Empty())
    let told = try stage.step(to: started.startUs + 7_000_000).all(MusicChanged.self)
    let stop = try #require(told.first { $0.payload.change == .stopped })
    let (left, _, _) = try stage.end()
    var expected = HeardSamples(table, stage.probes, seconds: 7)
    expected.add(
      track: facts.track, at: 0, until: frame(Double(stop.tUs - started.startUs) / 1_000_000),
      fadeOut: frame(0.5), stems: facts.stems)
    let first = frame(Double(started.startUs - stage.zero) / 1_000_000)
    #expect(left[..<first].allSatisfy { $0 == 0 })
    #expect(expected.firstDifference(from: left[first..<first + expected.samples.count]) == nil)
  }

  /// The song falls silent in 5 ms where it is held, and is heard again from two beats before that place.
  @Test func theSongStandsWithItsChapterAndGoesOnInPlace() throws {
    let stage = try MomentStage(table)
    let started = try start(stage)
    try stage.step(to: started.startUs + 5_000_000)
    let paused = try stage.connection.call(RhythmPause.self, Empty())
    try stage.step(to: paused.pausedUs + 1_000_000)
    let resumed = try stage.connection.call(RhythmResume.self, RhythmResume.Params(countInBeats: 2))
    try stage.step(to: resumed.scheduledUs + 3_000_000)
    let (left, _, _) = try stage.end()
    func frames(_ us: Int64) -> Int { Int((us * 48 + 500) / 1_000) }
    let (first, held, again) = (
      frames(started.startUs - stage.zero), frames(paused.pausedUs - stage.zero),
      frames(resumed.scheduledUs - stage.zero)
    )
    var expected = HeardSamples(table, stage.probes, seconds: Double(again - first) / 48_000)
    expected.add(track: facts.track, at: 0, until: held - first, stems: facts.stems)
    #expect(expected.firstDifference(from: left[first..<again]) == nil)
    // It comes up in 5 ms.
    let place = frames(paused.pausedUs - started.startUs - facts.us(beats: 2)) + 240
    expected = HeardSamples(table, stage.probes, seconds: 2.5)
    expected.add(track: facts.track, at: -place, stems: facts.stems)
    #expect(expected.firstDifference(from: left[again + 240..<again + 240 + expected.samples.count]) == nil)
  }

  @Test func aTapCountsToTheEdgeOfTheWindowAndTheGraceAndNotBeyond() throws {
    let stage = try MomentStage(table)
    let started = try start(stage)
    let beats = facts.beats.map { (us: started.startUs + $0.us, lane: $0.lane) }
    func tap(_ beat: Int, _ error: Int64, deliveredLate late: Int64 = 0) throws -> String {
      try stage.step(to: beats[beat].us + error + late)
      do {
        let answer = try stage.connection.call(
          RhythmTap.self, RhythmTap.Params(atUs: beats[beat].us + error, lane: beats[beat].lane))
        return answer.verdict.rawValue
      } catch {
        guard case .rpc(let error) = error.kind else { throw error }
        return error.data.kind
      }
    }
    #expect(try tap(0, -facts.windowUs) == "hit")
    #expect(try tap(1, facts.windowUs) == "hit")
    #expect(try tap(2, -facts.windowUs - 1) == "ghost")
    #expect(try tap(2, facts.windowUs, deliveredLate: facts.graceUs - 1) == "hit")
    #expect(try tap(3, facts.windowUs + 1) == "ghost")
    #expect(try tap(5, facts.windowUs, deliveredLate: facts.graceUs) == "tooLate")
  }

  private func start(_ stage: MomentStage) throws -> RhythmStart.Result {
    try stage.connection.call(RhythmStart.self, RhythmStart.Params(chapter: facts.name))
  }
}
