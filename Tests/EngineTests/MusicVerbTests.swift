// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct MusicVerbTests {
  @Test func aSeekIsANewVoiceAndATail() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", gain: 0.5), by: .daemon)
    _ = fixture.run(to: 2_000_000)
    let sought = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 250_000), by: .daemon)
    #expect(sought.track == "game:main")
    #expect(sought.scheduledUs == 2_010_000)
    #expect(sought.positionUs == 250_000)
    let steps = fixture.engine.takeActions().audio
    #expect(steps.stopped.map(\.frames) == [960])
    let start = try #require(steps.compactMap(\.trackStart).first)
    #expect(start.sourceFrame == 12_000)
    #expect(start.gain == 0.5)
    #expect(start.fadeIn == Fade(frames: 960, curve: .equalPower))
    _ = fixture.run(to: 2_020_000)
    #expect(fixture.engine.musicStatus().fading == ["game:main"])
  }

  @Test func aTrackThatRunsDryWhileItFadesOutIsToldToo() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: .daemon)
    let first = try #require(fixture.run(to: 1_500_000).audio.compactMap(\.trackStart).first)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: .daemon)
    _ = fixture.run(to: 1_600_000)
    fixture.engine.voiceStarved(first.id, at: 30_000)
    fixture.engine.voiceRejoined(first.id, at: 31_000)
    fixture.engine.voiceStarved(VoiceID(rawValue: 999), at: 31_000)
    let told = fixture.run(to: 1_700_000).lines.filter { !$0.contains("crossfaded") }
    #expect(told.count == 2)
    #expect(told[0].contains(#""starved""#) && told[1].contains(#""rejoined""#))
    #expect(told.allSatisfy { $0.contains(#""track":"game:main""#) })
  }

  @Test func whatACrossFadeDoesNotSayIsAsThePackSays() throws {
    var fixture = try EngineFixture(muted: "pause\", \"crossfade\": 0.25, \"fadeCurve\": \"linear")
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: .daemon)
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: .daemon)
    let steps = fixture.run(to: 1_600_000).audio
    #expect(steps.stopped.map(\.frames) == [12_000])
    #expect(steps.compactMap(\.trackStart).map(\.fadeIn) == [Fade(frames: 12_000, curve: .linear)])
  }

  @Test func aTrackWaitsForTheFirstBeatBehindTheSeamOfALoopThatIsNoWholeNumberOfBars() throws {
    // 120 BPM, four beats a bar; from 3 s on it goes back to 0.3 s: the next bar is at 2 s of the track, heard 1.7 s later.
    var fixture = try EngineFixture { pack in
      pack.tracks["main"] = TrackInfo(
        frames: 480_000, loop: LoopRegion(start: 14_400, end: 144_000), headFrames: 480_000)
    }
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: .daemon)
    _ = fixture.run(to: 3_500_000)
    // It began at 1.01 s, so the seam is heard at 4.01 s.
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "other", quantise: .bar), by: .daemon)
    #expect(played.scheduledUs == 4_010_000 + 1_700_000)
  }

  @Test func gainIsTakenLinearOrInDecibels() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: .daemon)
    _ = fixture.engine.takeActions()
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gainDb: -20, atUs: 1_500_000), by: .daemon)
    let commands = fixture.run(to: 1_500_000).audio
    guard case .command(.gain(_, let gain, let at, let fade)) = try #require(commands.first) else {
      Issue.record("the gain was not changed")
      return
    }
    #expect(abs(gain - 0.1) < 1e-7)
    #expect(at == 24_000)
    #expect(fade == Fade(frames: 2_400))
    for params in [MusicGain.Params(), MusicGain.Params(gain: 1, gainDb: 0), MusicGain.Params(gainDb: 13)] {
      #expect(throws: RPCError.self) { try fixture.engine.changeMusicGain(params, by: .daemon) }
    }
  }

  @Test func aTrackWaitsForTheNextBarOfTheOneThatPlays() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), by: .daemon)
    _ = fixture.run(to: 1_300_000)
    // 120 BPM and four beats a bar from 1.2 s: the next bar is at 3.2 s.
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "other", quantise: .bar), by: .daemon)
    #expect(played.scheduledUs == 3_200_000)
    #expect(fixture.run(to: 3_100_000).audio.compactMap(\.trackStart).map(\.at) == [105_600])
  }

  @Test func aSoundTurnsTheMusicDownWhereItsPackSaysSo() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: .daemon)
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "word"), by: .daemon)
    let rules = fixture.engine.takeActions().soundStarts.map(\.ducking)
    #expect(rules == [nil, DuckRule(.music, depth: 0.25, attack: 480, hold: 24_000, release: 14_400)])
  }

  @Test func withoutMusicThereIsNothingToSeekOrTurnDown() throws {
    var fixture = try EngineFixture()
    #expect(throws: RPCError.self) {
      try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 0), by: .daemon)
    }
    #expect(throws: RPCError.self) {
      try fixture.engine.changeMusicGain(MusicGain.Params(gain: 1), by: .daemon)
    }
  }
}
