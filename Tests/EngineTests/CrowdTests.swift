// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// However many clients ask for all that they can get: one that asks for little is not refused for it, be it of their user or
/// of another.
@Suite struct CrowdTests {
  /// What each client may ask for in a tenth of a second whatever others do.
  private static let own = 4

  /// One user's clients, and after them the one that asks for little, of that user or of another.
  struct Crowd: CustomTestStringConvertible {
    var flooders: UInt64
    var user: UInt32
    var testDescription: String { "\(flooders) flooders, the other of user \(user)" }

    var causes: [Cause] { (1...flooders).map { Cause(client: ClientID(rawValue: $0), user: 1) } }
    var modest: Cause { Cause(client: ClientID(rawValue: flooders + 1), user: user) }

    static let all = [Crowd(flooders: 8, user: 1), Crowd(flooders: 47, user: 1), Crowd(flooders: 47, user: 2)]
  }

  private func kind(_ body: () throws(RPCError) -> Void) -> String? {
    do throws(RPCError) {
      try body()
      return nil
    } catch { return error.data.kind }
  }

  private func flood(_ crowd: Crowd, _ times: Int, _ body: (Cause, Int) throws(RPCError) -> Void) {
    for cause in crowd.causes {
      for number in 0..<times { _ = kind { () throws(RPCError) in try body(cause, number) } }
    }
  }

  @Test(arguments: Crowd.all) func aCrowdOfPlaysRefusesNobodyElsesPlaysChangesAndStops(crowd: Crowd) throws {
    var fixture = try EngineFixture()
    let due: Int64 = 1_090_000
    flood(crowd, 300) { cause, _ throws(RPCError) in
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: due), by: cause)
    }
    let id = try #require(
      try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: due), by: crowd.modest).id)
    _ = try fixture.engine.setSound(SoundSet.Params(id: id, gain: 1, atUs: due), by: crowd.modest)
    _ = try fixture.engine.stopSound(SoundStop.Params(id: id, atUs: due + 5_000), by: crowd.modest)
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: due), by: crowd.modest)
  }

  @Test(arguments: Crowd.all) func aCrowdOfChangesAndStopsRefusesNobodyElsesStop(crowd: Crowd) throws {
    var fixture = try EngineFixture()
    let sound = try #require(
      try fixture.engine.playSound(SoundPlay.Params(sound: "word", loop: true), by: crowd.modest).id)
    _ = fixture.run(to: 1_300_000)
    flood(crowd, 200) { cause, number throws(RPCError) in
      let at = 1_390_000 - 100 * Int64(number)
      if number % 2 == 0 {
        _ = try fixture.engine.setSound(SoundSet.Params(id: sound, gain: 1, pan: 0, pitch: 1, atUs: at), by: cause)
      }
      _ = try fixture.engine.stopSound(SoundStop.Params(atUs: at, fadeUs: 30_000_000), by: cause)
    }
    _ = try fixture.engine.stopSound(SoundStop.Params(), by: crowd.modest)
    _ = try fixture.engine.stopSound(SoundStop.Params(id: sound), by: crowd.modest)
  }

  @Test(arguments: Crowd.all) func aCrowdOfFarPlansRefusesNobodyElsesPlan(crowd: Crowd) throws {
    var fixture = try EngineFixture()
    // As many for an instant as there may be, few enough to leave room among all plans.
    flood(crowd, 20) { cause, _ throws(RPCError) in
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 60_000_000), by: cause)
    }
    for _ in 0..<Self.own {
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 60_000_000), by: crowd.modest)
    }
  }

  @Test(arguments: Crowd.all) func aCrowdThatChangesTheMusicRefusesNobodyElse(crowd: Crowd) throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: crowd.modest)
    _ = fixture.run(to: 1_500_000)
    var told = 0
    flood(crowd, 64) { cause, number throws(RPCError) in
      _ = try fixture.engine.changeMusicGain(
        MusicGain.Params(gain: 0.5, atUs: 1_595_000 - 500 * Int64(number)), by: cause)
    }
    told += fixture.engine.takeActions().audio.count
    _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5), by: crowd.modest)
    told += fixture.engine.takeActions().audio.count
    #expect(told <= 1_536)
    // In the next periods one each.
    for step in 1...3 as ClosedRange<Int64> {
      fixture.output = EngineFixture.output(at: 1_500_000 + 3_000 * step)
      fixture.engine.advance()
      flood(crowd, 64) { cause, number throws(RPCError) in
        _ = try fixture.engine.changeMusicGain(
          MusicGain.Params(gain: 0.5, atUs: 1_595_000 - 500 * Int64(number)), by: cause)
      }
      _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5), by: crowd.modest)
    }
    _ = try fixture.engine.stopMusic(FadeParams(), by: crowd.modest)
  }

  /// What is refused is counted for nobody.
  @Test func aClientWhoseSharesAreFullIsNotChargedForWhatItIsRefused() throws {
    var fixture = try EngineFixture()
    let cause = Cause(client: ClientID(rawValue: 1), user: 1)
    let sound = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "word", loop: true), by: cause).id)
    for number in 0..<1_024 as Range<Int64> {
      _ = try fixture.engine.setParameterOfAnHourAhead(number, of: sound, by: cause)
    }
    let before = fixture.engine.soundPacing
    for number in 0..<2_000 as Range<Int64> {
      let at = 100_000_000 + 1_000_000 * number
      #expect(
        kind { () throws(RPCError) in
          _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: at), by: cause)
        } == "busy")
      #expect(
        kind { () throws(RPCError) in
          _ = try fixture.engine.setSound(SoundSet.Params(id: sound, gain: 1, pan: 0, atUs: at), by: cause)
        } == "busy")
      #expect(
        kind { () throws(RPCError) in
          _ = try fixture.engine.stopSound(SoundStop.Params(atUs: at), by: cause)
        } == "busy")
    }
    #expect(fixture.engine.soundPacing == before)
  }

  /// What is called off is given back whole, and what has come is forgotten.
  @Test func whatIsCalledOffIsGivenBackWhole() throws {
    var fixture = try EngineFixture()
    let cause = Cause(client: ClientID(rawValue: 1), user: 1)
    let before = fixture.engine.soundPacing
    let id = try #require(
      try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 30_000_000), by: cause).id)
    for _ in 0..<8 {
      _ = try fixture.engine.setSound(SoundSet.Params(id: id, gain: 1, pan: 0, pitch: 1, atUs: 30_000_000), by: cause)
    }
    fixture.engine.clientLeft(cause.client)
    _ = fixture.run(to: 1_300_000)
    #expect(fixture.engine.soundPacing.steps == before.steps)
  }
}

extension Engine {
  fileprivate mutating func setParameterOfAnHourAhead(
    _ number: Int64, of sound: Int64, by cause: Cause
  ) throws(RPCError) -> Scheduled {
    try setSound(SoundSet.Params(id: sound, gain: 1, atUs: 3_000_000_000 + 200_000 * number), by: cause)
  }
}
