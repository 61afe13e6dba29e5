// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// A stop of all haptic players for an instant is of those that have begun before that, whichever was asked for first.
@Suite struct HapticStopTests {
  private static let me = ClientID(rawValue: 1)

  private func hum(_ fixture: inout EngineFixture, at: Int64? = nil) throws -> Int64 {
    let params = HapticsContinuous.Params(durationUs: 1_500_000, intensity: 0.5, atUs: at)
    return try #require(try fixture.engine.playContinuous(params, by: Cause(client: Self.me)).player)
  }

  private func stop(_ fixture: inout EngineFixture, at: Int64?) throws -> Scheduled {
    try fixture.engine.stopHaptics(HapticsStop.Params(atUs: at), by: Cause(client: Self.me))
  }

  /// How each player ended, and when.
  private func ends(_ told: [Told]) -> [Int64: Told] {
    Dictionary(
      uniqueKeysWithValues: told.filter { !["started", "looped"].contains($0.change) }.map { ($0.player, $0) })
  }

  /// Asked long before, and within the time by which stops are handed out ahead.
  @Test(arguments: [1_000_000, 1_450_000] as [Int64], [false, true])
  func itEndsWhatHasBegunByThenAndNothingElse(asked: Int64, isStopFirst: Bool) throws {
    var fixture = try EngineFixture()
    var actions = fixture.run(to: asked)
    if isStopFirst { #expect(try stop(&fixture, at: 1_500_000).scheduledUs == 1_500_000) }
    let before = try hum(&fixture, at: asked + 30_000)
    let atOnce = try hum(&fixture, at: 1_500_000)
    let later = try hum(&fixture, at: 1_700_000)
    if !isStopFirst { #expect(try stop(&fixture, at: 1_500_000).scheduledUs == 1_500_000) }
    actions += fixture.run(to: 4_000_000)
    let ends = ends(try actions.hapticChanges)
    #expect(ends[before] == Told(tUs: 1_500_000, player: before, change: "stopped", reason: "requested"))
    #expect(ends[atOnce] == Told(tUs: 3_000_000, player: atOnce, change: "finished"))
    #expect(ends[later] == Told(tUs: 3_200_000, player: later, change: "finished"))
    #expect(fixture.engine.holdings.values.allSatisfy { $0 == 0 })
  }

  @Test func withoutAnInstantItAlsoCallsOffWhatIsPlanned() throws {
    var fixture = try EngineFixture()
    let (now, later) = (try hum(&fixture), try hum(&fixture, at: 1_700_000))
    var actions = fixture.run(to: 1_100_000)
    _ = try stop(&fixture, at: nil)
    let after = try hum(&fixture)
    actions += fixture.run(to: 4_000_000)
    let ends = ends(try actions.hapticChanges)
    #expect([now, later, after].map { ends[$0]?.change } == ["stopped", "cancelled", "finished"])
  }
}
