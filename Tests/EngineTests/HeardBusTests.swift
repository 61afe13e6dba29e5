// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import Engine

/// Replies tell by whose volume something is heard: whoever shows a player what to hear asks no pack for it.
@Suite struct HeardBusTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)

  private static let cues = """
    "talk": {"steps": [{"sound": "word"}, {"music": {"play": "other"}}]}, "turn": {"steps": [{"music": {"gain": 0.5}}]},
    "both": {"steps": [{"sound": "click"}, {"at": 1, "sound": "word"}, {"at": 2, "sound": "click"}]},
    "felt": {"steps": [{"pattern": "thud"}]}, "lost": {"steps": [{"sound": "lost"}]},
    "end": {"steps": [{"music": {"stop": true}}, {"sound": "click"}]}
    """

  @Test func aSoundIsHeardByItsBus() throws {
    var fixture = try EngineFixture()
    #expect(try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: me).bus == .sound)
    #expect(try fixture.engine.playSound(SoundPlay.Params(sound: "word"), by: me).bus == .voice)
  }

  private static let heard: [(String, [HeardBus])] = [
    ("talk", [.music, .voice]), ("turn", [.music]), ("both", [.sound, .voice]), ("felt", []), ("lost", []),
    ("end", [.sound]),
  ]

  @Test(arguments: heard)
  func aCueIsHeardByTheBusesOfItsParts(cue: String, buses: [HeardBus]) throws {
    var fixture = try EngineFixture(cues: Self.cues)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 1_200_000)
    #expect(try fixture.engine.fireCue(CueFire.Params(cue: cue), by: me).heardOn == buses)
  }

  @Test func whatIsSwitchedOffIsNotHeard() throws {
    var fixture = try EngineFixture(cues: Self.cues)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(sound: false), by: me)
    _ = fixture.run(to: 1_200_000)
    #expect(try fixture.engine.fireCue(CueFire.Params(cue: "talk"), by: me).heardOn == [.music])
  }
}
