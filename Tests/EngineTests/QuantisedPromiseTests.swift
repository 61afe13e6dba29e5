// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What waits for the music is answered with an instant, and comes then, whatever becomes of the music meanwhile. `main` has 120
/// beats a minute from 1.2 s on.
@Suite struct QuantisedPromiseTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private func playing() throws -> EngineFixture {
    var fixture = try EngineFixture(
      cues: #""go": {"steps": [{"sound": "click"}, {"pattern": "thud"}]}"#,
      parameters: #""felt": {"targets": [{"pattern": "thud", "intensity": {"power": 1}}]}"#)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), by: me)
    _ = fixture.run(to: 1_300_000)
    return fixture
  }

  /// What becomes of the music behind the answer.
  enum Change: CaseIterable {
    case sought, paused, stopped, replaced, switchedOff
  }

  @Test(arguments: Change.allCases)
  func theInstantThatWasAnsweredStandsWhateverBecomesOfTheMusic(change: Change) throws {
    var fixture = try playing()
    let cue = try fixture.engine.fireCue(CueFire.Params(cue: "go", quantise: .bar), by: me)
    let set = try fixture.engine.setParameter(
      ParameterSet.Params(parameter: "felt", value: 1, quantise: .bar, overUs: 0), by: me)
    #expect(cue.scheduledUs == 3_200_000 && set.scheduledUs == 3_200_000)
    var actions = fixture.run(to: 2_000_000)
    switch change {
    case .sought: _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 123_456), by: me)
    case .paused: _ = try fixture.engine.pauseMusic(MusicPause.Params(), by: me)
    case .stopped: _ = try fixture.engine.stopMusic(MusicStop.Params(), by: me)
    case .replaced: _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: me)
    case .switchedOff: _ = try fixture.engine.changeSettings(SettingsSet.Params(music: false), by: me)
    }
    actions += fixture.run(to: 3_300_000)
    #expect(actions.soundStarts.map(\.at) == [105_600])
    let starts = actions.haptics.compactMap { command -> Int64? in
      if case .start(_, _, _, let at, _) = command { at.microseconds } else { nil }
    }
    #expect(starts == [3_200_000])
    for told in ["cue.fired", "parameter.changed"] {
      let line = try #require(actions.lines.first { $0.contains(told) })
      #expect(line.contains(#""tUs":3200000"#))
    }
  }

  /// A stop of all music calls off what is planned of it, as ever.
  @Test(arguments: [Change.sought, .paused, .replaced, .switchedOff])
  func aTrackThatWaitsForABarBeginsAtTheInstantThatWasAnswered(change: Change) throws {
    var fixture = try playing()
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "other", quantise: .bar), by: me)
    #expect(played.scheduledUs == 3_200_000)
    _ = fixture.run(to: 2_000_000)
    switch change {
    case .sought: _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 123_456), by: me)
    case .paused: _ = try fixture.engine.pauseMusic(MusicPause.Params(), by: me)
    case .replaced: _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    default: _ = try fixture.engine.changeSettings(SettingsSet.Params(music: false), by: me)
    }
    let actions = fixture.run(to: 3_300_000)
    let other = actions.audio.compactMap(\.trackStart).filter { $0.track?.name == "other" }
    #expect(other.map(\.at) == [105_600])
    let line = try #require(actions.lines.last { $0.contains("music.changed") && $0.contains("game:other") })
    #expect(line.contains(#""tUs":3200000"#))
  }

  /// Beats are heard at whole frames, here of 20.8 us. What is asked for within half a frame behind one is heard at it.
  @Test(arguments: [(-1, 1_700_000), (0, 1_700_000), (10, 1_700_010), (11, 2_200_000)] as [(Int64, Int64)])
  func whatIsHeardAtTheFrameOfABeatIsOnIt(behind: Int64, scheduledUs: Int64) throws {
    var fixture = try playing()
    let fired = try fixture.engine.fireCue(
      CueFire.Params(cue: "go", atUs: 1_700_000 + behind, quantise: .beat), by: me)
    #expect(fired.scheduledUs == scheduledUs)
    let starts = fixture.run(to: 2_300_000).soundStarts
    #expect(starts.map(\.at) == [scheduledUs > 2_000_000 ? 57_600 : 33_600])
  }
}
