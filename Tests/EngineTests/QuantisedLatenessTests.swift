// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// How late is what waits for the music: as much as its beat is behind the first one from the instant asked for. `main` has 120
/// beats a minute from 1.2 s on; it is 1.695 s, and nothing can be heard before 1.705 s.
@Suite struct QuantisedLatenessTests {
  private static let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private static func playing() throws -> EngineFixture {
    var fixture = try EngineFixture(
      cues: #""go": {"steps": [{"sound": "click"}, {"pattern": "thud"}]}, "felt": {"steps": [{"pattern": "thud"}]}"#,
      parameters: #""dark": {"targets": [{"sound": "click", "gain": {"power": 1}}]}"#)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), by: me)
    _ = fixture.run(to: 1_695_000)
    return fixture
  }

  /// When it is asked for, and how late it is at 2.2 s.
  private static let asked: [(Int64?, Int64)] = [
    // Long ahead of the beat that it waits for.
    (nil, 0), (2_100_000, 0), (2_200_000, 0),
    // Sooner than can be, but no beat is missed.
    (1_701_000, 0), (1_703_500, 0),
    // The beat of 1.7 s is missed, and those before it.
    (1_700_000, 500_000), (1_699_000, 500_000), (1_500_000, 500_000), (1_200_000, 1_000_000),
    // Before anything played.
    (1_000_000, 1_000_000), (0, 1_000_000), (.min, 1_000_000),
  ]

  @Test(arguments: asked)
  func aTrackEntersAsMuchFartherAsItsBeatIsLate(atUs: Int64?, lateUs: Int64) throws {
    var fixture = try Self.playing()
    let played = try fixture.engine.playMusic(
      MusicPlay.Params(track: "other", atUs: atUs, crossfadeUs: 0, positionUs: 700_000, quantise: .beat), by: Self.me)
    #expect(played.scheduledUs == 2_200_000 && played.lateUs == lateUs && played.positionUs == 700_000 + lateUs)
    let other = fixture.run(to: 2_300_000).audio.compactMap(\.trackStart).filter { $0.track?.name == "other" }
    #expect(other.map(\.at) == [57_600])
    let place = fixture.engine.musicStatus().positionUs
    #expect(place == 800_000 + lateUs)
  }

  @Test(arguments: asked, ["go", "felt"])
  func aCueIsLateByWholeBeats(asked: (atUs: Int64?, lateUs: Int64), cue: String) throws {
    var fixture = try Self.playing()
    // Motors need longer than the mixer.
    fixture.output.hapticLead = .milliseconds(12)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: cue, atUs: asked.atUs, quantise: .beat), by: Self.me)
    #expect(fired.scheduledUs == 2_200_000 && fired.lateUs == asked.lateUs)
  }

  @Test(arguments: asked)
  func aSettingIsLateByWholeBeats(atUs: Int64?, lateUs: Int64) throws {
    var fixture = try Self.playing()
    let set = try fixture.engine.setParameter(
      ParameterSet.Params(parameter: "dark", value: 1, atUs: atUs, quantise: .beat), by: Self.me)
    #expect(set.scheduledUs == 2_200_000 && set.lateUs == lateUs)
  }

  /// What can just be felt at the frame of a beat is on it, and not late.
  @Test func whatIsFeltAtTheFrameOfItsBeatIsNotLate() throws {
    var fixture = try Self.playing()
    fixture.output = EngineFixture.output(at: 1_696_010)
    fixture.output.hapticLead = .milliseconds(4)
    let set = try fixture.engine.fireCue(CueFire.Params(cue: "felt", atUs: 1_699_000, quantise: .beat), by: Self.me)
    #expect(set.scheduledUs == 1_700_010 && set.lateUs == 0)
  }
}
