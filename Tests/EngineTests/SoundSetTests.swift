// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct SoundSetTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private func changes(_ actions: [EngineAction]) -> [String] {
    actions.audio.compactMap { step in
      switch step {
      case .command(.gain(let voice, let gain, let at, let fade)):
        "gain of \(voice.rawValue) to \(gain) at \(at) in \(fade.frames)"
      case .command(.pan(let voice, let pan, let at)): "pan of \(voice.rawValue) to \(pan) at \(at)"
      case .command(.pitch(let voice, let pitch, let at)): "pitch of \(voice.rawValue) to \(pitch) at \(at)"
      default: nil
      }
    }
  }

  @Test func aSoundIsChangedAtItsInstantOnTopOfThePacksGain() throws {
    var fixture = try EngineFixture()
    let id = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "click", loop: true), by: me).id)
    let set = try fixture.engine.setSound(
      SoundSet.Params(id: id, gain: 0.5, pan: -1, pitch: 1.5, atUs: 2_000_000, fadeUs: 100_000), by: me)
    #expect(set.scheduledUs == 2_000_000 && set.lateUs == 0)
    #expect(changes(fixture.run(to: 1_800_000)).isEmpty)
    #expect(
      changes(fixture.run(to: 2_000_000)) == [
        "gain of \(id) to 0.25 at 48000 in 4800", "pan of \(id) to -1.0 at 48000", "pitch of \(id) to 1.5 at 48000",
      ])
  }

  @Test func withoutAnInstantItIsAsSoonAsItCan() throws {
    var fixture = try EngineFixture()
    let id = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "word", loop: true), by: me).id)
    _ = fixture.run(to: 2_000_000)
    let late = try fixture.engine.setSound(SoundSet.Params(id: id, gain: 2, atUs: 1_900_000), by: me)
    #expect(late.scheduledUs == 2_010_000 && late.lateUs == 110_000)
    #expect(changes(fixture.engine.takeActions()) == ["gain of \(id) to 2.0 at 48480 in 240"])
  }

  @Test func oneThatHasNotBegunIsChangedAsItBegins() throws {
    var fixture = try EngineFixture()
    let id = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "word", atUs: 3_000_000), by: me).id)
    let set = try fixture.engine.setSound(SoundSet.Params(id: id, pan: 1), by: me)
    #expect(set.scheduledUs == 3_000_000)
    let actions = fixture.run(to: 3_000_000)
    #expect(actions.soundStarts.map(\.at) == [96_000] && changes(actions) == ["pan of \(id) to 1.0 at 96000"])
  }

  @Test func aSoundThatIsCalledOffTakesItsChangesAlong() throws {
    var fixture = try EngineFixture()
    let id = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "word", atUs: 3_000_000_000), by: me).id)
    _ = try fixture.engine.setSound(SoundSet.Params(id: id, pan: 1), by: me)
    _ = try fixture.engine.stopSound(SoundStop.Params(id: id), by: me)
    _ = fixture.run(to: 1_200_000)
    #expect(fixture.engine.holdings["plans"] == 0 && fixture.engine.holdings["shares"] == 0)
  }

  @Test func whatCannotBeSetIsRefused() throws {
    var fixture = try EngineFixture()
    let id = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "word"), by: me).id)
    for params in [
      SoundSet.Params(id: id), SoundSet.Params(id: id, gain: 4.1), SoundSet.Params(id: id, pan: -1.1),
      SoundSet.Params(id: id, pitch: 0.2), SoundSet.Params(id: id + 1, gain: 1),
    ] {
      #expect(throws: RPCError.self) { try fixture.engine.setSound(params, by: me) }
    }
    #expect(fixture.engine.holdings["shares"] == 0)
  }
}
