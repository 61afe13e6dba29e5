// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What is told of plans that do not happen: all of it, however much, and nobody is buried under it.
@Suite struct CallingOffTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 7)

  private func playing() throws -> EngineFixture {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 2_000_000)
    return fixture
  }

  @Test func theEndOfTheDaemonCallsOffAllThatIsPlanned() throws {
    var fixture = try playing()
    let near = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5, atUs: 2_050_000), by: me).plan
    let far = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 60_000_000), by: me).plan
    let cue = try #require(try fixture.engine.fireCue(CueFire.Params(cue: "lock", atUs: 30_000_000), by: me).id)
    let sound = try #require(
      try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 40_000_000), by: me).id)
    _ = fixture.engine.takeActions()
    _ = fixture.engine.shutDown()
    let told = fixture.engine.takeActions().lines
    for plan in [near, far] {
      #expect(
        told.contains {
          $0.contains("music.cancelled") && $0.contains("\"plan\":\(plan),") && $0.contains("\"reason\":\"shutdown\"")
        })
    }
    #expect(
      told.contains {
        $0.contains("cue.cancelled") && $0.contains("\"id\":\(cue),") && $0.contains("\"reason\":\"shutdown\"")
      })
    #expect(told.contains { $0.contains("sound.finished") && $0.contains("\"id\":\(sound),") })
    // What had been heard is no plan any more.
    #expect(told.count { $0.contains("music.cancelled") } == 3)
  }

  @Test func aThousandPlansAreCalledOffAFewAtATime() throws {
    var fixture = try playing()
    for index in 0..<1_000 as Range<Int64> {
      _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5, atUs: 10_000_000 + index * 10_000), by: me)
    }
    _ = fixture.engine.takeActions()
    _ = try fixture.engine.stopMusic(FadeParams(), by: me)
    #expect(fixture.engine.takeActions().lines.count == PacedTelling.most)
    #expect(fixture.engine.musicStatus().plannedCount == 1)
    let told = fixture.run(to: 3_300_000).lines.count { $0.contains("music.cancelled") }
    #expect(told == 1_000 - PacedTelling.most)
    #expect(fixture.engine.holdings["things to tell"] == 0)
  }

  @Test func whatIsCalledOffForOneIsNotToldBehindAThousandOfAnothers() throws {
    var fixture = try playing()
    let other = Cause(client: ClientID(rawValue: 2), user: 7)
    for index in 0..<1_000 as Range<Int64> {
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 10_000_000 + index * 10_000), by: other)
    }
    let mine = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: 60_000_000), by: me).plan
    _ = fixture.engine.takeActions()
    fixture.engine.clientLeft(other.client)
    _ = try fixture.engine.cancelMusic(MusicCancel.Params(plan: mine), by: me)
    let told = fixture.run(to: 2_010_000).lines
    #expect(told.contains { $0.contains("music.cancelled") && $0.contains("\"plan\":\(mine),") })
  }

  @Test func controlThatComesByLateTellsAsMuchAsItWouldHave() throws {
    var fixture = try playing()
    for index in 0..<500 as Range<Int64> {
      _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5, atUs: 10_000_000 + index * 10_000), by: me)
    }
    _ = fixture.engine.takeActions()
    _ = try fixture.engine.stopMusic(FadeParams(), by: me)
    var told = [fixture.engine.takeActions().lines.count]
    for us in [2_010_000, 2_060_000, 2_160_000] as [Int64] {
      fixture.output = EngineFixture.output(at: us)
      fixture.engine.advance()
      told.append(fixture.engine.takeActions().lines.count { $0.contains("music.cancelled") })
    }
    // 8 each 1.25 ms, and no more than that of 10 ms in one go.
    #expect(told == [8, 64, 64, 64])
  }
}
