// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// Verbs of music act in the order of their instants, whatever they were asked in, on both sides of the 100 ms within
/// which they are carried out ahead.
@Suite struct MusicOrderTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)
  private static let distances: [Int64] = [30_000, 90_000, 150_000, 400_000]

  private func playing() throws -> EngineFixture {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 2_000_000)
    return fixture
  }

  @Test(arguments: distances) func aStopBeforeASeekThatIsPlannedLeavesNothingPlaying(ahead: Int64) throws {
    // A place behind what is in memory is reached after 60 ms at the earliest.
    let seek = max(1_000 + ahead / 1_000, 1_070)
    try Script(
      """
      0     play main
      1000  seek to 5000 at \(1_000 + ahead / 1_000)
      1001  stop at 1012 fade 0
      2000  music is stopped
      """
    ).expect(
      """
      heard
      10    main begins
      1012  main ends over 5
      told
      10    music started main
      1012  music stopped main
      \(seek)  music seek cancelled (notPlaying)
      """)
  }

  /// A stop for now of a track that plays, with what else is `planned`: that is called off, and told so.
  private func expectAStopForNow(of planned: String, callingOff told: String) throws {
    try Script(
      """
      0     play main
      \(planned)
      1001  stop fade 0
      2000  music is stopped
      """
    ).expect(
      """
      heard
      10    main begins
      1011  main ends over 5
      told
      10    music started main
      \(told)
      1011  music stopped main
      """)
  }

  @Test(arguments: distances) func aPlayFromAPlaceThatIsStoppedAtOnceLeavesNothingPlaying(ahead: Int64) throws {
    try expectAStopForNow(
      of: "1000  play other from 5000 at \(1_000 + ahead / 1_000)",
      callingOff: "1001  music play cancelled (stopped)")
  }

  @Test(arguments: [0, 4, 9, 40, 59]) func aPlayFromAPlaceIsStoppedBeforeThatIsFoundAndNothingIsHeard(after: Int64)
    throws
  {
    try Script(
      """
      0           play main from 5000
      \(after)   stop fade 0
      1000        music is stopped
      """
    ).expect(
      """
      heard
      told
      \(after)  music play cancelled (stopped)
      """)
  }

  @Test(arguments: distances) func aStopForAnInstantCallsNothingOff(ahead: Int64) throws {
    let (play, gain) = (1_012 + ahead / 1_000, 1_042 + ahead / 1_000)
    try Script(
      """
      0     play main
      1000  play other at \(play)
      1000  gain to 0.5 at \(gain)
      1001  stop at 1012 fade 0
      2000  music is playing other at \(2_000 - play)
      """
    ).expect(
      """
      heard
      10       main begins
      1012     main ends over 5
      \(play)  other begins
      \(gain)  other to gain 0.5 over 50
      told
      10       music started main
      1012     music stopped main
      \(play)  music started other
      """)
  }

  @Test(arguments: distances) func aStopForNowCallsEverythingOffAndThatIsTold(ahead: Int64) throws {
    try expectAStopForNow(
      of: """
        1000  play other at \(1_012 + ahead / 1_000)
        1000  gain to 0.5 at \(1_042 + ahead / 1_000)
        """,
      callingOff: """
        1001  music play cancelled (stopped)
        1001  music gain cancelled (stopped)
        """)
  }

  @Test(arguments: distances) func aResumeBeforeThePauseDoesNothingAndThePauseHolds(ahead: Int64) throws {
    let pause = 1_000 + ahead / 1_000
    try Script(
      """
      0     play main
      1000  pause at \(pause)
      1000  resume at 1020
      2000  music is paused main at \(pause - 10 + 5) by client
      """
    ).expect(
      """
      heard
      10        main begins
      \(pause)  main pauses over 5
      told
      10        music started main
      \(pause)  music paused main
      """)
  }

  @Test(arguments: distances) func aCrossFadeBeforeAPauseIsWholeAndCutsNothing(ahead: Int64) throws {
    let pause = 1_012 + ahead / 1_000
    try Script(
      """
      0     play main
      1000  pause at \(pause)
      1000  play other at 1012
      2000  music is paused other at \(pause - 1_012 + 5) by client
      """
    ).expect(
      """
      heard
      10        main begins
      1012      main ends over 500
      1012      other begins over 500
      \(pause)  other pauses over 5
      \(pause)  main pauses over 5
      told
      10        music started main
      1012      music crossfaded other from main
      \(pause)  music paused other
      """)
  }

  @Test func aTrackThatIsPlayedInThePausesFadeFadesFromWhatIsLeft() throws {
    try Script(
      """
      0     play main
      1000  pause at 1010
      1000  play other at 1012
      """
    ).expect(
      """
      heard
      10    main begins
      1010  main pauses over 5
      1012  main ends over 500
      1012  other begins over 500
      told
      10    music started main
      1010  music paused main
      1012  music crossfaded other from main
      """)
  }

  @Test func playingOverAPausedTrackTellsThatItStopped() throws {
    try Script(
      """
      0     play main
      1000  pause
      1500  play other
      """
    ).expect(
      """
      told
      10    music started main
      1010  music paused main
      1510  music stopped main
      1510  music started other
      """)
  }

  @Test func whatIsAskedOutOfOrderComesAndIsToldInTheOrderOfItsInstants() throws {
    try Script(
      """
      0     play main
      1000  play other at 1090
      1000  play other at 1030
      1000  play other at 1060
      """
    ).expect(
      """
      heard
      10    main begins
      1030  main ends over 500
      1030  other begins over 500
      1060  main ends over 500
      1060  other ends over 500
      1060  other#2 begins over 500
      1090  main ends over 500
      1090  other ends over 500
      1090  other#2 ends over 500
      1090  other#3 begins over 500
      told
      10    music started main
      1030  music crossfaded other from main
      1060  music crossfaded other from other
      1090  music crossfaded other from other
      """)
  }

  @Test func statusTellsWhatIsHeardNowAndWhatIsPlanned() throws {
    var fixture = try playing()
    let paused = try fixture.engine.pauseMusic(FadeParams(atUs: 2_090_000), by: me)
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 3_000_000), by: me)
    let status = fixture.engine.musicStatus()
    #expect(status.state == .playing && status.positionUs == 990_000)
    #expect(
      status.planned == [
        MusicStatus.Planned(plan: paused.plan, verb: .pause, atUs: 2_090_000),
        MusicStatus.Planned(plan: played.plan, verb: .play, atUs: 3_000_000, track: "game:other"),
      ])
    _ = fixture.run(to: 2_100_000)
    #expect(fixture.engine.musicStatus().state == .paused)
    #expect(fixture.engine.musicStatus().planned.map(\.plan) == [played.plan])
  }

  @Test(arguments: distances) func aPlanIsCalledOffByItsNumberAndThatIsTold(ahead: Int64) throws {
    try Script(
      """
      0     play main
      1000  plan = play other at \(1_000 + ahead / 1_000)
      1000  cancel plan
      1000  cancel plan, refused as notRunning
      2000  music is playing main at 1990
      """
    ).expect(
      """
      heard
      10    main begins
      told
      10    music started main
      1000  music play cancelled (cancelled)
      """)
  }

  @Test func whatTheMixerHasPassedCannotBeCalledOff() throws {
    var fixture = try playing()
    let plan = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: me).plan
    fixture.output = EngineFixture.output(at: 2_005_000)
    #expect(throws: RPCError.self) { try fixture.engine.cancelMusic(MusicCancel.Params(plan: plan), by: .daemon) }
  }

  @Test func theEndOfTheDaemonIsToldAsAStop() throws {
    var fixture = try playing()
    let voice = try #require(fixture.engine.music.player.current?.voice)
    _ = fixture.engine.shutDown()
    fixture.engine.voiceFinished(voice, at: 50_000, .stopped)
    let told = fixture.run(to: 2_200_000).lines
    #expect(told.count == 1 && told.first?.contains(#""change":"stopped""#) == true)
  }

  @Test func aGainActsOnTheTrackThatPlaysAtItsInstant() throws {
    try Script(
      """
      0     play main
      1000  gain to 0.5 at 1080
      1000  play other at 1040
      """
    ).expect(
      """
      heard
      10    main begins
      1040  main ends over 500
      1040  other begins over 500
      1080  other to gain 0.5 over 50
      """)
  }

  @Test func theSwitchHoldsTheMusicBesideAClientsPause() throws {
    try Script(
      """
      0     play main
      1000  pause
      1000  switch music off
      1100  music is paused main at 1005 by client switch
      1100  resume
      1200  music is paused main at 1005 by switch
      1200  switch music on
      1300  music is playing main at 1095
      """, fixture: try EngineFixture(muted: "pause")
    ).expect(
      """
      heard
      10    main begins
      1010  main pauses over 5
      1010  bus music to gain 0.0 over 20
      1210  bus music to gain 1.0 over 20
      1210  main goes on over 20
      told
      10    music started main
      1010  music paused main
      1210  music resumed main
      """)
  }

  @Test func aTrackThatIsAskedForWhileTheSwitchHoldsTheMusicWaitsAtItsPosition() throws {
    try Script(
      """
      0     play main
      1000  switch music off
      1100  play other from 250
      1500  music is paused other at 250 by switch
      1500  switch music on
      1600  music is playing other at 340
      """, fixture: try EngineFixture(muted: "pause")
    ).expect(
      """
      heard
      10    main begins
      1010  bus music to gain 0.0 over 20
      1010  main pauses over 20
      1110  main fades out over 500
      1110  other begins from 250 over 500
      1110  other pauses
      1510  bus music to gain 1.0 over 20
      1510  main goes on over 20
      1510  other goes on over 20
      told
      10    music started main
      1010  music paused main
      1110  music paused other from main
      1510  music resumed other
      """)
  }

  @Test func noClientTakesTheMusicFromOthersByPlanningMuch() throws {
    var fixture = try playing()
    let (other, third) = (Cause(client: ClientID(rawValue: 2)), Cause(client: ClientID(rawValue: 3)))
    for index in 0..<Int64(Engine.mostMusicVerbsAtOnce) {
      _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 1, atUs: 2_050_000 + index), by: me)
    }
    #expect(throws: Never.self) { try fixture.engine.pauseMusic(FadeParams(), by: other) }
    #expect(throws: Never.self) { try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: third) }
    #expect(throws: Never.self) { try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: other) }
    #expect(throws: Never.self) { try fixture.engine.stopMusic(FadeParams(), by: me) }
  }

  /// Two users' worth of plans, far ahead, and what is for now goes on.
  @Test func fullSharesRefuseNothingThatIsForNow() throws {
    var fixture = try playing()
    for client in [1, 2] as [UInt64] {
      for index in 0..<Int64(Shares.ofAClient) {
        _ = try fixture.engine.playMusic(
          MusicPlay.Params(track: "main", atUs: 3_000_000_000 + index * 60_000 + Int64(client) * 30_000),
          by: Cause(client: ClientID(rawValue: client), user: 7))
      }
    }
    let late = Cause(client: ClientID(rawValue: 3), user: 7)
    // A little for later is its own.
    for index in 0..<8 as Range<Int64> {
      _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 2_900_000_000 + index * 60_000), by: late)
    }
    #expect(throws: RPCError.self) {
      try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 2_900_600_000), by: late)
    }
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: late)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "lock"), by: late)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: late)
    // A forecast drags along the tails of its last half second alone, of two thousand.
    let place = Instant(microseconds: 3_600_000_000)
    #expect(fixture.engine.predictedMusic(at: place).player.tails.count <= 16)
  }

  @Test func manyChangesAroundOneInstantAreRefusedAndChangeNothing() throws {
    var fixture = try playing()
    for _ in 0..<Engine.mostMusicStartsAtOnce {
      _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_050_000), by: me)
    }
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_050_000), by: me)
    }
    #expect(refused?.data.kind == "busy")
    #expect(try fixture.engine.stopMusic(FadeParams(), by: me).scheduledUs == 2_010_000)
  }
}

extension [AudioStep] {
  /// The voices of which something was taken back.
  var retracted: [VoiceID] {
    compactMap { if case .command(.retract(let voice, _)) = $0 { voice } else { nil } }
  }
}
