// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// Verbs of a player for instants within one frame: what is told of its sound anew leaves what came before it.
@Suite struct HapticFrameTests {
  private static let me = Cause(client: ClientID(rawValue: 1))

  /// A second of a steady tone, which has begun.
  private func tone(_ fixture: inout EngineFixture) throws -> Int64 {
    let event: JSONValue = .object([
      "Time": .number(0), "EventType": .string("AudioContinuous"), "EventDuration": .number(1),
    ])
    let params = HapticsPlay.Params(
      ahap: .object(["Pattern": .array([.object(["Event": event])])]), atUs: 1_100_000)
    return try #require(try fixture.engine.playHaptics(params, by: Self.me).player)
  }

  /// Whether the voice stands, by the last that the mixer was told of it and that was not taken back.
  private func stands(_ actions: [EngineAction]) -> Bool {
    var told: [(frame: Int64, stands: Bool)] = []
    for case .steer(let command) in actions.audio {
      switch command {
      case .pause(_, let frame, _): told.append((frame, true))
      case .resume(_, let frame, _): told.append((frame, false))
      case .retract(_, let frame): told.removeAll { $0.frame >= frame }
      default: break
      }
    }
    return told.enumerated().max { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }?.element.stands
      ?? false
  }

  @Test(arguments: [1, 5, 40] as [Int64])
  func whatIsPausedStaysSo(later: Int64) throws {
    var fixture = try EngineFixture()
    let player = try tone(&fixture)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_150_002), by: .daemon)
    var actions = fixture.run(to: 1_110_000)
    #expect(stands(actions))
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, rate: 2, atUs: 1_150_002 + later), by: .daemon)
    actions += fixture.run(to: 1_300_000)
    #expect(stands(actions))
  }

  @Test(arguments: [1, 5, 40] as [Int64])
  func whatGoesOnGoesOn(later: Int64) throws {
    var fixture = try EngineFixture()
    let player = try tone(&fixture)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_150_000), by: .daemon)
    // Its voice goes on when the pattern has come to where 5 ms of fading out ended.
    _ = try fixture.engine.resumeHaptics(PlayerParams(player: player, atUs: 1_200_002), by: .daemon)
    var actions = fixture.run(to: 1_160_000)
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, rate: 2, atUs: 1_205_002 + later), by: .daemon)
    actions += fixture.run(to: 1_300_000)
    #expect(!stands(actions))
  }
}
