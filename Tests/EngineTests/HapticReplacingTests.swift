// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// A player that is to replace another ends it when it begins itself, and never where it does not.
@Suite struct HapticReplacingTests {
  private static let me = ClientID(rawValue: 1)
  private static let you = ClientID(rawValue: 2)

  /// What becomes of a player before the instant at which it would have begun.
  enum Fate: CaseIterable {
    case stopped, itsClientLeft, switchedOff, itselfReplaced, paused
  }

  /// Two seconds of steady vibration.
  private func hum(_ fixture: inout EngineFixture) throws -> Int64 {
    let params = HapticsContinuous.Params(durationUs: 2_000_000, intensity: 0.5)
    return try #require(try fixture.engine.playContinuous(params, by: Cause(client: Self.me)).player)
  }

  private func thud(_ fixture: inout EngineFixture, at: Int64, replacing: Int64, device: String? = nil) throws -> Int64
  {
    let params = HapticsPlay.Params(pattern: "thud", atUs: at, replaces: replacing, device: device)
    return try #require(try fixture.engine.playHaptics(params, by: Cause(client: Self.you)).player)
  }

  @Test(arguments: Fate.allCases)
  func aPlayerThatNeverBeginsEndsNoOther(_ fate: Fate) throws {
    var fixture = try EngineFixture()
    let first = try hum(&fixture)
    let second = try thud(&fixture, at: 1_500_000, replacing: first)
    _ = fixture.run(to: 1_400_000)
    switch fate {
    case .stopped: _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: second), by: .daemon)
    case .itsClientLeft: fixture.engine.clientLeft(Self.you)
    case .switchedOff: _ = try fixture.engine.changeSettings(SettingsSet.Params(haptics: false), by: .daemon)
    case .itselfReplaced: _ = try thud(&fixture, at: 1_450_000, replacing: second)
    case .paused: _ = try fixture.engine.pauseHaptics(PlayerParams(player: second), by: .daemon)
    }
    let told = try fixture.run(to: 3_500_000).hapticChanges
    #expect(told.filter { $0.player == first } == [Told(tUs: 3_000_000, player: first, change: "finished")])
  }

  @Test func whatIsSkippedAtOnceEndsNoOther() throws {
    var fixture = try EngineFixture()
    let first = try hum(&fixture)
    _ = fixture.run(to: 1_100_000)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(haptics: false), by: .daemon)
    let params = HapticsPlay.Params(pattern: "thud", replaces: first)
    #expect(try fixture.engine.playHaptics(params, by: Cause(client: Self.me)).skipped == .hapticsOff)
    let told = try fixture.run(to: 3_500_000).hapticChanges
    #expect(told == [Told(tUs: 3_000_000, player: first, change: "finished")])
  }

  @Test func aPlayerThatIsHeldBackEndsTheOtherWhenItBegins() throws {
    var fixture = try EngineFixture()
    let first = try hum(&fixture)
    let second = try thud(&fixture, at: 1_500_000, replacing: first)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: second, atUs: 1_400_000), by: .daemon)
    _ = try fixture.engine.resumeHaptics(PlayerParams(player: second, atUs: 1_800_000), by: .daemon)
    let told = try fixture.run(to: 3_500_000).hapticChanges
    #expect(
      told.filter { $0.player == first }.last
        == Told(tUs: 1_800_000, player: first, change: "stopped", reason: "replaced"))
  }

  @Test func oneThatHasNotBegunIsCalledOffByItsReplacement() throws {
    var fixture = try EngineFixture()
    let first = try hum(&fixture)
    let second = try thud(&fixture, at: 1_500_000, replacing: first)
    _ = try thud(&fixture, at: 1_300_000, replacing: second)
    let told = try fixture.run(to: 3_500_000).hapticChanges
    #expect(told.filter { $0.player == second } == [Told(tUs: 1_300_000, player: second, change: "cancelled")])
  }

  /// The pads that do not feel the new one must not feel the old one for ever.
  @Test func aPlayerForSomePadsEndsTheOtherOnAll() throws {
    var fixture = try EngineFixture()
    let first = try hum(&fixture)
    _ = fixture.engine.takeActions()
    _ = try thud(&fixture, at: 1_500_000, replacing: first, device: "left")
    var right = fixture.engine.playingHaptics { $0 == "right" }
    #expect(fixture.engine.takeActions().haptics.count == 1)
    #expect(right.activeSources(at: Instant(microseconds: 1_499_000)) == ["continuous"])
    _ = right.advance(to: Instant(microseconds: 1_500_000))
    #expect(right.activePlayers.isEmpty)
  }

  /// What called for its end is carried out by then, and never comes again.
  @Test func aToneThatHasEndedIsNotBroughtBackByWhatIsCalledOffAtThatInstant() throws {
    let event: JSONValue = .object([
      "Time": .number(0), "EventType": .string("AudioContinuous"), "EventDuration": .number(10),
    ])
    let tone: JSONValue = .object(["Pattern": .array([.object(["Event": event])])])
    var fixture = try EngineFixture()
    let first = try #require(
      try fixture.engine.playHaptics(HapticsPlay.Params(ahap: tone), by: Cause(client: Self.me)).player)
    let second = try thud(&fixture, at: 3_000_000, replacing: first)
    _ = fixture.run(to: 2_000_000)
    #expect(fixture.engine.patternVoices(of: first) == 1)
    let end = try fixture.engine.stopHaptics(HapticsStop.Params(player: first), by: .daemon).scheduledUs
    _ = fixture.run(to: end)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: second), by: .daemon)
    #expect(fixture.engine.patternVoices(of: first) == 0)
    let steered = fixture.run(to: 4_000_000).audio.contains { if case .steer(.bringBack) = $0 { true } else { false } }
    #expect(!steered)
  }

  /// Heard and felt are one: a tone ends with the player it belongs to, and goes on with it.
  @Test(arguments: [false, true])
  func whatIsHeardOfAReplacedPlayerFollows(isCalledOff: Bool) throws {
    let event: JSONValue = .object([
      "Time": .number(0), "EventType": .string("AudioContinuous"), "EventDuration": .number(1),
    ])
    let tone: JSONValue = .object(["Pattern": .array([.object(["Event": event])])])
    var fixture = try EngineFixture()
    let params = HapticsPlay.Params(ahap: tone, atUs: 1_100_000)
    let first = try #require(try fixture.engine.playHaptics(params, by: Cause(client: Self.me)).player)
    let second = try thud(&fixture, at: 1_500_000, replacing: first)
    // Planned ahead by then, and taken back.
    var actions = fixture.run(to: 1_450_000)
    if isCalledOff { _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: second), by: .daemon) }
    actions += fixture.run(to: 1_480_000)
    #expect(fixture.engine.patternVoices(of: first) == 1)
    actions += fixture.run(to: 1_560_000)
    #expect((fixture.engine.patternVoices(of: first) == 1) == isCalledOff)
    #expect(actions.soundStarts.count == 1)
  }
}
