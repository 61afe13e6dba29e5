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
    var fixture = try playing()
    _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 5_000_000, atUs: 2_000_000 + ahead), by: me)
    // Where it is near, the mixer is told of it.
    var actions = fixture.run(to: 2_001_000)
    #expect(actions.audio.compactMap(\.trackStart).isEmpty == (ahead > 101_000))
    _ = try fixture.engine.stopMusic(FadeParams(atUs: 2_012_000, fadeUs: 0), by: me)
    actions += fixture.run(to: 3_000_000)
    #expect(fixture.engine.musicStatus().state == .stopped)
    #expect(actions.lines.contains { $0.contains(#""verb":"seek""#) && $0.contains(#""reason":"notPlaying""#) })
    // Whatever the seek had started is taken back, and ended where the mixer has begun it by then.
    let started = actions.audio.compactMap(\.trackStart).map(\.id)
    #expect(started.allSatisfy { voice in actions.audio.retracted.contains(voice) })
    let ended = actions.audio.compactMap { step in if case .command(.stop(let id, _, _)) = step { id } else { nil } }
    #expect(started.allSatisfy(ended.contains))
  }

  @Test(arguments: distances) func aResumeBeforeThePauseDoesNothingAndThePauseHolds(ahead: Int64) throws {
    var fixture = try playing()
    _ = try fixture.engine.pauseMusic(FadeParams(atUs: 2_000_000 + ahead), by: me)
    _ = try fixture.engine.resumeMusic(FadeParams(atUs: 2_020_000), by: me)
    _ = fixture.run(to: 3_000_000)
    let status = fixture.engine.musicStatus()
    #expect(status.state == .paused && status.pausedBy == [.client])
    // It played from 1.01 s to the pause and the 5 ms of its fade.
    #expect(status.positionUs == 990_000 + ahead + 5_000)
  }

  @Test(arguments: distances) func aCrossFadeBeforeAPauseIsWholeAndCutsNothing(ahead: Int64) throws {
    var fixture = try playing()
    _ = try fixture.engine.pauseMusic(FadeParams(atUs: 2_012_000 + ahead), by: me)
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_012_000), by: me)
    let steps = fixture.run(to: 2_500_000).audio
    let start = try #require(steps.compactMap(\.trackStart).last)
    #expect(start.at == 48_576 && start.fadeIn == Fade(frames: 24_000, curve: .equalPower))
    let stop = try #require(steps.stopped.last { $0.at == 48_576 })
    #expect(stop.frames == 24_000)
    // The pause is of the track that plays then.
    let status = fixture.engine.musicStatus()
    #expect(status.track == "game:other" && status.state == .paused)
    #expect(played.positionUs == 0)
  }

  @Test func aTrackThatIsPlayedInThePausesFadeFadesFromWhatIsLeft() throws {
    var fixture = try playing()
    _ = try fixture.engine.pauseMusic(FadeParams(atUs: 2_010_000), by: me)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_012_000), by: me)
    let actions = fixture.run(to: 2_500_000)
    #expect(actions.audio.compactMap(\.trackStart).last?.fadeIn.frames == 24_000)
    #expect(actions.lines.contains { $0.contains(#""change":"crossfaded""#) && $0.contains(#""from":"game:main""#) })
  }

  @Test func playingOverAPausedTrackTellsThatItStopped() throws {
    var fixture = try playing()
    _ = try fixture.engine.pauseMusic(FadeParams(), by: me)
    _ = fixture.run(to: 2_500_000)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: me)
    let told = fixture.run(to: 3_000_000).lines
    #expect(told.count == 2)
    #expect(
      told.first?.contains(#""change":"stopped""#) == true && told.first?.contains(#""track":"game:main""#) == true)
    #expect(told.last?.contains(#""change":"started""#) == true)
  }

  @Test func whatIsToldComesAtItsInstantAndInOrder() throws {
    var fixture = try playing()
    for at in [2_090_000, 2_030_000, 2_060_000] as [Int64] {
      _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: at), by: me)
    }
    #expect(fixture.run(to: 2_020_000).lines.isEmpty)
    let told = fixture.run(to: 2_100_000).lines
    for (line, at) in zip(told, ["2030000", "2060000", "2090000"]) { #expect(line.contains(#""tUs":\#(at)"#)) }
    #expect(told.count == 3)
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
    var fixture = try playing()
    let plan = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_000_000 + ahead), by: me).plan
    _ = fixture.engine.takeActions()
    #expect(throws: Never.self) { try fixture.engine.cancelMusic(MusicCancel.Params(plan: plan), by: .daemon) }
    let told = fixture.run(to: 3_000_000).lines
    #expect(told.count == 1)
    for field in [#""plan":\#(plan)"#, #""verb":"play""#, #""reason":"cancelled""#] {
      #expect(told.first?.contains(field) == true)
    }
    #expect(fixture.engine.musicStatus().track == "game:main")
    let again = #expect(throws: RPCError.self) {
      try fixture.engine.cancelMusic(MusicCancel.Params(plan: plan), by: .daemon)
    }
    #expect(again?.data.kind == "notRunning")
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
    var fixture = try playing()
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5, atUs: 2_080_000), by: me)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_040_000), by: me)
    _ = fixture.run(to: 2_500_000)
    #expect(fixture.engine.music.player.current?.gain == 0.5)
    #expect(fixture.engine.music.player.current?.track.name == "other")
  }

  @Test func theSwitchHoldsTheMusicBesideAClientsPause() throws {
    var fixture = try EngineFixture(muted: "pause")
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 2_000_000)
    _ = try fixture.engine.pauseMusic(FadeParams(), by: me)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: false), by: me)
    _ = fixture.run(to: 2_100_000)
    #expect(fixture.engine.musicStatus().pausedBy == [.client, .switch])
    _ = try fixture.engine.resumeMusic(FadeParams(), by: me)
    _ = fixture.run(to: 2_200_000)
    #expect(fixture.engine.musicStatus().pausedBy == [.switch])
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: true), by: me)
    _ = fixture.run(to: 2_300_000)
    let status = fixture.engine.musicStatus()
    // It stood from 2.015 s to 2.21 s.
    #expect(status.state == .playing && status.positionUs == 1_005_000 + 90_000)
  }

  @Test func aTrackThatIsAskedForWhileTheSwitchHoldsTheMusicWaitsAtItsPosition() throws {
    var fixture = try EngineFixture(muted: "pause")
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 2_000_000)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: false), by: me)
    _ = fixture.run(to: 2_100_000)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", positionUs: 250_000), by: me)
    _ = fixture.run(to: 2_500_000)
    let held = fixture.engine.musicStatus()
    #expect(held.state == .paused && held.track == "game:other" && held.positionUs == 250_000)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: true), by: me)
    _ = fixture.run(to: 2_600_000)
    let status = fixture.engine.musicStatus()
    #expect(status.state == .playing && status.track == "game:other" && status.positionUs == 250_000 + 90_000)
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
    #expect(throws: RPCError.self) {
      try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 2_900_000_000), by: late)
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
