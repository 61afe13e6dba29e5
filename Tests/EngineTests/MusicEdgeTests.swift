// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What verbs of music come to where two things fall on one frame, where nothing can be heard, and where the mixer is ahead.
@Suite struct MusicEdgeTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)
  private let a = LoadedKey.of("a")
  private let declick = Fade(frames: 240)
  private let fade = Fade(frames: 24_000, curve: .equalPower)

  private func playing(_ track: String = "main") throws -> EngineFixture {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: track), by: me)
    _ = fixture.run(to: 2_000_000)
    return fixture
  }

  private func request(_ name: String, frames: Int64 = 100_000, continues: Bool = false) -> MusicPlayer.Request {
    MusicPlayer.Request(
      track: .of(name),
      info: TrackInfo(frames: frames, loop: LoopRegion(start: 0, end: frames), headFrames: 24_000), position: 0,
      loops: false, continues: continues, fade: fade, standsWhenOff: true)
  }

  private func voice(_ number: UInt64) -> VoiceID { VoiceID(rawValue: number) }

  @Test func whatIsSilentStandsWithTheRest() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.gain(0, declick), voice: voice(0), at: 1_000, declick: declick)
    _ = player.apply(.pause(.client, fade), voice: voice(0), at: 2_000, declick: declick)
    #expect(player.position(at: 40_000) == 26_000)
  }

  /// Where it was before it was sought it is turned down for a second, of which the stop and the other track leave half.
  @Test(arguments: [true, false])
  func aTrackThatStandsWhereItWasSoughtToIsHeardWhereItWasAndSaysForHowLong(stops: Bool) {
    var player = MusicPlayer()
    let (long, half) = (Fade(frames: 48_000), Fade(frames: 24_000))
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.pause(.client, long), voice: voice(0), at: 20_000, declick: declick)
    _ = player.apply(.seek(position: 50_000, lateBy: 0, crossfade: long), voice: voice(2), at: 21_000, declick: declick)
    var other = request("b")
    other.fade = half
    let outcome = player.apply(stops ? .stop(half) : .play(other), voice: voice(3), at: 22_000, declick: declick)
    let told = outcome.changes.first
    #expect(told?.kind == .stopped && told?.track == a.key && told?.fade?.frames == 24_000)
    #expect(player.fading(at: 45_999).map(\.voice) == [voice(1)] && player.fading(at: 46_000).isEmpty)
  }

  @Test func aTrackThatNobodyHasHeardYetIsNotBroughtBack() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.play(request("b")), voice: voice(2), at: 5_000, declick: declick)
    _ = player.apply(.play(request("c")), voice: voice(3), at: 5_000, declick: declick)
    // The mixer has ended the second one at once: there is nothing to fade.
    let back = player.apply(.play(request("b", continues: true)), voice: voice(4), at: 6_000, declick: declick)
    #expect(back.steps.contains { $0.trackStart?.id == voice(4) })
  }

  @Test func aTrackThatEndsWhileItFadesOutIsNotBroughtBackAfterItsEnd() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a", frames: 10_000)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.play(request("b")), voice: voice(2), at: 9_000, declick: declick)
    #expect(player.fading(at: 9_999).map(\.track) == [a])
    #expect(player.fading(at: 10_000).isEmpty)
    let back = player.apply(
      .play(request("a", frames: 10_000, continues: true)), voice: voice(3), at: 10_000, declick: declick)
    #expect(back.changes.last?.position == 0)
    #expect(back.steps.contains { $0.trackStart?.id == voice(3) })
  }

  @Test func aTailThatIsOverBeforeItStandsStaysOver() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.play(request("b")), voice: voice(2), at: 1_000, declick: declick)
    _ = player.apply(.pause(.client, declick), voice: voice(0), at: 24_900, declick: declick)
    #expect(player.fading(at: 24_999).map(\.track) == [a])
    #expect(player.fading(at: 25_000).isEmpty)
    let resumed = player.apply(.resume(.client, declick), voice: voice(0), at: 90_000, declick: declick)
    #expect(player.fading(at: 90_000).isEmpty && resumed.steps.count == 1)
  }

  @Test(arguments: [(2_000, 240), (2_040, 200)] as [(Int64, Int32)])
  func aSeekInTheFadeOfAPauseProlongsNothing(_ at: Int64, _ left: Int32) {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.pause(.client, declick), voice: voice(0), at: 2_000, declick: declick)
    let sought = player.apply(
      .seek(position: 50_000, lateBy: 0, crossfade: fade), voice: voice(2), at: at, declick: declick)
    #expect(sought.steps.stopped == [Stopped(voice: voice(1), at: at, frames: left)])
    #expect(sought.changes.map(\.kind) == [.paused])
    #expect(sought.changes.first?.fade == Fade(frames: left))
    #expect(player.fading(at: 2_239).map(\.track) == [a])
    #expect(player.fading(at: 2_240).isEmpty)
  }

  @Test func aSeekThatIsOverSoonerThanThePauseEndsWhatItTurnsDown() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.pause(.client, fade), voice: voice(0), at: 2_000, declick: declick)
    let sought = player.apply(
      .seek(position: 50_000, lateBy: 0, crossfade: declick), voice: voice(2), at: 3_000, declick: declick)
    #expect(sought.steps.stopped == [Stopped(voice: voice(1), at: 3_000, frames: 240)])
  }

  @Test func aStopInTheFadeOfAPauseProlongsNothing() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.pause(.client, declick), voice: voice(0), at: 2_000, declick: declick)
    let stopped = player.apply(.stop(fade), voice: voice(0), at: 2_100, declick: declick)
    #expect(stopped.steps.stopped == [Stopped(voice: voice(1), at: 2_100, frames: 140)])
    #expect(stopped.changes.first?.fade == Fade(frames: 140))
  }

  @Test func aTrackThatIsPlayedInTheFadeOfAClientsPauseIsCrossFadedFromIt() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.pause(.client, declick), voice: voice(0), at: 2_000, declick: declick)
    let played = player.apply(.play(request("b")), voice: voice(2), at: 2_120, declick: declick)
    #expect(played.steps.stopped == [Stopped(voice: voice(1), at: 2_120, frames: 24_000)])
    #expect(played.changes.map(\.kind) == [.crossfaded])
  }

  @Test func withATrackThatEndsBeforeItStandsAClientsPauseEndsWhatFadesOut() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a")), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.play(request("b", frames: 10_000)), voice: voice(2), at: 1_000, declick: declick)
    let paused = player.apply(.pause(.client, declick), voice: voice(0), at: 10_900, declick: declick)
    #expect(paused.steps.stopped == [Stopped(voice: voice(1), at: 10_900, frames: 240)])
    player.settle(at: 11_200)
    #expect(player.current == nil && player.pauses.isEmpty && player.fading(at: 11_200).isEmpty)
  }

  @Test func aTrackThatStandsAtItsVeryEndEndsWhenItGoesOn() {
    var player = MusicPlayer()
    _ = player.apply(.play(request("a", frames: 10_000)), voice: voice(1), at: 0, declick: declick)
    _ = player.apply(.pause(.client, declick), voice: voice(0), at: 9_760, declick: declick)
    player.settle(at: 20_000)
    #expect(player.current?.track == a && player.position(at: 20_000) == 10_000)
    _ = player.apply(.resume(.client, declick), voice: voice(0), at: 20_000, declick: declick)
    player.settle(at: 20_000)
    #expect(player.current == nil && player.endedByItself(voice(1)))
  }

  @Test func theQuietestTailMakesRoomForANinthTrackAndIsNotBroughtBack() {
    var player = MusicPlayer()
    for turn in 0..<8 {
      let began = player.apply(
        .play(request("\(turn)")), voice: voice(UInt64(turn) + 1), at: Int64(turn) * 1_000, declick: declick)
      #expect(began.steps.stopped.allSatisfy { $0.frames > 240 })
    }
    let ninth = player.apply(.play(request("8")), voice: voice(9), at: 8_000, declick: declick)
    let cut = ninth.steps.stopped.filter { $0.frames == 240 }
    #expect(cut.count == 1)
    let lost = "\((cut.first?.voice.rawValue ?? 0) - 1)"
    let back = player.apply(.play(request(lost, continues: true)), voice: voice(10), at: 8_100, declick: declick)
    #expect(back.steps.contains { $0.trackStart?.id == voice(10) })
  }

  @Test func aTrackThatMakesRoomIsNotSentOffAgainForTheNextAndFadesNoLongerForIt() {
    var player = MusicPlayer()
    for turn in 0..<8 {
      _ = player.apply(
        .play(request("\(turn)")), voice: voice(UInt64(turn) + 1), at: Int64(turn) * 1_000, declick: declick)
    }
    var cut: Set<UInt64> = []
    for turn in 8..<12 {
      let began = player.apply(
        .play(request("\(turn)")), voice: voice(UInt64(turn) + 1), at: 8_000 + Int64(turn), declick: declick)
      cut.formUnion(began.steps.stopped.filter { $0.frames == 240 }.map(\.voice.rawValue))
    }
    #expect(cut.count == 4)
    // As the mixer counts: eight and what plays, less the one that it took for it.
    #expect(player.fading(at: 8_300).count == 7)
  }

  @Test func theStatusIsOfNowAlsoBeforeTheEngineHasGoneOn() throws {
    var fixture = try playing()
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_050_000), by: me)
    fixture.output = EngineFixture.output(at: 2_050_500)
    let status = fixture.engine.musicStatus()
    #expect(status.track == "game:other" && status.positionUs == 500 && status.planned.isEmpty)
    #expect(played.scheduledUs == 2_050_000)
  }

  @Test func aTailFadesUntilItIsSilentThoughTheMixerIsDoneWithIt() throws {
    var fixture = try playing()
    let first = try #require(fixture.engine.music.player.current?.voice)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", crossfadeUs: 50_000), by: me)
    // From 2.01 s on, to frame 50 880; mixed some way ahead.
    fixture.output = EngineFixture.output(at: 2_055_000)
    fixture.engine.voiceFinished(first, at: 50_880, .stopped)
    #expect(fixture.engine.musicStatus().fading == ["game:main"])
    _ = fixture.run(to: 2_060_000)
    #expect(fixture.engine.musicStatus().fading.isEmpty)
    #expect(fixture.engine.music.player.voices.count == 1)
  }

  @Test func theEndOfATrackIsToldBeforeAVerbOfItsFrame() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: me)
    // It lasts ten seconds from 1.01 s; 11.009 995 s lies in the frame of its end.
    _ = fixture.run(to: 10_980_000)
    let voice = try #require(fixture.engine.music.player.current?.voice)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 11_009_995), by: me)
    fixture.engine.voiceFinished(voice, at: 480_480, .ended)
    let told = fixture.run(to: 11_100_000).lines
    #expect(told.count == 2)
    #expect(told.first?.contains(#""change":"ended""#) == true && told.last?.contains(#""change":"started""#) == true)
    #expect(told.allSatisfy { $0.contains(#""tUs":11009995"#) })
  }

  /// What ends by itself ends between two microseconds: as all instants it is told as the first whole one.
  @Test func theEndOfATrackIsToldAtTheFirstMicrosecondBehindIt() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: me)
    _ = fixture.run(to: 10_980_000)
    let voice = try #require(fixture.engine.music.player.current?.voice)
    // Frame 480 481 is heard at 11 010 020.833 us.
    fixture.engine.voiceFinished(voice, at: 480_481, .ended)
    let told = fixture.run(to: 11_100_000).lines.filter { $0.contains(#""change":"ended""#) }
    #expect(told.count == 1 && told.first?.contains(#""tUs":11010021"#) == true, "\(told)")
  }

  @Test func aTrackThatLosesItsVoiceIsToldAsStopped() throws {
    try Script(
      """
      0     play main
      1008  mixer stolen main
      1100  music is stopped
      """
    ).expect(
      """
      told
      10    music started main
      1008  music stopped main
      """)
  }

  @Test func aTrackThatWasToComeBackInAVoiceThatIsLostBeginsAnew() throws {
    try Script(
      """
      0     play main
      1000  play other fade 400
      1050  play main continue at 1200 fade 100
      1130  mixer stolen main
      1300  music is playing main at 100
      """
    ).expect(
      """
      heard
      10    main begins
      1010  main ends over 400
      1010  other begins over 400
      1200  other ends over 100
      1200  main#2 begins over 100
      told
      10    music started main
      1010  music crossfaded other from main
      1200  music crossfaded main from other
      """)
  }

  @Test func aTrackThatWasToComeBackInAVoiceThatIsLostTooLateIsToldAsStopped() throws {
    try Script(
      """
      0     play main
      1000  play other fade 400
      1050  play main continue at 1200 fade 100
      1195  mixer stolen main
      1300  music is stopped
      """
    ).expect(
      """
      told
      10    music started main
      1010  music crossfaded other from main
      1200  music crossfaded main from other
      1200  music stopped main
      """)
  }

  @Test func aTrackThatCannotBeOpenedIsCalledOffAndWhatPlayedGoesOn() throws {
    var fixture = try playing()
    let plan = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_050_000), by: me).plan
    let start = try #require(fixture.engine.takeActions().audio.compactMap(\.trackStart).last)
    fixture.engine.trackUnavailable(start.id, at: start.at)
    let actions = fixture.run(to: 2_200_000)
    #expect(actions.lines.count == 1)
    for field in [#""plan":\#(plan)"#, #""reason":"unavailable""#, #""tUs":2050000"#] {
      #expect(actions.lines.first?.contains(field) == true)
    }
    #expect(fixture.engine.musicStatus().track == "game:main" && fixture.engine.musicStatus().fading.isEmpty)
    #expect(fixture.engine.holdings["shares"] == 0)
  }

  @Test func aStopOfEverythingOpensNoStreamThatNobodyHears() throws {
    var fixture = try playing()
    for turn in 0..<8 {
      _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_030_000 + Int64(turn) * 5_000), by: me)
    }
    _ = fixture.engine.takeActions()
    _ = try fixture.engine.stopMusic(FadeParams(), by: me)
    #expect(fixture.engine.takeActions().audio.allSatisfy { $0.trackStart == nil })
  }

  @Test func theEndOfAChapterThatHasNotBegunLeavesTheMusicAlone() throws {
    try Script(
      """
      0     play main
      1000  chapter tap at 8000
      1000  chapter stop
      1600  music is playing main at 1590
      """
    ).expect(
      """
      heard
      10    main begins
      told
      10    music started main
      8000  rhythm started tap
      1000  music play cancelled (chapterStopped)
      1000  rhythm complete tap
      """)
  }

  @Test func theStopOfOneChapterOutlivesThatOfTheNext() throws {
    try Script(
      """
      0     chapter tap
      1500  chapter stop
      1500  chapter tap at 8000
      1500  chapter stop
      2500  music is stopped
      """
    ).expect(
      """
      heard
      1010  main begins
      1510  main ends over 500
      """)
  }

  @Test func aPausedChapterWhoseSongNeverBeganHoldsNoMusicBehindItsEnd() throws {
    try Script(
      """
      0     play other
      1000  chapter tap at 2000
      1850  still until 2400
      2400  chapter pause
      2400  chapter stop
      2600  music is playing other at 2590
      3000  play other
      3500  music is playing other at 490
      """
    ).expect(
      """
      heard
      10    other begins
      3010  other ends over 500
      3010  other#2 begins over 500
      """)
  }

  @Test(arguments: [15, 25] as [Int64]) func aSwitchThatIsFlippedManyTimesMakesNoTrackLateThatIsAboutToBegin(
    ahead: Int64
  )
    throws
  {
    var fixture = try EngineFixture(muted: "pause")
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 2_000_000)
    let at = 2_000_000 + ahead * 1_000
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: at), by: me)
    _ = fixture.engine.takeActions()
    for flip in 0..<24 {
      _ = try fixture.engine.changeSettings(SettingsSet.Params(music: flip % 2 == 1), by: me)
      _ = fixture.engine.takeActions()
    }
    let told = fixture.run(to: 2_500_000).lines.filter { $0.contains("music.changed") }
    let began = told.filter { $0.contains("crossfaded") && $0.contains("game:other") }
    #expect(began.count == 1 && began.allSatisfy { $0.contains("\"tUs\":\(at)") })
    #expect(fixture.engine.musicStatus().state == .playing)
    // Nothing holds the music once the mixer has let go of what was called off.
    #expect(fixture.engine.musicStatus().pausedBy == [])
  }

  @Test func stopsOfBeforeMakeNoTrackLateThatIsAboutToBegin() throws {
    var fixture = try playing()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_015_000), by: me)
    _ = fixture.engine.takeActions()
    var refused = 0
    for _ in 0..<24 {
      do {
        _ = try fixture.engine.stopMusic(FadeParams(atUs: 2_012_000, fadeUs: 0), by: me)
      } catch {
        #expect(error.data.kind == "busy")
        refused += 1
      }
      _ = fixture.engine.takeActions()
    }
    #expect(refused > 0)
    let told = fixture.run(to: 2_100_000).lines.filter { $0.contains("music.changed") }
    let began = told.filter { $0.contains("game:other") }
    #expect(began.count == 1 && began.allSatisfy { $0.contains(#""tUs":2015000"#) })
  }

  @Test func aSeekBeyondTheTrackThatPlaysThenIsRefused() throws {
    var fixture = try EngineFixture { pack in
      pack.tracks["other"] = TrackInfo(frames: 96_000, loop: LoopRegion(start: 0, end: 96_000), headFrames: 24_000)
    }
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 2_000_000)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_030_000), by: me)
    // A place behind the head takes 60 ms, and by then the shorter track plays.
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 5_000_000), by: me)
    }
    #expect(refused?.data.kind == "invalidParams")
  }
}
