// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// With the music off the pack of what plays says whether it stands or runs on unheard; the daemon's own is `game`.
@Suite struct SwitchOfTwoPacksTests {
  private static let ways = ["mute", "pause"]

  private func fixture(game: String, night: String) throws -> EngineFixture {
    try EngineFixture(muted: game, night: night)
  }

  private func play(_ track: String, _ fixture: inout EngineFixture, positionUs: Int64? = nil, atUs: Int64? = nil)
    throws
  {
    _ = try fixture.engine.playMusic(
      MusicPlay.Params(track: track, atUs: atUs, positionUs: positionUs), by: .daemon)
  }

  private func turn(music: Bool, _ fixture: inout EngineFixture) throws {
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: music), by: .daemon)
  }

  @Test(arguments: ways, ways) func thePackOfWhatPlaysSaysWhetherItStands(game: String, night: String) throws {
    for (track, way) in [("game:main", game), ("night:dark", night)] {
      var fixture = try fixture(game: game, night: night)
      try play(track, &fixture)
      _ = fixture.run(to: 1_500_000)
      try turn(music: false, &fixture)
      _ = fixture.run(to: 2_500_000)
      let off = fixture.engine.musicStatus()
      #expect(off.state == (way == "pause" ? .paused : .playing) && off.pausedBy == (way == "pause" ? [.switch] : []))
      try turn(music: true, &fixture)
      _ = fixture.run(to: 2_600_000)
      let on = fixture.engine.musicStatus()
      // It stood from 1.53 s to 2.51 s.
      #expect(on.state == .playing && on.positionUs == (way == "pause" ? 610_000 : 1_590_000))
    }
  }

  @Test(arguments: [nil, 2_080_000, 2_300_000] as [Int64?])
  func aTrackThatRunsOnTakesOverFromOneThatStands(atUs: Int64?) throws {
    var fixture = try fixture(game: "pause", night: "mute")
    try play("main", &fixture)
    _ = fixture.run(to: 1_500_000)
    try turn(music: false, &fixture)
    _ = fixture.run(to: 2_000_000)
    let at = atUs ?? 2_010_000
    try play("night:dark", &fixture, atUs: atUs)
    let actions = fixture.run(to: 2_500_000)
    let status = fixture.engine.musicStatus()
    #expect(status.state == .playing && status.pausedBy == [] && status.positionUs == 2_500_000 - at)
    #expect(status.fading == [])
    let told = actions.lines
    #expect(told.count == 2)
    #expect(told.first?.contains(#""change":"stopped""#) == true && told.first?.contains("game:main") == true)
    #expect(told.last?.contains(#""change":"started""#) == true && told.last?.contains("night:dark") == true)
    // Its bus stays silent until the switch comes on.
    #expect(actions.audio.musicGains == [])
    try turn(music: true, &fixture)
    #expect(fixture.run(to: 2_600_000).audio.musicGains == [1])
    #expect(fixture.engine.musicStatus().positionUs == 2_600_000 - at)
  }

  @Test(arguments: [nil, 2_080_000, 2_300_000] as [Int64?])
  func aTrackThatStandsWaitsForTheSwitchBehindOneThatRunsOn(atUs: Int64?) throws {
    var fixture = try fixture(game: "pause", night: "mute")
    try play("night:dark", &fixture)
    _ = fixture.run(to: 1_500_000)
    try turn(music: false, &fixture)
    _ = fixture.run(to: 2_000_000)
    #expect(fixture.engine.musicStatus().state == .playing)
    try play("main", &fixture, positionUs: 250_000, atUs: atUs)
    let told = fixture.run(to: 2_500_000).lines
    let status = fixture.engine.musicStatus()
    #expect(status.state == .paused && status.pausedBy == [.switch] && status.positionUs == 250_000)
    #expect(status.fading == ["night:dark"])
    #expect(told.count == 1)
    for field in [#""change":"paused""#, #""track":"game:main""#, #""from":"night:dark""#, #""fadeUs":500000"#] {
      #expect(told.first?.contains(field) == true)
    }
    try turn(music: true, &fixture)
    _ = fixture.run(to: 2_600_000)
    let on = fixture.engine.musicStatus()
    #expect(on.state == .playing && on.positionUs == 250_000 + 90_000 && on.fading == ["night:dark"])
    _ = fixture.run(to: 3_100_000)
    #expect(fixture.engine.musicStatus().fading == [])
  }

  @Test(arguments: ways) func ofACrossFadeTheTrackThatComesDecides(way: String) throws {
    var fixture = try fixture(game: way == "pause" ? "mute" : "pause", night: way)
    try play("main", &fixture)
    _ = fixture.run(to: 1_500_000)
    try play("night:dark", &fixture)
    _ = fixture.run(to: 1_700_000)
    try turn(music: false, &fixture)
    _ = fixture.run(to: 2_500_000)
    let status = fixture.engine.musicStatus()
    #expect(status.track == "night:dark" && status.state == (way == "pause" ? .paused : .playing))
    #expect(status.fading == (way == "pause" ? ["game:main"] : []))
    #expect(status.positionUs == (way == "pause" ? 220_000 : 990_000))
  }

  @Test(arguments: ways) func whereNothingPlaysTheTrackThatBeginsDecides(way: String) throws {
    var fixture = try fixture(game: way == "pause" ? "mute" : "pause", night: way)
    try play("night:dark", &fixture, atUs: 2_000_000)
    try turn(music: false, &fixture)
    _ = fixture.run(to: 1_500_000)
    #expect(fixture.engine.musicStatus().state == .stopped && fixture.engine.musicStatus().pausedBy == [])
    _ = fixture.run(to: 2_500_000)
    let status = fixture.engine.musicStatus()
    #expect(status.state == (way == "pause" ? .paused : .playing))
    #expect(status.positionUs == (way == "pause" ? 0 : 500_000))
  }

  @Test func whatFadesOutWithTheSwitchStandsAsItsPackSays() throws {
    var fixture = try fixture(game: "mute", night: "pause")
    try play("night:dark", &fixture)
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.stopMusic(FadeParams(fadeUs: 400_000), by: .daemon)
    _ = fixture.run(to: 1_600_000)
    try turn(music: false, &fixture)
    _ = fixture.run(to: 3_000_000)
    #expect(fixture.engine.musicStatus().fading == ["night:dark"])
    try turn(music: true, &fixture)
    _ = fixture.run(to: 3_200_000)
    #expect(fixture.engine.musicStatus().fading == ["night:dark"])
    _ = fixture.run(to: 3_400_000)
    #expect(fixture.engine.musicStatus().fading == [])
  }

  @Test func whatIsStoppedWhileItStandsIsPausedByNothing() throws {
    var fixture = try fixture(game: "mute", night: "pause")
    try play("night:dark", &fixture)
    _ = fixture.run(to: 1_500_000)
    try turn(music: false, &fixture)
    _ = fixture.run(to: 2_000_000)
    #expect(fixture.engine.musicStatus().pausedBy == [.switch])
    _ = try fixture.engine.stopMusic(FadeParams(fadeUs: 0), by: .daemon)
    _ = fixture.run(to: 2_100_000)
    #expect(fixture.engine.musicStatus().state == .stopped && fixture.engine.musicStatus().pausedBy == [])
    // The switch is off still.
    try play("night:dark", &fixture)
    _ = fixture.run(to: 2_200_000)
    #expect(fixture.engine.musicStatus().pausedBy == [.switch])
  }

  @Test func inAChapterTheMusicRunsOnAndBehindItThePackOfWhatPlaysDecides() throws {
    var fixture = try fixture(game: "pause", night: "mute")
    try play("night:dark", &fixture)
    _ = fixture.run(to: 1_500_000)
    try turn(music: false, &fixture)
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: 3_000_000)
    let status = fixture.engine.musicStatus()
    #expect(status.track == "game:main" && status.state == .playing && status.pausedBy == [])
    _ = fixture.run(to: 6_500_000)
    let behind = fixture.engine.musicStatus()
    #expect(!fixture.engine.isJudging && behind.track == "game:main" && behind.pausedBy == [.switch])
  }
}

extension [AudioStep] {
  fileprivate var musicGains: [Float] {
    compactMap { step in if case .command(.busGain(.music, let gain, _, _)) = step { gain } else { nil } }
  }
}
