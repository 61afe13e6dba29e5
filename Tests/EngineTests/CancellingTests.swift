// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct CancellingTests {
  @Test func aPlannedSoundThatIsStoppedNeverBegins() throws {
    var fixture = try EngineFixture()
    let played = try fixture.engine.playSound(
      SoundPlay.Params(sound: "click", atUs: 5_000_000), by: .daemon)
    _ = try fixture.engine.stopSound(SoundStop.Params(id: played.id), by: .daemon)
    let actions = fixture.run(to: 6_000_000)
    #expect(actions.soundStarts.isEmpty)
    #expect(actions.topics == [.sound])
  }

  @Test func aStoppedChapterTakesItsMusicAlong() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.startChapter(
      RhythmStart.Params(chapter: "tap", atUs: 3_000_000), by: .daemon)
    _ = try fixture.engine.stopChapter(by: .daemon)
    #expect(fixture.run(to: 5_000_000).audio.compactMap(\.trackStart).isEmpty)
    #expect(fixture.engine.musicStatus().state == .stopped)
  }

  @Test(arguments: [90_000, 190_000] as [Int64])
  func aStopWithoutAnInstantCallsOffWhatWasPlannedForLaterAndOneWithAnInstantDoesNot(delay: Int64) throws {
    for atUs in [nil, 1_020_000] as [Int64?] {
      var fixture = try EngineFixture()
      let at = fixture.output.now.microseconds + delay
      _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: at), by: .daemon)
      _ = try fixture.engine.stopMusic(FadeParams(atUs: atUs), by: .daemon)
      let told = fixture.run(to: 2_000_000).lines
      #expect(fixture.engine.musicStatus().state == (atUs == nil ? .stopped : .playing), "planned \(delay) us ahead")
      #expect(told.contains { $0.contains("music.cancelled") && $0.contains(#""reason":"stopped""#) } == (atUs == nil))
    }
  }

  @Test func aTrackThatDoesNotRepeatIsOverWhenEnteredBehindItsEnd() throws {
    var fixture = try EngineFixture()
    fixture.output = EngineFixture.output(at: 60_000_000)
    let played = try fixture.engine.playMusic(
      MusicPlay.Params(track: "other", atUs: 2_000_000, loop: false), by: .daemon)
    #expect(played.positionUs == 10_000_000)
  }

  @Test func pausedMusicThatIsSoughtStaysPaused() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: .daemon)
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.pauseMusic(FadeParams(), by: .daemon)
    _ = fixture.run(to: 1_600_000)
    _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 100_000), by: .daemon)
    _ = fixture.run(to: 2_500_000)
    let status = fixture.engine.musicStatus()
    #expect(status.state == .paused)
    #expect(status.positionUs == 100_000)
  }

  @Test func nothingIsPlannedMoreThanAnHourAhead() throws {
    var fixture = try EngineFixture()
    #expect(throws: RPCError.self) {
      try fixture.engine.playSound(
        SoundPlay.Params(sound: "click", atUs: 1 << 52), by: .daemon)
    }
  }
}
