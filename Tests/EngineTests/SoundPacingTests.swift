// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What one client asks of the sounds leaves the mixer room for what others ask of them.
@Suite struct SoundPacingTests {
  private let flooder = Cause(client: ClientID(rawValue: 1))
  private let other = Cause(client: ClientID(rawValue: 2))

  /// How many of `count` plays are granted; the last refusal.
  private func play(
    _ count: Int, _ params: SoundPlay.Params, by cause: Cause, _ fixture: inout EngineFixture
  ) -> (granted: Int, refused: RPCError?) {
    var (granted, refused): (Int, RPCError?) = (0, nil)
    for _ in 0..<count {
      do throws(RPCError) {
        _ = try fixture.engine.playSound(params, by: cause)
        granted += 1
      } catch { refused = error }
    }
    return (granted, refused)
  }

  @Test func whoBeginsSoundsWithoutEndHasTwoThirdsOfWhatTheMixerIsToldAhead() throws {
    var fixture = try EngineFixture()
    let soon = SoundPlay.Params(sound: "click", atUs: 1_090_000)
    let flood = play(600, soon, by: flooder, &fixture)
    #expect(flood.granted == 256)
    #expect(flood.refused?.data.kind == "busy")
    // The next has two thirds of the rest, and who asks for little is never refused.
    #expect(play(600, soon, by: other, &fixture).granted == 85)
    for client in 3...20 as ClosedRange<UInt64> {
      #expect(play(1, soon, by: Cause(client: ClientID(rawValue: client)), &fixture).granted == 1, "\(client)")
    }
  }

  @Test func whatIsPlannedFarAheadIsCountedByItsInstant() throws {
    var fixture = try EngineFixture()
    var granted = 0
    // Each a millisecond after the other: of any tenth of a second as much as the mixer is told ahead.
    for index in 0..<500 as Range<Int64> {
      let params = SoundPlay.Params(sound: "click", atUs: 60_000_000 + 1_000 * index)
      granted += play(2, params, by: flooder, &fixture).granted
    }
    #expect(granted == 1_000)
    #expect(play(100, SoundPlay.Params(sound: "click", atUs: 60_250_000), by: flooder, &fixture).granted < 24)
    #expect(play(1, SoundPlay.Params(sound: "click", atUs: 60_250_000), by: other, &fixture).granted == 1)
  }

  @Test func roomIsThereAgainWhenTimeHasMovedOnOrWhatWasPlannedIsCalledOff() throws {
    var fixture = try EngineFixture()
    #expect(play(300, SoundPlay.Params(sound: "click", atUs: 30_000_000), by: flooder, &fixture).granted == 256)
    _ = try fixture.engine.stopSound(SoundStop.Params(), by: flooder)
    #expect(play(300, SoundPlay.Params(sound: "click", atUs: 30_000_000), by: flooder, &fixture).granted == 256)
    // The stop counts as 32.
    #expect(play(300, SoundPlay.Params(sound: "click"), by: flooder, &fixture).granted == 224)
    _ = fixture.run(to: 1_300_000)
    #expect(play(300, SoundPlay.Params(sound: "click"), by: flooder, &fixture).granted == 256)
  }

  @Test func changesAndStopsCountToo() throws {
    var fixture = try EngineFixture()
    let id = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: flooder).id)
    var granted = 0
    for _ in 0..<600 {
      do throws(RPCError) {
        _ = try fixture.engine.setSound(
          SoundSet.Params(id: id, gain: 1, pan: 0, pitch: 1, atUs: 1_090_000), by: flooder)
        granted += 1
      } catch { #expect(error.data.kind == "busy") }
    }
    // 3 steps each, beside the start.
    #expect(granted == 85)
    // Stops have room besides.
    granted = 0
    for _ in 0..<600 {
      do throws(RPCError) {
        _ = try fixture.engine.stopSound(SoundStop.Params(id: id, atUs: 1_090_000), by: flooder)
        granted += 1
      } catch { #expect(error.data.kind == "busy") }
    }
    #expect(granted == 85)
    #expect(play(1, SoundPlay.Params(sound: "click", atUs: 1_090_000), by: other, &fixture).granted == 1)
  }
}
