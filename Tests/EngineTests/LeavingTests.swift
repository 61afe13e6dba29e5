// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What becomes of what a client asked for when it leaves.
@Suite struct LeavingTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1_000)

  private func voice(_ id: Int64?) throws -> VoiceID { VoiceID(rawValue: UInt64(try #require(id))) }

  @Test func aSoundThatPlaysOnceFinishesOneThatRepeatsFadesAndOneToComeDoesNot() throws {
    try Script(
      """
      0     sound word
      0     sound loop word
      0     sound word at 4000
      50    leave
      """
    ).expect(
      """
      heard
      10    word begins
      10    word#2 begins
      60    word#2 ends over 50
      told
      60    sound finished word (cancelled)
      """)
  }

  @Test func whatIsPlayedNowByAProgramThatEndsIsHeardAndNothingOfItIsCalledOff() throws {
    for leftUs in [1_000_000, 1_010_000, 1_050_000] as [Int64] {
      var fixture = try EngineFixture(cues: #""said": {"steps": [{"sound": "word"}]}"#)
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "word"), by: me)
      _ = try fixture.engine.fireCue(CueFire.Params(cue: "said"), by: me)
      var actions = fixture.run(to: leftUs)
      fixture.engine.clientLeft(me.client)
      actions += fixture.run(to: 2_000_000)
      #expect(actions.soundStarts.count == 2)
      #expect(actions.audio.stopped.isEmpty && actions.audio.retracted.isEmpty)
      #expect(!actions.lines.contains { $0.contains("cue.cancelled") })
      #expect(actions.lines.contains { $0.contains("cue.fired") })
    }
  }

  /// Its first sound is heard 10 ms after it was asked for; the client leaves before. What is later does not come.
  @Test func aCueIsToldAsStoppedAfterItWasToldAsFired() throws {
    for leftUs in [1_000_000, 1_005_000] as [Int64] {
      var fixture = try EngineFixture(cues: #""said": {"steps": [{"sound": "word"}, {"at": 1, "sound": "click"}]}"#)
      _ = try fixture.engine.fireCue(CueFire.Params(cue: "said"), by: me)
      var actions = fixture.run(to: leftUs)
      fixture.engine.clientLeft(me.client)
      fixture.engine.advance()
      actions += fixture.run(to: 3_000_000)
      let told = actions.lines.filter { $0.contains(#""method":"cue."#) }
      #expect(told.count == 2)
      #expect(told.first?.contains("cue.fired") == true)
      #expect(told.last?.contains("cue.cancelled") == true && told.last?.contains(#""reason":"stopped""#) == true)
      #expect(actions.soundStarts.count == 1)
    }
  }

  @Test func whatTheMixerWasToldOfAheadIsTakenBackAndNeverHeard() throws {
    // Told to the mixer, which is done 100 ms ahead, and not to begin within 20 ms of what can still be reached.
    var fixture = try EngineFixture()
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "word", atUs: 1_120_000), by: me)
    #expect(fixture.run(to: 1_030_000).soundStarts.count == 1)
    try Script(
      """
      0     sound word at 120
      30    leave
      """
    ).expect(
      """
      heard
      """)
  }

  @Test func soundsThatAreKeptGoOnForAsLongAsTheirClientAskedFor() throws {
    try Script(
      """
      0     sound loop word keep 2000
      0     sound word at 2000 keep 2000
      0     sound word at 2100 keep 2000
      50    leave
      """
    ).expect(
      """
      heard
      10    word begins
      2000  word#2 begins
      2050  word ends over 50
      told
      60    sound finished word (cancelled)
      """)
  }

  @Test func musicThatWasPlannedComesAndStaysChargedToItsUser() throws {
    var fixture = try EngineFixture()
    let far: Int64 = 60_000_000
    for client in UInt64(1)...2 {
      let cause = Cause(client: ClientID(rawValue: client), user: me.user)
      for index in 0..<Int64(Shares.ofAClient) {
        _ = try fixture.engine.stopMusic(FadeParams(atUs: far + 1_000_000 * (1 + index)), by: cause)
      }
    }
    fixture.engine.clientLeft(me.client)
    fixture.engine.clientLeft(ClientID(rawValue: 2))
    // Who comes back has what is left of the user's share, which is nothing but the little of its own; another user has all of it.
    let back = Cause(client: ClientID(rawValue: 3), user: me.user)
    for index in 0..<8 as Range<Int64> {
      _ = try fixture.engine.stopMusic(FadeParams(atUs: 3_000_000_000 + 1_000_000 * index), by: back)
    }
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: far), by: back)
    }
    #expect(refused?.data.kind == "busy")
    _ = try fixture.engine.playMusic(
      MusicPlay.Params(track: "main", atUs: far), by: Cause(client: ClientID(rawValue: 4), user: 1_001))
    fixture.engine.clientLeft(ClientID(rawValue: 4))
    let told = fixture.run(to: far + 1_500_000).lines.filter { $0.contains("music.changed") }
    #expect(
      told.map { $0.contains("started") ? "started" : $0.contains("stopped") ? "stopped" : "?" } == [
        "started", "stopped",
      ])
  }

  /// Sounds by themselves and those of cues: who connects anew has nothing but the little that every client has.
  @Test(arguments: [false, true]) func whatIsKeptForLaterStaysChargedToItsUser(isOfCues: Bool) throws {
    var fixture = try EngineFixture(cues: #""said": {"steps": [{"sound": "word"}]}"#)
    let (far, keep): (Int64, Int64) = (20_000_000, 30_000_000)
    func plan(_ index: Int, by client: UInt64, of user: UInt32 = 1_000) throws {
      let (cause, atUs) = (Cause(client: ClientID(rawValue: client), user: user), far + 4_000 * Int64(index))
      if isOfCues {
        _ = try fixture.engine.fireCue(CueFire.Params(cue: "said", atUs: atUs, keepAfterDisconnectUs: keep), by: cause)
      } else {
        _ = try fixture.engine.playSound(
          SoundPlay.Params(sound: "word", atUs: atUs, keepAfterDisconnectUs: keep), by: cause)
      }
    }
    func isRefused(by client: UInt64) -> Bool {
      let refused = #expect(throws: RPCError.self) { try plan(2_000, by: client) }
      return refused?.data.kind == "busy"
    }
    for client in UInt64(1)...2 { for index in 0..<1_024 { try plan(index, by: client) } }
    for client in UInt64(1)...2 { fixture.engine.clientLeft(ClientID(rawValue: client)) }
    for index in 0..<8 { try plan(index, by: 3) }
    #expect(isRefused(by: 3))
    try plan(0, by: 4, of: 1_001)
    // Once they have begun they are plans no more.
    _ = fixture.run(to: far + 5_000_000)
    try plan(3_000, by: 3)
  }
}
