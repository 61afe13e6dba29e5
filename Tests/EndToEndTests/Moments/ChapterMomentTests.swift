// SPDX-License-Identifier: Apache-2.0

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
    // Two lanes at once a person has two hands for; and thumbs are not quicker than a semiquaver.
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

    var hits: [(tap: Int64, frame: Range<Int>)] = []
    var hitBeats: Set<Int64> = []
    // From the next beat on, and only where none is near: to the edge of the window and a microsecond beyond it.
    let apart = (facts.misses..<beats.count - 1).filter {
      beats[$0].us - beats[$0 - 1].us > 700_000 && beats[$0 + 1].us - beats[$0].us > 700_000
    }
    for (turn, index) in apart.enumerated() {
      let error = [facts.assistWindowUs, -facts.assistWindowUs, facts.assistWindowUs + 1, 0][turn % 4]
      let tap = beats[index].us + error
      try stage.step(to: tap)
      let answer = try stage.connection.call(RhythmTap.self, RhythmTap.Params(atUs: tap, lane: beats[index].lane))
      #expect(answer.verdict == (abs(error) <= facts.assistWindowUs ? .hit : .ghost))
      #expect(answer.grade == nil)
      if answer.verdict == .hit {
        hitBeats.insert(beats[index].us)
        let from = Int((tap - before) * 48 / 1_000)
        hits.append((tap, from..<from + 48 * 25))
      }
    }
    #expect(hits.count >= 6)
    let end = started.startUs + facts.seconds * 1_000_000
    let rest = try stage.step(to: end + 2_500_000)
    let complete = try #require(try rest.all(RhythmComplete.self).first)
    #expect(complete.payload.score.hits == hits.count)
    #expect(complete.payload.score.assisted)
    // As soon as it can be, and told: then the bells begin to go.
    let fired = try rest.all(CueFired.self).filter { $0.payload.cue.hasSuffix(":" + facts.over) }
    let over = try #require(fired.first?.tUs)
    #expect(fired.count == 1 && fired[0].payload.skipped == [] && (0...25_000).contains(over - end))
    expected.add(
      track: facts.track, at: Int(begin), fadeIn: frame(facts.crossfade), stems: facts.stems,
      stemsUntil: frame(Double(over - before) / 1_000_000), stemsOut: frame(facts.stemsOut))
    let (left, right, felt) = try stage.end()
    #expect(left == right)

    // Feedback comes as soon as it can: where it was heard first is looked for, and must be within 25 ms of the tap.
    let first = frame(Double(zero) / 1_000_000)
    let hit = try #require(facts.hit.sound)
    for (tap, within) in hits {
      let heard = within.first { abs(left[first + $0] - expected.samples[$0]) > 3e-4 }
      let start = try #require(heard, "the hit at \(tap) is not heard")
      expected.add(sound: hit, at: start)
    }
    #expect(expected.firstDifference(from: left[first..<first + expected.samples.count]) == nil)
    let lines = felt.map { FeltLevel(us: $0.us - zero, intensity: $0.intensity, sharpness: $0.sharpness) }
    let light = try #require(table.patterns[facts.hit.pattern]?.taps?.first)
    for (tap, _) in hits {
      let line = lines.first { $0.us >= tap - before && $0.us <= tap - before + 25_000 }
      let felt = try #require(line, "the hit at \(tap) is not felt")
      #expect(abs(felt.intensity - light[1]) < 2e-4 && abs(felt.sharpness - light[2]) < 2e-4)
      levels.add(try #require(table.patterns[facts.hit.pattern]), at: felt.us)
    }
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
