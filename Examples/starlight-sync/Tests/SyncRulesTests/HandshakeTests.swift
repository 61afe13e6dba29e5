// SPDX-License-Identifier: Apache-2.0

import SyncRules
import Testing

/// Chapter 1: press and hold for three seconds.
@Suite struct HandshakeTests {
  @Test func theSnapIsAskedForWithThePressThreeSecondsOn() {
    let player = Player(chapter: 1)
    #expect(player.act(.press, 1_000_000) == ["press 1000000", "snap 4000000"])
    #expect(player.pass(3_999_999) == [])
    #expect(player.highest == 0)
    #expect(player.pass(4_000_000) == ["store 1"])
    #expect(player.highest == 1)
  }

  @Test func lettingGoBeforeCallsItOffAndTheChargeStartsOver() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 0)
    #expect(player.act(.release, 2_999_999) == ["stop press 2999999", "stop snap 2999999"])
    #expect(player.pass(10_000_000) == [])
    #expect(player.act(.press, 10_000_000) == ["press 10000000", "snap 13000000"])
    #expect(player.pass(12_999_999) == [])
    #expect(player.pass(13_000_000) == ["store 1"])
  }

  @Test func lettingGoAtThreeSecondsIsLongEnough() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 0)
    #expect(player.act(.release, 3_000_000) == ["store 1"])
  }

  @Test func aSecondFingerAndALiftWithoutAPressDoNothing() {
    let player = Player(chapter: 1)
    #expect(player.act(.release, 1) == [])
    _ = player.act(.press, 2)
    #expect(player.act(.press, 1_000_000) == [])
    #expect(player.pass(3_000_002) == ["store 1"])
    #expect(player.act(.press, 3_000_003) == [])
    #expect(player.act(.release, 3_000_004) == [])
  }

  @Test func theChargeIsSeen() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 1_000_000)
    guard case .handshake(let chapter)? = player.story.scene else {
      Issue.record("not the handshake")
      return
    }
    #expect(chapter.charge(atUs: 1_000_000) == 0)
    #expect(chapter.charge(atUs: 2_500_000) == 0.5)
    #expect(chapter.charge(atUs: 4_000_000) == 1)
  }
}
