// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Wire

@testable import Engine

/// The gains of a track's stems: where it begins, where they are changed, and what becomes of them in another place.
@Suite struct StemTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)

  /// Of the tracks `main` has two stems and `other` none.
  private func fixture(cues: String? = nil) throws -> EngineFixture { try EngineFixture(cues: cues, stems: true) }

  private func starts(_ actions: [EngineAction]) -> [VoiceStart<NamedSource>] { actions.audio.compactMap(\.trackStart) }

  private func stemCommands(_ actions: [EngineAction]) -> [String] {
    actions.audio.compactMap { step in
      switch step {
      case .command(.stem(let voice, let stem, let gain, let at, let fade)):
        "\(voice.rawValue) stem \(stem) to \(gain) at \(at) in \(fade.frames)"
      case .command(.retract(let voice, let frame)): "\(voice.rawValue) retract \(frame)"
      default: nil
      }
    }
  }

  @Test func aTrackBeginsWithTheGainsThatItsPackGivesThem() throws {
    var fixture = try fixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 1_500_000), by: me)
    let starts = starts(fixture.run(to: 2_000_000))
    #expect(starts.map(\.stems) == [StemGains([0, 0.75]), StemGains()])
  }

  @Test func oneIsChangedAtItsInstantAndKeptWhereTheTrackIsSought() throws {
    var fixture = try fixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    let voice = try #require(starts(fixture.run(to: 1_200_000)).first?.id.rawValue)
    let changed = try fixture.engine.changeMusicGain(
      MusicGain.Params(gain: 0.5, stem: "bells", atUs: 1_500_000, fadeUs: 100_000), by: me)
    #expect(changed.scheduledUs == 1_500_000)
    #expect(stemCommands(fixture.run(to: 1_600_000)) == ["\(voice) stem 0 to 0.5 at 24000 in 4800"])
    _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 0), by: me)
    #expect(starts(fixture.run(to: 2_000_000)).map(\.stems) == [StemGains([0.5, 0.75])])
    // Played anew it is as its pack has it.
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    #expect(starts(fixture.run(to: 2_500_000)).map(\.stems) == [StemGains([0, 0.75])])
  }

  @Test func decibelsAreTakenToo() throws {
    var fixture = try fixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 1_200_000)
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gainDb: -20, stem: "voice", fadeUs: 0), by: me)
    #expect(stemCommands(fixture.run(to: 1_300_000)).first?.contains("stem 1 to 0.1 at") == true)
  }

  @Test func whatTheTrackHasNotIsRefused() throws {
    var fixture = try fixture()
    #expect(throws: RPCError.self) {
      try fixture.engine.changeMusicGain(MusicGain.Params(gain: 1, stem: "bells"), by: me)
    }
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 1_200_000)
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.changeMusicGain(MusicGain.Params(gain: 1, stem: "bell"), by: me)
    }
    #expect(refused?.data.kind == "unknownName" && refused?.data.candidates == ["bells"])
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: me)
    _ = fixture.run(to: 1_400_000)
    let none = #expect(throws: RPCError.self) {
      try fixture.engine.changeMusicGain(MusicGain.Params(gain: 1, stem: "bells"), by: me)
    }
    #expect(none?.data.kind == "unknownName")
  }

  @Test func whatIsPutInFrontTakesItBackAndItIsCalledOffWhereItsTrackIsGone() throws {
    var fixture = try fixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 1_400_000)
    let plan = try fixture.engine.changeMusicGain(
      MusicGain.Params(gain: 1, stem: "bells", atUs: 1_450_000, fadeUs: 0), by: me
    ).plan
    #expect(stemCommands(fixture.engine.takeActions()).count == 1)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 1_430_000), by: me)
    let actions = fixture.run(to: 1_600_000)
    #expect(stemCommands(actions).first?.hasSuffix("retract 21600") == true)
    #expect(!stemCommands(actions).contains { $0.contains("stem") })
    let told = actions.lines.filter { $0.contains("music.cancelled") }
    #expect(told.count == 1 && told.first?.contains(#""plan":\#(plan)"#) == true)
    #expect(told.first?.contains(#""reason":"notPlaying""#) == true && told.first?.contains(#""verb":"gain""#) == true)
  }

  @Test func aChapterPlaysItsTrackWithItsOwnGainsAlsoAfterAPause() throws {
    var fixture = try fixture()
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: me)
    #expect(starts(fixture.run(to: 3_500_000)).map(\.stems) == [StemGains([0.5, 0.75])])
    // It tears nothing apart.
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 1, stem: "voice"), by: me)
    _ = fixture.run(to: 3_600_000)
    _ = try fixture.engine.pauseChapter()
    _ = fixture.run(to: 4_000_000)
    _ = try fixture.engine.resumeChapter(RhythmResume.Params())
    #expect(starts(fixture.run(to: 4_500_000)).map(\.stems) == [StemGains([0.5, 1])])
  }

  @Test func aParameterLeadsOne() throws {
    let drives = #""deep": {"default": 0.5, "targets": [{"track": "main", "stem": "voice", "gain": {"power": 1}}]}"#
    var fixture = try EngineFixture(parameters: drives, stems: true)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    let actions = fixture.run(to: 1_200_000)
    #expect(starts(actions).map(\.family) == [-1])
    #expect(starts(actions).map(\.stems) == [StemGains([0, 0.75], families: [-1, 0])])
    #expect(Engine.familyCount(of: fixture.engine.catalog) == 1)
    let driven = actions.audio.compactMap { step -> Float? in
      if case .command(.drive(.familyGain(0), let gain, _, _)) = step { gain } else { nil }
    }
    #expect(driven == [0.5])
  }

  @Test func aCueTurnsOneUp() throws {
    var fixture = try fixture(
      cues: #""up": {"steps": [{"at": 0.1, "music": {"gain": 0.25, "stem": "bells", "fade": 0.5}}]}"#)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 1_200_000)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "up", atUs: 1_400_000), by: me)
    let told = stemCommands(fixture.run(to: 1_600_000))
    #expect(told.count == 1 && told.first?.hasSuffix("stem 0 to 0.25 at 24000 in 24000") == true)
  }
}
