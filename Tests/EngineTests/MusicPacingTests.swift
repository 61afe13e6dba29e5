// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What one client asks of the music leaves the mixer room for what others ask of it.
@Suite struct MusicPacingTests {
  private let flooder = Cause(client: ClientID(rawValue: 1))
  private let other = Cause(client: ClientID(rawValue: 2))
  private static let room = 3_072

  private func playing() throws -> EngineFixture {
    var fixture = try EngineFixture(cues: #""hush": {"steps": [{"music": {"stop": true, "fade": 0.2}}]}"#)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: other)
    _ = fixture.run(to: 1_500_000)
    return fixture
  }

  /// How many commands the mixer is told: as the host does it, after each line.
  private func commands(_ fixture: inout EngineFixture) -> Int {
    fixture.engine.takeActions().audio.count
  }

  @Test func gainsEachBeforeTheLastAreRefusedBeforeTheyFillTheMixer() throws {
    var fixture = try playing()
    var refused: RPCError?
    var told = 0
    for index in 0..<Int64(64) {
      do throws(RPCError) {
        _ = try fixture.engine.changeMusicGain(
          MusicGain.Params(gain: 0.5, atUs: 1_595_000 - 1_000 * index), by: flooder)
      } catch { refused = error }
      told += commands(&fixture)
    }
    #expect(told <= Self.room / 8)
    #expect(refused?.data.kind == "busy")
    // Nobody else waits for it, nor does who asked when the mixer has gone on.
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5), by: other)
    fixture.output = EngineFixture.output(at: 1_503_000)
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5), by: flooder)
  }

  @Test func stopsOfManyCuesDoNotFillTheMixer() throws {
    var fixture = try playing()
    try fixture.fillMusic(by: other)
    var told = 0
    for _ in 0..<60 {
      _ = try fixture.engine.fireCue(CueFire.Params(cue: "hush"), by: flooder)
      told += commands(&fixture)
    }
    #expect(told <= Self.room / 8)
    // Who has asked for little is never refused a stop for what others did.
    _ = try fixture.engine.stopMusic(FadeParams(), by: other)
  }

  @Test func callingOffOneByOneIsRefusedBeforeItFillsTheMixer() throws {
    var fixture = try playing()
    var plans: [Int64] = []
    for index in 0..<Int64(64) {
      let planned = try fixture.engine.changeMusicGain(
        MusicGain.Params(gain: 0.5, atUs: 1_700_000 + 1_000 * index), by: flooder)
      plans.append(planned.plan)
    }
    _ = fixture.run(to: 1_670_000)
    var refused: RPCError?
    var told = 0
    for plan in plans {
      do throws(RPCError) {
        _ = try fixture.engine.cancelMusic(MusicCancel.Params(plan: plan), by: flooder)
      } catch { refused = error }
      told += commands(&fixture)
    }
    #expect(told <= Self.room / 8)
    #expect(refused?.data.kind == "busy")
  }

  @Test func cuesOfAClientThatLeavesAreCalledOffAllAtOnce() throws {
    var fixture = try playing()
    for index in 0..<Int64(40) {
      _ = try fixture.engine.fireCue(CueFire.Params(cue: "hush", atUs: 1_700_000 + 1_000 * index), by: flooder)
    }
    _ = fixture.run(to: 1_670_000)
    fixture.engine.clientLeft(flooder.client)
    #expect(commands(&fixture) <= Self.room / 8)
  }
}
