// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// Music whose instant passed before it could be handed to the mixer.
@Suite struct LateMusicTests {
  private func told(_ lines: [String], _ change: String) -> [String] {
    lines.filter { $0.contains(#""change":"\#(change)""#) }
  }

  /// What is handed over as control comes by again, at 2.5 s.
  private func lateStart(_ fixture: inout EngineFixture) throws -> VoiceStart<NamedSource> {
    fixture.output = EngineFixture.output(at: 2_500_000)
    fixture.engine.advance()
    return try #require(fixture.engine.takeActions().audio.compactMap(\.trackStart).first)
  }

  @Test func aTrackThatIsHandedOverLateEntersWhereItWouldBe() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(
      MusicPlay.Params(track: "main", atUs: 2_200_000, positionUs: 250_000), by: .daemon)
    _ = fixture.run(to: 2_000_000)
    // Control comes by next at 2.5 s; the mixer can be reached 10 ms later, 310 ms too late.
    fixture.output = EngineFixture.output(at: 2_500_000)
    fixture.engine.advance()
    var actions = fixture.engine.takeActions()
    let start = try #require(actions.audio.compactMap(\.trackStart).first)
    #expect(start.at == 72_480)
    #expect(start.sourceFrame == 12_000 + 14_880)
    actions += fixture.run(to: 2_600_000)
    #expect(fixture.engine.musicStatus().positionUs == 650_000)
    let lines = told(actions.lines, "started")
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.contains(#""tUs":2510000"#) && $0.contains(#""positionUs":560000"#) })
  }

  @Test func aSeekThatIsHandedOverLateEntersWhereItWouldBe() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: .daemon)
    _ = fixture.run(to: 2_000_000)
    _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 5_000_000, atUs: 2_200_000), by: .daemon)
    _ = fixture.engine.takeActions()
    let start = try lateStart(&fixture)
    #expect(start.at == 72_480)
    #expect(start.sourceFrame == 240_000 + 14_880)
  }

  @Test func aTrackThatWouldBeOverByThenStandsAtItsEnd() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(
      MusicPlay.Params(track: "other", atUs: 2_200_000, positionUs: 9_900_000), by: .daemon)
    _ = fixture.run(to: 2_000_000)
    let start = try lateStart(&fixture)
    #expect(start.sourceFrame == 480_000)
  }

  @Test func aLoopThatIsLateEntersBehindItsSeam() throws {
    // It goes back from 3 s to 0.3 s: 2.9 s and the 310 ms that it is late are 0.51 s.
    var fixture = try EngineFixture { pack in
      pack.tracks["main"] = TrackInfo(
        frames: 480_000, loop: LoopRegion(start: 14_400, end: 144_000), headFrames: 480_000)
    }
    _ = try fixture.engine.playMusic(
      MusicPlay.Params(track: "main", atUs: 2_200_000, positionUs: 2_900_000), by: .daemon)
    _ = fixture.run(to: 2_000_000)
    let start = try lateStart(&fixture)
    #expect(start.sourceFrame == 24_480)
  }

  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private func seek(_ fixture: inout EngineFixture, to positionUs: Int64, atUs: Int64) throws -> Int64 {
    try fixture.engine.seekMusic(MusicSeek.Params(positionUs: positionUs, atUs: atUs), by: me).positionUs
  }

  @Test func aSeekIntoMusicThatStandsStaysInPlaceHoweverLate() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = try fixture.engine.pauseMusic(FadeParams(atUs: 1_100_000), by: me)
    _ = fixture.run(to: 3_000_000)
    #expect(try seek(&fixture, to: 300_000, atUs: 2_000_000) == 300_000)
    // The samples that it begins with are there: 10 ms ahead it can be heard.
    let actions = fixture.run(to: 3_100_000)
    #expect(actions.audio.compactMap(\.trackStart).map(\.sourceFrame) == [14_400])
    #expect(told(actions.lines, "paused").contains { $0.contains(#""positionUs":300000"#) })
    #expect(fixture.engine.musicStatus().positionUs == 300_000)
    _ = try fixture.engine.resumeMusic(FadeParams(atUs: 3_200_000), by: me)
    _ = fixture.run(to: 3_400_000)
    #expect(fixture.engine.musicStatus().positionUs == 500_000)
  }

  /// It moves from its instant to when the pause has turned down what plays, in 5 ms, and from the resume on.
  @Test func aSeekMovesOnThroughWhatWasPlayedSinceAlone() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = try fixture.engine.pauseMusic(FadeParams(atUs: 1_500_000), by: me)
    _ = try fixture.engine.resumeMusic(FadeParams(atUs: 2_500_000), by: me)
    _ = fixture.run(to: 3_000_000)
    #expect(try seek(&fixture, to: 100_000, atUs: 1_400_000) == 100_000 + 105_000 + 510_000)
    // Within the pause, also while that turns down what played: only what follows the resume.
    #expect(try seek(&fixture, to: 100_000, atUs: 1_502_000) == 100_000 + 510_000)
    #expect(try seek(&fixture, to: 100_000, atUs: 2_600_000) == 100_000 + 410_000)
  }

  @Test func aTrackThatIsPlayedLateWhileItsSwitchIsOffStandsAtItsPlace() throws {
    var fixture = try EngineFixture(muted: "pause")
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: false), by: me)
    _ = fixture.run(to: 3_000_000)
    let params = MusicPlay.Params(track: "main", atUs: 2_000_000, positionUs: 200_000)
    #expect(try fixture.engine.playMusic(params, by: me).positionUs == 200_000)
    #expect(fixture.run(to: 3_500_000).audio.compactMap(\.trackStart).map(\.sourceFrame) == [9_600])
    #expect(fixture.engine.musicStatus().positionUs == 200_000)
  }

  /// It takes the client's pause away, and is where it would be had it not been late.
  @Test func aTrackThatIsPlayedLateInAPauseOfAClientsEntersInPlace() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: me)
    _ = try fixture.engine.pauseMusic(FadeParams(atUs: 1_100_000), by: me)
    _ = fixture.run(to: 3_000_000)
    let params = MusicPlay.Params(track: "main", atUs: 2_900_000)
    #expect(try fixture.engine.playMusic(params, by: me).positionUs == 110_000)
  }
}
