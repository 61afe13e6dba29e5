import Mixing
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct CancellingTests {
  @Test func aPlannedSoundThatIsStoppedNeverBegins() throws {
    var fixture = try EngineFixture()
    let played = try fixture.engine.playSound(
      SoundPlay.Params(sound: "click", atUs: 5_000_000), from: .daemon, fixture.output)
    _ = try fixture.engine.stopSound(SoundStop.Params(id: played.id), fixture.output)
    let actions = fixture.run(to: 6_000_000)
    #expect(actions.soundStarts.isEmpty)
    #expect(actions.topics == [.sound])
  }

  @Test func aStoppedChapterTakesItsMusicAlong() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.startChapter(
      RhythmStart.Params(chapter: "tap", atUs: 3_000_000), fixture.output)
    _ = try fixture.engine.stopChapter(fixture.output)
    #expect(fixture.run(to: 5_000_000).audio.compactMap(\.trackStart).isEmpty)
    #expect(fixture.engine.musicStatus(fixture.output).state == .stopped)
  }

  @Test func aStopNowLeavesWhatWasPlannedForLater() throws {
    for delay: Int64 in [90_000, 190_000] {
      var fixture = try EngineFixture()
      let at = fixture.output.now.microseconds + delay
      _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: at), fixture.output)
      _ = try fixture.engine.stopMusic(FadeParams(), fixture.output)
      _ = fixture.run(to: 2_000_000)
      #expect(fixture.engine.musicStatus(fixture.output).state == .playing, "planned \(delay) us ahead")
    }
  }

  @Test func aTrackThatDoesNotRepeatIsOverWhenEnteredBehindItsEnd() throws {
    var fixture = try EngineFixture()
    fixture.output = EngineFixture.output(at: 60_000_000)
    let played = try fixture.engine.playMusic(
      MusicPlay.Params(track: "other", atUs: 2_000_000, loop: false), fixture.output)
    #expect(played.positionUs == 10_000_000)
  }

  @Test func pausedMusicThatIsSoughtStaysPaused() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), fixture.output)
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.pauseMusic(FadeParams(), fixture.output)
    _ = fixture.run(to: 1_600_000)
    _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 100_000), fixture.output)
    _ = fixture.run(to: 2_500_000)
    let status = fixture.engine.musicStatus(fixture.output)
    #expect(status.state == .paused)
    #expect(status.positionUs == 100_000)
  }

  @Test func nothingIsPlannedMoreThanAnHourAhead() throws {
    var fixture = try EngineFixture()
    #expect(throws: RPCError.self) {
      try fixture.engine.playSound(
        SoundPlay.Params(sound: "click", atUs: 1 << 52), from: .daemon, fixture.output)
    }
  }
}
