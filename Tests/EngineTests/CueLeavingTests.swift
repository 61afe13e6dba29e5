// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What plays on of a cue that its client's leaving cut can still be ended, by whoever is there.
@Suite struct CueLeavingTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1_000)
  private let other = Cause(client: ClientID(rawValue: 2), user: 1_000)

  /// A word of a second, and something that does not play out with it.
  private static let cues = """
    "hum": {"steps": [{"sound": "word"}, {"pattern": "thud", "loop": true}]},
    "tune": {"steps": [{"sound": "word"}, {"at": 0.5, "music": {"play": "main"}}]},
    "hush": {"steps": [{"sound": "word"}, {"at": 0.5, "stop": {"sound": "click"}}, {"at": 0.5, "stop": {"haptics": true}}]},
    "echo": {"steps": [{"sound": "word"}, {"at": 0.5, "sound": "click"}]},
    "ring": {"steps": [{"sound": "word"}, {"sound": "click", "loop": true}]},
    "long": {"steps": [{"sound": "word"}, {"continuous": {"intensity": 1, "sharpness": 1, "duration": 30}}]}
    """

  private func fixture() throws -> EngineFixture {
    try EngineFixture(cues: Self.cues) { pack in pack.sounds["word"] = 48_000 * 40 }
  }

  /// The cue fired at 2 s, and its client gone at 2.2 s.
  private func left(_ cue: String, _ fixture: inout EngineFixture) throws -> (id: Int64, actions: [EngineAction]) {
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: cue, atUs: 2_000_000), by: me)
    var actions = fixture.run(to: 2_200_000)
    if cue == "long" {
      let player = Int64(try #require(fixture.engine.haptics.players.first).rawValue)
      _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, rate: 0.5), by: me)
    }
    fixture.engine.clientLeft(me.client)
    actions += fixture.run(to: 2_400_000)
    return (try #require(fired.id), actions)
  }

  private func cancellations(_ actions: [EngineAction]) -> [String] {
    actions.lines.filter { $0.contains("cue.cancelled") }
  }

  @Test(arguments: ["hum", "tune", "hush", "echo", "ring", "long"])
  func aStopOfACueThatWasCutEndsTheSoundThatPlaysOn(cue: String) throws {
    var fixture = try fixture()
    var (id, actions) = try left(cue, &fixture)
    let word = try #require(actions.soundStarts.first { !$0.loops }?.id)
    if let loop = actions.soundStarts.first(where: \.loops)?.id {
      fixture.engine.voiceFinished(loop, at: 60_480, .stopped)
    }
    // What is felt for a minute is cut 30 s behind its client.
    actions += fixture.run(to: cue == "long" ? 33_000_000 : 3_000_000)
    #expect(cancellations(actions).count == 1 && cancellations(actions)[0].contains(#""reason":"stopped""#))
    let stopUs = fixture.output.now.microseconds
    let stopped = try fixture.engine.stopCue(CueStop.Params(id: id), by: other)
    #expect(stopped.stopped == ["sound game:word"])
    let over = [
      "tune": ["music.play game:main"], "hush": ["stop of sound game:click", "stop of haptics"],
      "echo": ["sound game:click"],
    ]
    #expect(stopped.calledOff == over[cue] ?? [])
    let ended = ["hum": ["pattern game:thud"], "ring": ["sound game:click"], "long": ["continuous"]]
    #expect(stopped.tooLate == ended[cue] ?? [])
    #expect(stopped.soundAtUs == stopUs + 10_000 && stopped.hapticAtUs == nil)
    let after = fixture.run(to: stopUs + 100_000)
    #expect(after.audio.stopped.map(\.voice) == [word])
    // The cue was told once.
    #expect(cancellations(after) == [])
    fixture.engine.voiceFinished(word, at: EngineFixture.frame(stopUs + 15_000), .stopped)
    let told = fixture.run(to: stopUs + 2_000_000).lines.filter { $0.contains("sound.finished") }
    #expect(told.count == 1 && told[0].contains(#""cue":\#(id)"#) && told[0].contains(#""reason":"stopped""#))
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  @Test(arguments: ["hum", "tune", "hush", "echo", "ring", "long"])
  func ofACueThatWasCutNothingIsKeptWhenTheLastOfItIsOver(cue: String) throws {
    var fixture = try fixture()
    let (id, actions) = try left(cue, &fixture)
    for start in actions.soundStarts where start.loops { fixture.engine.voiceFinished(start.id, at: 60_480, .stopped) }
    _ = fixture.run(to: 41_990_000)
    for start in actions.soundStarts where !start.loops {
      fixture.engine.voiceFinished(start.id, at: 1_968_000, .ended)
    }
    _ = fixture.run(to: 43_000_000)
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
    let refused = #expect(throws: RPCError.self) { try fixture.engine.stopCue(CueStop.Params(id: id), by: other) }
    #expect(refused?.data.kind == "notRunning")
  }

  @Test func aStopInTheMiddleOfTheFadeIsOfThatToo() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "ring", atUs: 2_000_000), by: me)
    _ = fixture.run(to: 2_200_000)
    fixture.engine.clientLeft(me.client)
    _ = fixture.run(to: 2_240_000)
    let stopped = try fixture.engine.stopCue(CueStop.Params(id: try #require(fired.id), fadeUs: 500_000), by: other)
    #expect(stopped.stopped == ["sound game:word", "sound game:click"])
  }

  /// What repeats does not begin so late, and the cue, which comes, is told to be cut, be that heard or felt.
  @Test(arguments: [#""sound": "word""#, #""pattern": "thud""#])
  func aCueThatIsAboutToComeIsCutOfWhatRepeats(step: String) throws {
    for (loops, isCut) in [(true, true), (false, false)] {
      var fixture = try EngineFixture(cues: #""near": {"steps": [{\#(step), "loop": \#(loops)}]}"#)
      _ = fixture.run(to: 1_990_000)
      // Ten milliseconds are what a sound takes.
      _ = try fixture.engine.fireCue(CueFire.Params(cue: "near", atUs: 2_010_000), by: me)
      fixture.engine.clientLeft(me.client)
      let told = fixture.run(to: 2_500_000).lines.filter { $0.contains(#""method":"cue."#) }
      #expect(told.map { $0.contains("cue.fired") } == (isCut ? [true, false] : [true]), "\(told)")
    }
  }
}
