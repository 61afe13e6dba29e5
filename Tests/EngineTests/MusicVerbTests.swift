import Mixing
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct MusicVerbTests {
  @Test func aSeekIsANewVoiceAndATail() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", gain: 0.5), fixture.output)
    _ = fixture.run(to: 2_000_000)
    let sought = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 250_000), fixture.output)
    #expect(sought.track == "main")
    #expect(sought.scheduledUs == 2_010_000)
    #expect(sought.positionUs == 250_000)
    let steps = fixture.engine.takeActions().audio
    #expect(steps.stopped.map(\.frames) == [960])
    let start = try #require(steps.compactMap(\.trackStart).first)
    #expect(start.position == 12_000)
    #expect(start.gain == 0.5)
    #expect(start.fade == Fade(frames: 960, law: .equalPower))
    #expect(fixture.engine.musicStatus(fixture.output).fading == ["main"])
  }

  @Test func aTrackThatRunsDryWhileItFadesOutIsToldToo() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), fixture.output)
    let first = try #require(fixture.run(to: 1_500_000).audio.compactMap(\.trackStart).first)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), fixture.output)
    _ = fixture.run(to: 1_600_000)
    fixture.engine.voiceStarved(first.voice, at: 30_000, fixture.output)
    fixture.engine.voiceRejoined(first.voice, at: 31_000, fixture.output)
    fixture.engine.voiceStarved(VoiceID(rawValue: 999), at: 31_000, fixture.output)
    let told = fixture.engine.takeActions().compactMap { action in
      if case .notify(let notification) = action {
        String(decoding: notification.line(seq: 1), as: UTF8.self)
      } else {
        nil
      }
    }
    #expect(told.count == 2)
    #expect(told[0].contains(#""starved""#) && told[1].contains(#""rejoined""#))
    #expect(told.allSatisfy { $0.contains(#""track":"main""#) })
  }

  @Test func gainIsTakenLinearOrInDecibels() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), fixture.output)
    _ = fixture.engine.takeActions()
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gainDb: -20, atUs: 1_500_000), fixture.output)
    let commands = fixture.run(to: 1_500_000).audio
    guard case .command(.gain(_, let gain, let at, let fade)) = try #require(commands.first) else {
      Issue.record("the gain was not changed")
      return
    }
    #expect(abs(gain - 0.1) < 1e-7)
    #expect(at == 24_000)
    #expect(fade == Fade(frames: 2_400))
    for params in [MusicGain.Params(), MusicGain.Params(gain: 1, gainDb: 0), MusicGain.Params(gainDb: 13)] {
      #expect(throws: RPCError.self) { try fixture.engine.changeMusicGain(params, fixture.output) }
    }
  }

  @Test func aTrackWaitsForTheNextBarOfTheOneThatPlays() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), fixture.output)
    _ = fixture.run(to: 1_300_000)
    // 120 BPM and four beats a bar from 1.2 s: the next bar is at 3.2 s.
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "other", quantise: .bar), fixture.output)
    #expect(played.scheduledUs == 3_200_000)
    #expect(fixture.run(to: 3_100_000).audio.compactMap(\.trackStart).map(\.at) == [105_600])
  }

  @Test func aSoundTurnsTheMusicDownWhereItsPackSaysSo() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), from: .daemon, fixture.output)
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "word"), from: .daemon, fixture.output)
    var ducks: [Duck] = []
    for case .command(.duck(.music, let duck, let at)) in fixture.engine.takeActions().audio {
      ducks.append(duck)
      #expect(at == 480)
    }
    #expect(ducks == [Duck(depth: 0.25, attack: 480, hold: 24_000, release: 14_400)])
  }

  @Test func withoutMusicThereIsNothingToSeekOrTurnDown() throws {
    var fixture = try EngineFixture()
    #expect(throws: RPCError.self) {
      try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 0), fixture.output)
    }
    #expect(throws: RPCError.self) {
      try fixture.engine.changeMusicGain(MusicGain.Params(gain: 1), fixture.output)
    }
  }
}
