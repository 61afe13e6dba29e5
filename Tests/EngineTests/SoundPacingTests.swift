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

  @Test func whoBeginsSoundsWithoutEndHasAPartOfWhatTheMixerIsToldAhead() throws {
    var fixture = try EngineFixture()
    let soon = SoundPlay.Params(sound: "click", atUs: 1_090_000)
    let flood = play(600, soon, by: flooder, &fixture)
    // Its own, and four ninths of what is shared: of what is its user's two thirds.
    #expect(flood.granted == 4 + 170)
    #expect(flood.refused?.data.kind == "busy")
    // The next has two thirds of the rest of that, another user's of what this one leaves; and who asks for little is never refused.
    #expect(play(600, soon, by: other, &fixture).granted == 4 + 57)
    #expect(play(600, soon, by: Cause(client: ClientID(rawValue: 99), user: 9), &fixture).granted == 4 + 69)
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
      granted += play(1, params, by: flooder, &fixture).granted
    }
    #expect(granted == 500)
    #expect(play(100, SoundPlay.Params(sound: "click", atUs: 60_250_000), by: flooder, &fixture).granted == 174 - 120)
    #expect(play(1, SoundPlay.Params(sound: "click", atUs: 60_250_000), by: other, &fixture).granted == 1)
  }

  @Test func roomIsThereAgainWhenTimeHasMovedOnOrWhatWasPlannedIsCalledOff() throws {
    var fixture = try EngineFixture()
    #expect(play(300, SoundPlay.Params(sound: "click", atUs: 30_000_000), by: flooder, &fixture).granted == 174)
    _ = try fixture.engine.stopSound(SoundStop.Params(), by: flooder)
    #expect(play(300, SoundPlay.Params(sound: "click", atUs: 30_000_000), by: flooder, &fixture).granted == 174)
    // The stop has room besides.
    #expect(play(300, SoundPlay.Params(sound: "click"), by: flooder, &fixture).granted == 174)
    _ = fixture.run(to: 1_300_000)
    #expect(play(300, SoundPlay.Params(sound: "click"), by: flooder, &fixture).granted == 174)
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
    #expect(granted == (174 - 1) / 3)
    // Two stops are its own, the others count like any step.
    granted = 0
    for index in 0..<600 as Range<Int64> {
      do throws(RPCError) {
        _ = try fixture.engine.stopSound(SoundStop.Params(id: id, atUs: 1_091_000 - 100 * index), by: flooder)
        granted += 1
      } catch { #expect(error.data.kind == "busy") }
    }
    #expect(granted == 2 + 2)
    #expect(play(1, SoundPlay.Params(sound: "click", atUs: 1_090_000), by: other, &fixture).granted == 1)
  }
}
