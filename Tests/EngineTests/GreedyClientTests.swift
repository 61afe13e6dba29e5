// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What one program asks for without end takes nothing from others, of its own user or another.
@Suite struct GreedyClientTests {
  private let greedy = [1, 2].map { Cause(client: ClientID(rawValue: $0), user: 1) }
  private let neighbour = Cause(client: ClientID(rawValue: 3), user: 1)
  private let stranger = Cause(client: ClientID(rawValue: 4), user: 2)
  private static let hour: Int64 = 3_600_000_000

  private func stage() throws -> EngineFixture {
    try EngineFixture(
      cues: #""hush": {"steps": [{"at": 0.9, "stop": {"sounds": true}}, {"at": 0.9, "stop": {"haptics": true}}]}"#,
      parameters: #""tension": {"targets": [{"pattern": "thud", "intensity": {"power": 2}}]}"#)
  }

  private func kind(_ body: () throws(RPCError) -> Void) -> String? {
    do throws(RPCError) {
      try body()
      return nil
    } catch { return error.data.kind }
  }

  /// Ways to plan what comes within a second and is not refused for what others planned.
  enum Flood: CaseIterable {
    case sounds, haptics, music, cues, settings

    func ask(_ engine: inout Engine, _ number: Int64, by cause: Cause) throws(RPCError) {
      // From a fifth of a second ahead on: of any tenth of one the mixer takes no more than some.
      let at = 1_200_000 + 75 * number
      switch self {
      case .sounds: _ = try engine.stopSound(SoundStop.Params(atUs: at), by: cause)
      case .haptics: _ = try engine.stopHaptics(HapticsStop.Params(atUs: at), by: cause)
      case .music: _ = try engine.stopMusic(FadeParams(atUs: at), by: cause)
      case .cues: _ = try engine.fireCue(CueFire.Params(cue: "hush"), by: cause)
      case .settings:
        _ = try engine.setParameter(ParameterSet.Params(parameter: "tension", value: 0.5, atUs: 1_090_000), by: cause)
      }
    }
  }

  @Test(arguments: Flood.allCases) func whatOneClientAsksForWithinASecondRefusesNobodyElse(flood: Flood) throws {
    var fixture = try stage()
    for number in 0..<9_000 as Range<Int64> {
      _ = kind { () throws(RPCError) in try flood.ask(&fixture.engine, number, by: greedy[0]) }
    }
    for cause in [neighbour, stranger] {
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 5_000_000), by: cause)
      for ask in Flood.allCases { try ask.ask(&fixture.engine, 9_050, by: cause) }
    }
    // What is for now comes through even for the client that asked for all of it.
    _ = try fixture.engine.stopSound(SoundStop.Params(), by: greedy[0])
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(), by: greedy[0])
    _ = fixture.run(to: 6_000_000)
    for cause in greedy + [neighbour, stranger] { fixture.engine.clientLeft(cause.client) }
    _ = fixture.run(to: 6_100_000)
    #expect(fixture.engine.holdings["shares"] == 0)
  }

  @Test func aStopThatIsAskedForAgainIsTheSame() throws {
    var fixture = try stage()
    let sound = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "word"), by: stranger).id)
    for _ in 0..<2_000 {
      _ = try fixture.engine.stopSound(SoundStop.Params(id: sound, atUs: 5_000_000), by: greedy[0])
      _ = try fixture.engine.stopSound(SoundStop.Params(atUs: 5_000_000), by: greedy[0])
      _ = try fixture.engine.stopHaptics(HapticsStop.Params(atUs: 5_000_000), by: greedy[0])
    }
    #expect(fixture.engine.holdings["plans"] == 2 && fixture.engine.holdings["stops of players"] == 1)
    // One that fades otherwise, or is another's, is another.
    _ = try fixture.engine.stopSound(SoundStop.Params(atUs: 5_000_000, fadeUs: 100_000), by: greedy[0])
    _ = try fixture.engine.stopSound(SoundStop.Params(atUs: 5_000_000), by: stranger)
    #expect(fixture.engine.holdings["plans"] == 4 && fixture.engine.holdings["shares"] == 5)
    _ = fixture.run(to: 5_100_000)
    #expect(fixture.engine.holdings["plans"] == 0 && fixture.engine.holdings["shares"] == 0)
    _ = try fixture.engine.stopSound(SoundStop.Params(atUs: 6_000_000), by: greedy[0])
    #expect(fixture.engine.holdings["plans"] == 1)
  }

  @Test func changesOfPlayersThatTwoClientsPlanAnHourAheadRefuseNobodyElse() throws {
    var fixture = try stage()
    func player(_ cause: Cause) throws -> Int64 {
      let params = HapticsContinuous.Params(durationUs: 30_000_000)
      return try #require(try fixture.engine.playContinuous(params, by: cause).player)
    }
    for cause in greedy {
      let player = try player(cause)
      for _ in 0..<3_000 {
        _ = kind { () throws(RPCError) in
          _ = try fixture.engine.sendParameters(
            HapticsSendParameters.Params(player: player, intensity: 0.5, atUs: Self.hour), by: cause)
        }
      }
    }
    for cause in [neighbour, stranger] {
      let player = try player(cause)
      for _ in 0..<16 {
        _ = try fixture.engine.sendParameters(
          HapticsSendParameters.Params(player: player, intensity: 0.5, atUs: 2_000_000), by: cause)
      }
    }
  }

  @Test func gainsWithoutEndAreRefusedAtLast() throws {
    var fixture = try stage()
    for _ in 0..<16 {
      _ = try fixture.engine.playContinuous(HapticsContinuous.Params(durationUs: 1_000_000), by: greedy[0])
    }
    fixture.output.hapticLead = .milliseconds(40)
    var refused = 0
    for _ in 0..<1_000 {
      let said = kind { () throws(RPCError) in
        _ = try fixture.engine.changeHapticGain(HapticsGain.Params(gain: 0.5), by: greedy[0])
      }
      if said == "busy" { refused += 1 }
    }
    #expect(refused > 900)
    #expect(fixture.engine.holdings["changes of players"] ?? 0 <= 600)
    _ = try fixture.engine.changeHapticGain(HapticsGain.Params(gain: 0.5), by: neighbour)
  }

  @Test func playersThatTwoClientsPlanAnHourAheadRefuseNobodyElse() throws {
    var fixture = try stage()
    for cause in greedy {
      for _ in 0..<30 {
        _ = kind { () throws(RPCError) in
          _ = try fixture.engine.playContinuous(
            HapticsContinuous.Params(durationUs: 1_000_000, atUs: Self.hour), by: cause)
        }
      }
    }
    for cause in [neighbour, stranger] {
      for _ in 0..<4 {
        _ = try fixture.engine.playContinuous(HapticsContinuous.Params(durationUs: 1_000_000), by: cause)
      }
    }
    for _ in 0..<4 {
      _ = try fixture.engine.playContinuous(HapticsContinuous.Params(durationUs: 1_000_000), by: .daemon)
    }
  }
}
