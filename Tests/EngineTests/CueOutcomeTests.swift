// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What `cue.stop` answers of every step, and of firings that are over.
@Suite struct CueOutcomeTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private static let cues = """
    "whole": {"steps": [
      {"sound": "click"}, {"pattern": "thud"}, {"at": 0.25, "sound": "word"},
      {"at": 0.5, "transient": {"intensity": 1, "sharpness": 1}}, {"at": 1, "music": {"play": "main"}},
      {"at": 1, "parameter": "dark", "value": 1, "over": 0}, {"at": 1, "stop": {"sounds": true}}]},
    "tap": {"steps": [{"transient": {"intensity": 1, "sharpness": 1}}]}
    """

  private static let steps: Set = [
    "sound game:click", "pattern game:thud", "sound game:word", "transient", "music.play game:main",
    "parameter game:dark", "stop of sounds",
  ]

  private func fixture() throws -> EngineFixture {
    try EngineFixture(cues: Self.cues, parameters: ParameterTests.parameters)
  }

  private func stop(_ id: Int64?, in fixture: inout EngineFixture) throws -> CueStop.Result {
    try fixture.engine.stopCue(CueStop.Params(id: try #require(id)), by: me)
  }

  /// Fires the whole cue for 2 s; its first sound ends at 2.1 s, its second is stopped with its stop at 3 s.
  private func stopped(at atUs: Int64, _ fixture: inout EngineFixture) throws -> (
    id: Int64?, result: CueStop.Result, lines: [String]
  ) {
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "whole", atUs: 2_000_000), by: me)
    var actions: [EngineAction] = []
    for (place, endsUs) in [(0, 2_100_000), (1, 3_005_000)] as [(Int, Int64)] where atUs > endsUs {
      actions += fixture.run(to: endsUs)
      let voice = actions.soundStarts[place].id
      fixture.engine.voiceFinished(voice, at: EngineFixture.frame(endsUs), place == 0 ? .ended : .stopped)
    }
    actions += fixture.run(to: atUs)
    let result = try stop(fired.id, in: &fixture)
    actions += fixture.run(to: atUs + 3_000_000)
    return (fired.id, result, actions.lines)
  }

  @Test(
    arguments: [
      1_500_000, 1_995_000, 2_000_000, 2_120_000, 2_500_000, 2_520_000, 2_995_000, 3_000_000, 3_002_000, 5_000_000,
    ] as [Int64])
  func everyStepIsInOneList(atUs: Int64) throws {
    var fixture = try fixture()
    let result = try stopped(at: atUs, &fixture).result
    let all = result.calledOff + result.stopped + result.tooLate
    #expect(all.count == Self.steps.count && Set(all) == Self.steps, "\(result)")
  }

  @Test func whatHasBeenFeltAndPlayedOutIsTooLate() throws {
    var fixture = try fixture()
    let result = try stopped(at: 2_520_000, &fixture).result
    #expect(Set(result.tooLate) == ["sound game:click", "pattern game:thud", "transient"])
    #expect(result.stopped == ["sound game:word"])
    #expect(Set(result.calledOff) == ["music.play game:main", "parameter game:dark", "stop of sounds"])
  }

  @Test func ofAFiringThatIsOverAllIsTooLateAndNothingIsTold() throws {
    var fixture = try fixture()
    let (id, result, lines) = try stopped(at: 5_000_000, &fixture)
    #expect(result.calledOff == [] && result.stopped == [] && Set(result.tooLate) == Self.steps)
    #expect(result.soundAtUs == nil && result.hapticAtUs == nil)
    #expect(!lines.contains { $0.contains("cue.cancelled") })
    #expect(try stop(id, in: &fixture) == result)
  }

  @Test func whatWasSkippedIsInNoList() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: .daemon)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "lock", atUs: 2_000_000), by: me)
    let starts = fixture.run(to: 2_100_000).soundStarts
    fixture.engine.voiceFinished(try #require(starts.first?.id), at: EngineFixture.frame(2_100_000), .ended)
    _ = fixture.run(to: 4_000_000)
    let result = try stop(fired.id, in: &fixture)
    #expect(fired.skipped.count == 1)
    #expect(result.tooLate == ["sound game:click", "pattern game:thud", "music.play game:other"])
  }

  @Test func theLatestFiringsOfAClientAreRememberedAsLongAsItIsHere() throws {
    var fixture = try fixture()
    let other = Cause(client: ClientID(rawValue: 2), user: 1)
    let others = try fixture.engine.fireCue(CueFire.Params(cue: "tap"), by: other)
    var ids: [Int64?] = []
    for turn in 0...64 {
      ids.append(try fixture.engine.fireCue(CueFire.Params(cue: "tap"), by: me).id)
      _ = fixture.run(to: 1_100_000 + Int64(turn) * 100_000)
    }
    let forgotten = #expect(throws: RPCError.self) { try stop(ids[0], in: &fixture) }
    #expect(forgotten?.data.kind == "notRunning")
    for id in ids.dropFirst() { #expect(try stop(id, in: &fixture).tooLate == ["transient"]) }
    fixture.engine.clientLeft(me.client)
    for id in ids { #expect(throws: RPCError.self) { try stop(id, in: &fixture) } }
    #expect(try stop(others.id, in: &fixture).tooLate == ["transient"])
  }

  private func tooLate(_ lines: [String]) throws -> String {
    let told = try #require(lines.first { $0.contains("cue.cancelled") })
    return String(try #require(told.firstMatch(of: #/"tooLate":\[(.*?)\]/#)?.1))
  }

  @Test(arguments: [0, 120_000] as [Int64])
  func whatItsClientsLeavingCutsInItsMiddleIsNotTooLate(keepUs: Int64) throws {
    var fixture = try EngineFixture(
      cues: """
        "taps": {"steps": [{"transient": {"intensity": 1, "sharpness": 1}},
                           {"at": 0.2, "pattern": "thud", "loop": true}]}
        """)
    let params = CueFire.Params(cue: "taps", atUs: 2_000_000, keepAfterDisconnectUs: keepUs)
    _ = try fixture.engine.fireCue(params, by: me)
    var lines = fixture.run(to: 2_300_000).lines
    fixture.engine.clientLeft(me.client)
    lines += fixture.run(to: 4_000_000).lines
    #expect(try tooLate(lines) == #""transient""#)
  }

  @Test(arguments: [0, 120_000] as [Int64]) func aSettingThatHasComeIsTooLateWhenItsClientLeaves(keepUs: Int64) throws {
    var fixture = try EngineFixture(
      cues: """
        "dim": {"steps": [{"parameter": "dark", "value": 1, "over": 0},
                          {"at": 0.5, "parameter": "dark", "value": 0, "over": 0}]}
        """, parameters: ParameterTests.parameters)
    let params = CueFire.Params(cue: "dim", atUs: 2_000_000, keepAfterDisconnectUs: keepUs)
    _ = try fixture.engine.fireCue(params, by: me)
    var lines = fixture.run(to: 2_200_000).lines
    fixture.engine.clientLeft(me.client)
    lines += fixture.run(to: 4_000_000).lines
    #expect(try tooLate(lines) == #""parameter game:dark""#)
  }

  @Test func aFiringThatOutlivesItsClientIsNotRemembered() throws {
    var fixture = try fixture()
    let params = CueFire.Params(cue: "tap", atUs: 2_000_000, keepAfterDisconnectUs: 5_000_000)
    let fired = try fixture.engine.fireCue(params, by: me)
    fixture.engine.clientLeft(me.client)
    let lines = fixture.run(to: 3_000_000).lines
    #expect(lines.contains { $0.contains("cue.fired") })
    #expect(throws: RPCError.self) { try stop(fired.id, in: &fixture) }
  }
}
