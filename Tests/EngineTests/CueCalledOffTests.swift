// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What of a cue is called off by others before it begins is told as skipped at the cue's instant, however near to it.
@Suite struct CueCalledOffTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private static let cues = """
    "both": {"steps": [{"sound": "click"}, {"pattern": "thud"}]},
    "late": {"steps": [{"sound": "click"}, {"at": 2, "pattern": "thud"}]},
    "hit": {"steps": [{"sound": "click"}]}
    """

  private func told(_ lines: [String]) throws -> String {
    try #require(lines.first { $0.contains("cue.fired") && $0.contains("game:both") })
  }

  @Test(arguments: [2_000, 60_000, 99_000, 101_000, 500_000] as [Int64])
  func whatIsStoppedBeforeItBeginsIsSkippedAndNotAnnounced(beforeUs: Int64) throws {
    var fixture = try EngineFixture(cues: Self.cues)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "both", atUs: 2_000_000), by: me)
    var lines = fixture.run(to: 2_000_000 - 20_000 - beforeUs).lines
    _ = try fixture.engine.stopSound(SoundStop.Params(), by: me)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(), by: me)
    lines += fixture.run(to: 2_500_000).lines
    let fired = try told(lines)
    for step in ["sound game:click", "pattern game:thud"] {
      #expect(fired.contains(#"{"kind":"calledOff","reason":"stopped before it began","step":"\#(step)"}"#), "\(fired)")
    }
    #expect(!fired.contains("soundAtUs") && !fired.contains("hapticAtUs"))
  }

  /// Nobody stopped it: it is told so of what is heard and of what is felt, as of music.
  @Test func whatDoesNotBeginBecauseItsClientLeftSaysSo() throws {
    var fixture = try EngineFixture(
      cues:
        #""both": {"steps": [{"at": 0, "sound": "click"}, {"at": 1, "sound": "click"}, {"at": 1, "pattern": "thud"}]}"#)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "both", atUs: 2_000_000), by: me)
    var lines = fixture.run(to: 2_000_000 - 15_000).lines
    fixture.engine.clientLeft(me.client)
    lines += fixture.run(to: 2_500_000).lines
    let fired = try told(lines)
    for step in ["sound game:click", "pattern game:thud"] {
      #expect(fired.contains(#"{"kind":"calledOff","reason":"its client left","step":"\#(step)"}"#), "\(fired)")
    }
  }

  @Test func whatComesBehindATouchThatIsCalledOffComesBehindItsCuesZero() throws {
    var fixture = try EngineFixture(cues: Self.cues)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "late", atUs: 2_000_000, tag: "f"), by: me)
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(), by: me)
    _ = fixture.run(to: 1_600_000)
    let hit = try fixture.engine.fireCue(CueFire.Params(cue: "hit", after: "f", afterUs: 0), by: me)
    #expect(hit.scheduledUs == 2_000_000)
  }
}
