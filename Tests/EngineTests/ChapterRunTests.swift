// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Outcomes
import Rhythm
import Testing
import Timing
import Wire

@testable import Engine

/// A chapter that is held, goes on and begins anew: all of it moves together. Its track has 120 BPM, its beats are at 1 and
/// 2 s of 3, and come into sight 2 s ahead.
@Suite struct ChapterRunTests {
  private func start(_ fixture: inout EngineFixture, _ params: RhythmStart.Params = .init(chapter: "tap")) throws
    -> RhythmStart.Result
  {
    try fixture.engine.startChapter(params, by: Cause(client: ClientID(rawValue: 7), user: 1_000))
  }

  private func tap(_ fixture: inout EngineFixture, atUs: Int64, run: Int64? = nil) throws -> RhythmTap.Result {
    try fixture.engine.tap(RhythmTap.Params(atUs: atUs, run: run), arrival: fixture.output.now)
  }

  @Test func whatWasAnnouncedIsRecalledAndComesWhereItMoved() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture)
    // The beat at 1 s is handed out 250 ms ahead; the pause comes before it.
    _ = fixture.run(to: started.startUs + 900_000)
    let paused = try fixture.engine.pauseChapter()
    #expect(paused.pausedUs == started.startUs + 910_000)
    #expect(paused.positionUs == 910_000)
    let held = fixture.run(to: started.startUs + 4_000_000)
    #expect(held.recalls.map { [$0.group == "rhythm" ? 1 : 0, $0.fromUs] } == [[1, paused.pausedUs]])
    #expect(held.told(RhythmBeat.self).isEmpty)
    #expect(held.told(RhythmJudgement.self).isEmpty, "nothing is missed while nothing goes on")
    #expect(held.told(RhythmChanged.self).map(\.payload.change) == [.paused])

    // Two beats of 120 BPM are 1 s, but the song has only one and a bit more before.
    let resumed = try fixture.engine.resumeChapter(RhythmResume.Params(countInBeats: 2))
    #expect(resumed.countInBeats == 1)
    #expect(resumed.goesOnUs == resumed.scheduledUs + 500_000)
    #expect(resumed.movedUs == resumed.goesOnUs - paused.pausedUs)
    #expect(resumed.startUs == started.startUs + resumed.movedUs)
    let after = fixture.run(to: resumed.endUs + 100_000)
    #expect(after.told(RhythmBeat.self).map(\.tUs) == [1, 2].map { resumed.startUs + $0 * 1_000_000 })
    #expect(after.told(RhythmSpawn.self).isEmpty, "both were in sight before")
    #expect(after.told(RhythmJudgement.self).map(\.tUs) == [1, 2].map { resumed.startUs + $0 * 1_000_000 + 150_000 })
    #expect(after.told(RhythmComplete.self).map(\.tUs) == [resumed.endUs])
  }

  /// The sound is 10 ms ahead, so what is asked for now is held then.
  @Test(arguments: Array(stride(from: Int64(9_000), through: 11_000, by: 100)))
  func aChapterIsHeldBeforeItsEndOrNotAtAll(beforeUs: Int64) throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture)
    _ = fixture.run(to: started.endUs - beforeUs)
    let paused = try? fixture.engine.pauseChapter()
    #expect((paused != nil) == (beforeUs > 10_000))
    let after = fixture.run(to: started.endUs + 100_000)
    if let paused {
      #expect(paused.pausedUs < started.endUs)
      #expect(after.told(RhythmComplete.self).isEmpty)
    } else {
      #expect(after.told(RhythmComplete.self).map(\.tUs) == [started.endUs])
      #expect(after.told(RhythmChanged.self).isEmpty && after.musicSteps == [])
      #expect(fixture.engine.musicStatus().state == .playing, "the song plays on behind the chapter's end")
    }
  }

  @Test func theSongIsSoughtToTheCountInOnTheFrameOfItsInstant() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture)
    _ = fixture.run(to: started.startUs + 1_700_000)
    let paused = try fixture.engine.pauseChapter()
    let before = fixture.run(to: started.startUs + 3_000_000)
    #expect(before.musicSteps == ["pause at \(EngineFixture.frame(paused.pausedUs))"])
    let resumed = try fixture.engine.resumeChapter(RhythmResume.Params(countInBeats: 1))
    let steps = fixture.run(to: resumed.scheduledUs + 20_000).musicSteps
    let frame = EngineFixture.frame(resumed.scheduledUs)
    let place = (paused.positionUs - 500_000) * 48 / 1_000
    #expect(
      steps == ["stop at \(frame)", "start from \(place) at \(frame)", "pause at \(frame)", "resume at \(frame)"])
  }

  @Test func theSongIsToldToGoOnFromThePlaceWhereItIsHeardAndNotToStandThere() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture)
    _ = fixture.run(to: started.startUs + 1_700_000)
    let paused = try fixture.engine.pauseChapter()
    let before = fixture.run(to: started.startUs + 3_000_000).told(MusicChanged.self)
    #expect(before.map(\.payload.change) == [.paused] && before.map(\.tUs) == [paused.pausedUs])
    let resumed = try fixture.engine.resumeChapter(RhythmResume.Params(countInBeats: 1))
    let after = fixture.run(to: resumed.scheduledUs + 100_000)
    let music = after.told(MusicChanged.self)
    #expect(music.map(\.payload.change) == [.resumed] && music.map(\.tUs) == [resumed.scheduledUs])
    #expect(music.map(\.payload.positionUs) == [paused.positionUs - 500_000])
    #expect(after.told(RhythmChanged.self).map(\.payload.change) == [.resumed])
    #expect(after.told(RhythmChanged.self).map(\.tUs) == [resumed.scheduledUs])
  }

  @Test func tapsCountAgainWhenTheCountInIsOver() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture)
    _ = fixture.run(to: started.startUs + 940_000)
    let paused = try fixture.engine.pauseChapter()
    _ = fixture.run(to: started.startUs + 1_500_000)
    let refused = #expect(throws: RPCError.self) { try tap(&fixture, atUs: paused.pausedUs) }
    #expect(refused?.data.kind == "notRunning")
    let resumed = try fixture.engine.resumeChapter(RhythmResume.Params(countInBeats: 1))
    _ = fixture.run(to: resumed.goesOnUs + 60_000)
    #expect(try tap(&fixture, atUs: resumed.goesOnUs - 1).verdict == .ghost)
    let hit = try tap(&fixture, atUs: resumed.goesOnUs)
    #expect(hit.verdict == .hit && hit.errorUs == -50_000)
  }

  @Test func aTapOfBeforeThePauseCountsHoweverLateItComes() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture)
    _ = fixture.run(to: started.startUs + 940_000)
    let paused = try fixture.engine.pauseChapter()
    _ = fixture.run(to: started.startUs + 30_000_000)
    let hit = try tap(&fixture, atUs: paused.pausedUs - 1)
    #expect(hit.verdict == .hit && hit.errorUs == -50_001)
  }

  @Test func aRestartIsAnotherRunAndTapsOfTheLastAreRefused() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture)
    _ = fixture.run(to: started.startUs + 1_000_000)
    #expect(try tap(&fixture, atUs: started.startUs + 1_000_000, run: started.run).verdict == .hit)
    let again = try fixture.engine.restartedChapter()
    #expect(again.run == started.run + 1)
    #expect(again.startUs - fixture.output.now.microseconds >= 1_000_000, "the first spawn is whole")
    let refused = #expect(throws: RPCError.self) {
      try tap(&fixture, atUs: fixture.output.now.microseconds, run: started.run)
    }
    #expect(refused?.data.kind == "notRunning")
    #expect(fixture.engine.chapterStatus().score.hits == 0)
    let after = fixture.run(to: again.endUs + 300_000)
    #expect(after.told(RhythmBeat.self).map(\.tUs) == [again.startUs + 1_000_000, again.startUs + 2_000_000])
    #expect(after.told(RhythmComplete.self).map(\.payload.score.misses) == [2])
    #expect(
      after.musicSteps.filter { $0.hasPrefix("start") } == ["start from 0 at \(EngineFixture.frame(again.startUs))"])
  }

  /// A chapter that can begin at once: its beat comes into sight in the middle of its song.
  private static func promptly(_ pack: inout Catalog.Pack) throws {
    pack.beatMaps = ["tap": try beats(#"[{"at":2.5}]"#)]
  }

  private static func beats(_ list: String) throws -> BeatMap {
    try BeatMapFile.parse(Array(#"{"beats":\#(list)}"#.utf8), path: "beats.json").map(lanes: [], length: 3_000_000)
  }

  @Test func runsThatFollowFasterThanTheirSongsFadeAreRefusedAndNoneIsWithoutItsSong() throws {
    var fixture = try EngineFixture(change: Self.promptly)
    _ = try start(&fixture)
    var kinds: [String] = []
    var now: Int64 = 1_100_000
    for _ in 0..<40 {
      _ = fixture.run(to: now)
      do {
        _ = try fixture.engine.restartedChapter()
        kinds.append("")
      } catch { kinds.append(error.data.kind) }
      now += 20_000
    }
    #expect(Set(kinds) == ["", "busy"])
    let last = try #require(fixture.engine.chapterStatus().startUs)
    let after = fixture.run(to: now + 600_000)
    #expect(after.told(MusicCancelled.self).isEmpty)
    #expect(fixture.engine.musicStatus().state == .playing)
    #expect(fixture.engine.musicStatus().positionUs == fixture.output.now.microseconds - last)
  }

  @Test func aChapterWhoseSongCannotBeOpenedEndsAtItsInstant() throws {
    var fixture = try EngineFixture(change: Self.promptly)
    _ = fixture.run(to: 1_100_000)
    let started = try start(&fixture)
    let song = try #require(fixture.engine.takeActions().audio.compactMap(\.trackStart).last)
    fixture.engine.trackUnavailable(song.id, at: song.at)
    let after = fixture.run(to: started.endUs)
    #expect(after.told(MusicCancelled.self).map(\.payload.reason) == [.unavailable])
    #expect(after.told(RhythmComplete.self).map { [$0.tUs, $0.payload.stopped ? 1 : 0] } == [[started.startUs, 1]])
    #expect(after.told(RhythmBeat.self).isEmpty && after.told(RhythmSpawn.self).isEmpty)
    #expect(!fixture.engine.isJudging)
  }

  @Test func beatsWhoseCellOpensBeforeThePlaceTakeNoPart() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture, .init(chapter: "tap", positionUs: 850_001))
    #expect(started.beats == 1)
    #expect(started.endUs == started.startUs + 2_149_999)
    let told = fixture.run(to: started.endUs + 100_000)
    #expect(told.told(RhythmBeat.self).map(\.payload.beat) == [1])
    #expect(told.told(RhythmBeat.self).map(\.tUs) == [started.startUs + 1_149_999])
    #expect(told.musicSteps.first == "start from 40800 at \(EngineFixture.frame(started.startUs))")
    #expect(throws: RPCError.self) { try start(&fixture, .init(chapter: "tap", positionUs: 1_850_001)) }
    #expect(throws: RPCError.self) { try start(&fixture, .init(chapter: "tap", positionUs: 3_000_000)) }
  }

  /// The last beat's window and the grace behind it reach beyond the chapter's length.
  @Test func itEndsAndLetsGoOfTheMusicAtTheInstantThatWasPromised() throws {
    var fixture = try EngineFixture()
    let map = JSONText(.object(["beats": .array([0.5, 2.95].map { .object(["at": .number($0)]) })]))
    let started = try start(&fixture, .init(chapter: "tap", map: map))
    #expect(started.endUs == started.startUs + 3_150_000)
    #expect(fixture.engine.chapterStatus().endUs == started.endUs)
    _ = fixture.run(to: started.startUs + 2_000_000)
    let inside = #expect(throws: RPCError.self) {
      try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: started.endUs - 1), by: .daemon)
    }
    #expect(inside?.data.kind == "heldByChapter")
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: started.endUs), by: .daemon)
    let told = fixture.run(to: started.endUs + 500_000)
    #expect(told.told(RhythmComplete.self).map(\.tUs) == [started.endUs])
    #expect(told.told(MusicChanged.self).map(\.tUs) == [started.endUs])
  }

  @Test func aFasterSongHasItsBeatsSoonerAndItsWindowsAsEver() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture, .init(chapter: "tap", rate: 1.5))
    #expect(started.endUs == started.startUs + 2_000_000)
    let told = fixture.run(to: started.endUs + 100_000)
    #expect(told.told(RhythmBeat.self).map(\.tUs) == [started.startUs + 666_667, started.startUs + 1_333_333])
    let spawned = told.told(RhythmSpawn.self).map { $0.payload.beatUs - $0.tUs }
    #expect(spawned == [2_000_000, 2_000_000])
    #expect(told.told(RhythmJudgement.self).map(\.tUs).first == started.startUs + 816_667)
    #expect(told.pitches == [1.5])
  }

  @Test func aMapInPlaceOfItsOwnIsReadAsThoseOfPacks() throws {
    var fixture = try EngineFixture()
    let map = JSONText(.object(["beats": .array([.object(["at": .number(0.5)])])]))
    let started = try start(&fixture, .init(chapter: "tap", map: map))
    #expect(started.beats == 1)
    _ = try fixture.engine.stopChapter(by: .daemon)
    let bad = JSONText(
      .object(["beats": .array([.object(["at": .number(5)]), .object(["att": .number(1)])]), "x": .integer(1)]))
    let refused = #expect(throws: RPCError.self) { try start(&fixture, .init(chapter: "tap", map: bad)) }
    #expect(refused?.data.kind == "invalidParams")
    let places = refused?.data.problems?.compactMap(\.where.field)
    #expect(Set(places ?? []) == ["x", "beats[0]", "beats[1].att"])
    let outside = JSONText(.object(["beats": .array([.object(["at": .number(5)])])]))
    let late = #expect(throws: RPCError.self) { try start(&fixture, .init(chapter: "tap", map: outside)) }
    #expect(late?.data.problems?.map(\.where.field) == ["beats[0]"])
  }

  @Test func aChapterGoesOnForItsLeaseAndEndsWithItsMusicFading() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture, .init(chapter: "tap", leaseUs: 700_000))
    _ = fixture.run(to: started.startUs + 1_000_000)
    fixture.engine.clientLeft(ClientID(rawValue: 8))
    #expect(fixture.engine.chapterStatus().leaseEndsUs == nil, "another client's going changes nothing")
    fixture.engine.clientLeft(ClientID(rawValue: 7))
    let ends = started.startUs + 1_700_000
    #expect(fixture.engine.chapterStatus().leaseEndsUs == ends)
    let told = fixture.run(to: ends + 100_000)
    #expect(told.told(RhythmComplete.self).map(\.tUs) == [ends])
    #expect(told.told(RhythmComplete.self).map(\.payload.stopped) == [true])
    // As soon as it can be heard, over half a second.
    let fades = told.audio.compactMap { step in
      if case .command(.stop(_, let frame, let fade)) = step { [frame, Int64(fade.frames)] } else { nil }
    }
    #expect(fades == [[EngineFixture.frame(ends + 10_000), 24_000]])
    #expect(fixture.engine.holdings["chapters"] == 0)
  }

  @Test func aClientOfTheSameUserTakesItOver() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture, .init(chapter: "tap", leaseUs: 700_000))
    _ = fixture.run(to: started.startUs + 1_000_000)
    fixture.engine.clientLeft(ClientID(rawValue: 7))
    let stranger = Cause(client: ClientID(rawValue: 9), user: 1_001)
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.takeOverChapter(RhythmTakeOver.Params(), by: stranger)
    }
    #expect(refused?.data.kind == "notPermitted")
    let own = Cause(client: ClientID(rawValue: 10), user: 1_000)
    #expect(try fixture.engine.takeOverChapter(RhythmTakeOver.Params(), by: own).leaseEndsUs == nil)
    let told = fixture.run(to: started.endUs + 300_000)
    #expect(told.told(RhythmComplete.self).map(\.payload.stopped) == [false])
  }

  @Test func whoComesBackIsToldAllThatIsNeededToDrawItAnew() throws {
    var fixture = try EngineFixture()
    let started = try start(&fixture)
    _ = fixture.run(to: started.startUs + 1_020_000)
    _ = try tap(&fixture, atUs: started.startUs + 1_010_000)
    let status = fixture.engine.chapterStatus()
    #expect(status.run == started.run && status.startUs == started.startUs && status.endUs == started.endUs)
    #expect(status.windowUs == 150_000 && status.beats == 2 && status.rate == 1 && status.lanes.isEmpty)
    #expect(status.beatsInSight.map(\.beatUs) == [started.startUs + 2_000_000])
    #expect(
      status.verdicts == [RhythmStatus.JudgedBeat(beat: 0, verdict: .hit, errorUs: 10_000, grade: nil)])
    #expect(status.score.combo == 1 && status.score.accuracy == 1)
  }

  /// Sixty beats 25 ms apart, the first at 0.5 s: cells of 12.5 ms to each side, a grace of 50 ms, and all in sight at the
  /// song's beginning, 2 s ahead.
  @Test func ofManyBeatsTheNextOnesAndTheLastVerdictsAreTold() throws {
    let list = (0..<60).map { #"{"at":\#(500 + 25 * $0)e-3}"# }.joined(separator: ",")
    var fixture = try EngineFixture { $0.beatMaps = ["tap": try Self.beats("[\(list)]")] }
    let started = try start(&fixture)
    func status(at us: Int64) -> RhythmStatus.Result {
      _ = fixture.run(to: started.startUs + us)
      return fixture.engine.chapterStatus()
    }
    let atFirst = status(at: 0)
    #expect(atFirst.beats == 60 && atFirst.verdicts.isEmpty)
    // The 33rd comes into the list as the first goes out of it.
    #expect(atFirst.beatsInSight.map(\.beat) == Array(0...31))
    #expect(atFirst.beatsInSight.last?.beatUs == started.startUs + 1_275_000)
    _ = status(at: 500_000)
    _ = try tap(&fixture, atUs: started.startUs + 500_000)
    // The beat at 0.525 s is missed at 0.5875 s, that at 0.55 s at 0.6125 s.
    #expect(status(at: 600_000).beatsInSight.map(\.beat) == Array(2...33))
    // The 48th, at 1.675 s, is missed at 1.7375 s, the next 25 ms later.
    let full = status(at: 1_740_000)
    #expect(full.verdicts.map(\.beat) == Array(0...47) && full.beatsInSight.map(\.beat) == Array(48...59))
    #expect(full.verdicts.map(\.verdict) == [.hit] + Array(repeating: .miss, count: 47))
    #expect(status(at: 1_770_000).verdicts.map(\.beat) == Array(1...48), "the first goes as the 49th comes")
    let last = status(at: 2_900_000)
    #expect(last.verdicts.map(\.beat) == Array(12...59) && last.beatsInSight.isEmpty)
    #expect(last.score.hits == 1 && last.score.misses == 59, "the score counts all of them")
  }

  @Test func whoComesBackInACountInSeesWhatWasInSightAndWhenItGoesOn() throws {
    var fixture = try EngineFixture { $0.beatMaps = ["tap": try Self.beats(#"[{"at":1},{"at":2.8}]"#)] }
    let started = try start(&fixture)
    _ = fixture.run(to: started.startUs + 900_000)
    let paused = try fixture.engine.pauseChapter()
    _ = fixture.run(to: started.startUs + 1_500_000)
    #expect(fixture.engine.chapterStatus().beatsInSight.count == 2)
    #expect(fixture.engine.chapterStatus().goesOnUs == nil)
    let resumed = try fixture.engine.resumeChapter(RhythmResume.Params(countInBeats: 1))
    #expect(fixture.engine.chapterStatus().positionUs == paused.positionUs, "it stands until it goes on")
    for passed in [0, 250_000, 499_999] {
      _ = fixture.run(to: resumed.scheduledUs + Int64(passed))
      let status = fixture.engine.chapterStatus()
      #expect(status.goesOnUs == resumed.goesOnUs && status.pausedUs == nil)
      #expect(status.beatsInSight.map(\.beatUs) == [1_000_000, 2_800_000].map { resumed.startUs + $0 })
      #expect(status.positionUs == paused.positionUs - 500_000 + Int64(passed))
    }
    _ = fixture.run(to: resumed.goesOnUs)
    #expect(fixture.engine.chapterStatus().goesOnUs == nil)
  }
}

/// A chapter and its music are one.
@Suite struct ChapterMusicTests {
  @Test func otherVerbsOfMusicAreRefusedWhileItRuns() throws {
    var fixture = try EngineFixture()
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    // Before the song begins the music is not the chapter's.
    let early = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: .daemon)
    #expect(early.scheduledUs < started.startUs)
    _ = fixture.run(to: started.startUs + 500_000)
    let refused = [
      #expect(throws: RPCError.self) { try fixture.engine.playMusic(.init(track: "other"), by: .daemon) },
      #expect(throws: RPCError.self) { try fixture.engine.stopMusic(.init(), by: .daemon) },
      #expect(throws: RPCError.self) { try fixture.engine.pauseMusic(.init(), by: .daemon) },
      #expect(throws: RPCError.self) { try fixture.engine.resumeMusic(.init(), by: .daemon) },
      #expect(throws: RPCError.self) { try fixture.engine.seekMusic(.init(positionUs: 0), by: .daemon) },
    ]
    #expect(refused.allSatisfy { $0?.data.kind == "heldByChapter" && $0?.data.hint?.contains("rhythm.stop") == true })
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5), by: .daemon)
    // What comes after its end is nobody's business.
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: started.endUs + 400_000), by: .daemon)
  }

  @Test func plansOfOthersThatFallInsideAreCalledOff() throws {
    var fixture = try EngineFixture()
    let now = fixture.output.now.microseconds
    let inside = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: now + 3_000_000), by: .daemon)
    let behind = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: now + 9_000_000), by: .daemon)
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    #expect(started.startUs < inside.scheduledUs)
    var told = fixture.run(to: started.startUs + 100_000).told(MusicCancelled.self)
    #expect(told.map(\.payload.plan) == [inside.plan] && told.map(\.payload.reason) == [.chapter])
    // While it is paused nobody knows when it will be over.
    _ = try fixture.engine.pauseChapter()
    told = fixture.run(to: started.startUs + 200_000).told(MusicCancelled.self)
    #expect(told.map(\.payload.plan) == [behind.plan] && told.map(\.payload.reason) == [.chapter])
    #expect(throws: RPCError.self) {
      try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: now + 90_000_000), by: .daemon)
    }
  }

  @Test func aStepOfACueIsSkippedAndToldWhy() throws {
    var fixture = try EngineFixture()
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: started.startUs + 500_000)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "lock"), by: .daemon)
    #expect(fired.skipped.contains(Self.skippedForAChapter), "\(fired.skipped)")
  }

  @Test func aStepThatWouldStopTheMusicIsSkippedToo() throws {
    var fixture = try EngineFixture(
      cues: #"""
        "hush": {"steps": [{"sound": "click"}, {"music": {"stop": true, "fade": 0.5}}]}
        """#)
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: started.startUs + 500_000)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "hush"), by: .daemon)
    #expect(
      fired.skipped == [CueSkip(.heldByChapter, step: "music.stop", reason: Self.heldByAChapter)])
    let after = fixture.run(to: started.startUs + 1_500_000)
    #expect(after.soundStarts.count == 1 && after.musicSteps.isEmpty, "the click comes, and the music goes on")
    #expect(fixture.engine.musicStatus().state == .playing && fixture.engine.chapterStatus().running)
  }

  private static let skippedForAChapter = CueSkip(
    .heldByChapter, step: "music.play game:other", reason: heldByAChapter)

  private static let heldByAChapter = """
    the music belongs to chapter game:tap, which is running then; rhythm.pause, rhythm.resume and rhythm.restart move \
    both, rhythm.stop ends both; music.gain and the volumes work
    """

  @Test func aStepThatAChapterOvertakesIsToldInTheSameWords() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "lock", atUs: 5_000_000), by: .daemon)
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap", atUs: 4_500_000), by: .daemon)
    let told = fixture.run(to: 5_100_000).lines.filter { $0.contains("cue.fired") }
    #expect(told.count == 1 && told[0].contains(Self.heldByAChapter), "\(told)")
  }

  @Test func itsOwnPlanIsNotCalledOffByItsNumber() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    let plan = try #require(fixture.engine.musicStatus().planned.first?.plan)
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.cancelMusic(MusicCancel.Params(plan: plan), by: .daemon)
    }
    #expect(refused?.data.kind == "heldByChapter")
  }

  @Test func pausedBeforeItsSongBeginsItLeavesTheMusicThatPlays() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: .daemon)
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: started.startUs - 500_000)
    _ = try fixture.engine.pauseChapter()
    _ = fixture.run(to: started.startUs + 5_000_000)
    #expect(fixture.engine.musicStatus().track == "game:other")
    let resumed = try fixture.engine.resumeChapter(RhythmResume.Params())
    #expect(resumed.countInBeats == 0)
    let told = fixture.run(to: resumed.endUs)
    #expect(told.musicSteps.contains("start from 0 at \(EngineFixture.frame(resumed.startUs))"))
  }

  @Test func stoppedWhilePausedItLeavesNothingBehind() throws {
    var fixture = try EngineFixture()
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: started.startUs + 500_000)
    _ = try fixture.engine.pauseChapter()
    _ = fixture.run(to: started.startUs + 600_000)
    _ = try fixture.engine.stopChapter(by: .daemon)
    _ = fixture.run(to: started.startUs + 1_600_000)
    #expect(fixture.engine.musicStatus().state == .stopped)
    #expect(fixture.engine.musicStatus().pausedBy.isEmpty)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: .daemon)
    _ = fixture.run(to: started.startUs + 1_700_000)
    #expect(fixture.engine.musicStatus().state == .playing)
  }
}

extension EngineFixture {
  /// The frame of an instant, as the fixture's outputs run.
  static func frame(_ microseconds: Int64) -> Int64 {
    output(at: microseconds).timeline.frame(at: Instant(microseconds: microseconds))
  }
}

extension [EngineAction] {
  /// What was told by notifications of one kind.
  func told<Payload: WireNotification>(_ kind: Payload.Type) -> [(tUs: Int64, payload: Payload)] {
    lines.compactMap { line in
      guard case .notification(Payload.name, _, let tUs, let params)? = ServerMessage(line: [UInt8](line.utf8)) else {
        return nil
      }
      return (try? decodeJSON(Payload.self, from: params)).map { (tUs, $0) }
    }
  }

  /// What was recalled, and from when on.
  fileprivate var recalls: [(group: String, fromUs: Int64)] {
    compactMap { action in
      guard case .notify(let notification, _) = action, let group = notification.recalls else { return nil }
      return (group, notification.recallsFromUs ?? 0)
    }
  }

  /// How fast tracks are played that began.
  fileprivate var pitches: [Float] {
    audio.compactMap { step in if case .start(let start) = step, start.track != nil { start.pitch } else { nil } }
  }

  /// What the mixer was told of tracks.
  fileprivate var musicSteps: [String] {
    audio.compactMap { step in
      switch step {
      case .start(let start): start.track == nil ? nil : "start from \(start.sourceFrame) at \(start.at)"
      case .command(.pause(_, let frame, _)): "pause at \(frame)"
      case .command(.resume(_, let frame, _)): "resume at \(frame)"
      case .command(.stop(_, let frame, _)): "stop at \(frame)"
      default: nil
      }
    }
  }
}
