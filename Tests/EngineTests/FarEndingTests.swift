// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What ends something is never refused when it is meant for soon, and takes up no more room than all else when not.
@Suite struct FarEndingTests {
  private let far: Int64 = 3_000_000_000

  @Test func stopsPlannedFarAheadAreBounded() throws {
    var fixture = try EngineFixture()
    let me = Cause(client: ClientID(rawValue: 1))
    for index in 0..<Int64(Shares.ofAClient) {
      _ = try fixture.engine.stopMusic(FadeParams(atUs: far + 10_000 * index), by: me)
    }
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.stopMusic(FadeParams(atUs: far - 10_000), by: me)
    }
    #expect(refused?.data.kind == "busy")
    #expect(fixture.engine.holdings["verbs of music"] == Shares.ofAClient)
    #expect(try fixture.engine.stopMusic(FadeParams(), by: me).scheduledUs == 1_010_000)
    #expect(try fixture.engine.stopSound(SoundStop.Params(atUs: 2_010_000), by: me).scheduledUs == 2_010_000)
  }

  @Test func changesOfPlayersPlannedFarAheadAreBoundedAndAStopIsKeptOnce() throws {
    var fixture = try EngineFixture()
    let player = try #require(
      try fixture.engine.playHaptics(
        HapticsPlay.Params(pattern: "thud", atUs: far), by: .daemon
      ).player)
    for _ in 0..<3 {
      _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player, atUs: far + 1), by: .daemon)
    }
    #expect(fixture.engine.holdings["changes of players"] == 1)
    let me = Cause(client: ClientID(rawValue: 1))
    for _ in 0..<HapticChanges.bounds.ofAClient + HapticChanges.bounds.urgentOfAClient {
      _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: far), by: me)
    }
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: far), by: me)
    }
    #expect(refused?.data.kind == "busy")
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player), by: .daemon)
    _ = fixture.run(to: 1_020_000)
    #expect(fixture.engine.holdings["changes of players"] == 0)
  }

  @Test func whatWasPlannedForASoundOfAPatternGoesWithIt() throws {
    let hum = #"{"Pattern": [{"Event": {"Time": 0, "EventType": "AudioContinuous", "EventDuration": 20}}]}"#
    var fixture = try EngineFixture { pack in
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(hum.utf8), name: "hum").0)
    }
    let player = try #require(
      try fixture.engine.playHaptics(
        HapticsPlay.Params(pattern: "thud", loop: true), by: .daemon
      ).player)
    let voice = try #require(fixture.run(to: 1_200_000).soundStarts.first).id
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player, atUs: far), by: .daemon)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player), by: .daemon)
    _ = fixture.run(to: 1_300_000)
    fixture.engine.voiceFinished(voice, at: 14_000, .stopped)
    #expect(fixture.engine.holdings.values.allSatisfy { $0 == 0 }, "\(fixture.engine.holdings)")
  }
}
