// SPDX-License-Identifier: Apache-2.0

import SyncRules
import Testing

/// An interruption: all stands still, "welcome back" comes first, then all goes on in place.
@Suite struct InterruptionTests {
  @Test func welcomeBackComesFirst() {
    let player = Player(chapter: 2)
    #expect(player.interrupt(1_000_000) == ["pause 1000000"])
    #expect(player.interrupt(2_000_000) == [])
    #expect(player.pass(60_000_000) == [])
    #expect(player.story.interruptionEnded(atUs: 61_000_000).map(Player.text) == ["welcome 61000000 62500000"])
    #expect(player.story.interruptionEnded(atUs: 61_000_001) == [])
    #expect(player.story.isWelcoming(atUs: 62_499_999))
    #expect(!player.story.isWelcoming(atUs: 62_500_000))
    #expect(player.pass(62_499_999) == [])
    #expect(player.pass(62_500_000) == ["go on 62500000"])
    #expect(player.pass(62_600_000) == [])
    #expect(player.story.isInterrupted)
    #expect(player.story.wentOn(atUs: 62_700_000) == [])
    #expect(!player.story.isInterrupted)
    #expect(player.story.behindUs == 61_700_000)
    #expect(player.story.wentOn(atUs: 62_800_000) == [])
    #expect(player.story.behindUs == 61_700_000)
  }

  @Test func oneThatComesWhileWelcomeBackStandsIsWelcomedAnew() {
    let player = Player(chapter: 1)
    _ = player.interrupt(0)
    _ = player.story.interruptionEnded(atUs: 1_000_000)
    #expect(player.interrupt(1_200_000) == [])
    #expect(player.pass(10_000_000) == [])
    #expect(player.story.interruptionEnded(atUs: 11_000_000).map(Player.text) == ["welcome 11000000 12500000"])
    #expect(player.pass(12_500_000) == ["go on 12500000"])
    // Before the daemon has gone on, it is to pause again.
    #expect(player.interrupt(12_600_000) == ["pause 12600000"])
  }

  @Test func aChargeGoesOnInPlace() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 1_000_000)
    _ = player.interrupt(2_000_000, endUs: 30_000_000, goOnUs: 32_000_000)
    // One second was held before; two are left.
    #expect(player.pass(33_999_999) == [])
    #expect(player.pass(34_000_000) == ["store 1"])
    // The next chapter begins as much later.
    #expect(player.pass(35_999_999) == [])
    #expect(player.chapter == 1)
    _ = player.pass(36_000_000)
    #expect(player.chapter == 2)
  }

  @Test func aFingerLiftedMeanwhileIsLiftedAsItGoesOn() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 1_000_000)
    _ = player.interrupt(2_000_000)
    #expect(player.act(.release, 3_000_000) == [])
    _ = player.story.interruptionEnded(atUs: 4_000_000)
    _ = player.pass(5_500_000)
    #expect(player.story.wentOn(atUs: 5_500_000).map(Player.text) == ["stop press 5500000", "stop snap 5500000"])
  }

  @Test func whatWasDoneBeforeItIsStoredBeforeIt() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 0)
    #expect(player.interrupt(3_500_000) == ["store 1", "pause 3500000"])
  }

  @Test func aFingerIsLiftedButOnce() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 0)
    _ = player.interrupt(1_000_000)
    _ = player.act(.release, 1_500_000)
    #expect(player.story.wentOn(atUs: 2_000_000).count == 2)
    // Not by an interruption after that.
    _ = player.act(.press, 2_000_000)
    _ = player.interrupt(3_000_000)
    #expect(player.story.wentOn(atUs: 4_000_000) == [])
    // Nor after the daemon came back.
    _ = player.interrupt(5_000_000)
    _ = player.act(.release, 5_500_000)
    _ = player.start(6_000_000)
    _ = player.act(.press, 6_000_000)
    _ = player.interrupt(7_000_000)
    #expect(player.story.wentOn(atUs: 8_000_000) == [])
  }

  @Test func nothingIsPlayedMeanwhile() {
    let player = Player(chapter: 3)
    _ = player.interrupt(1_000_000)
    #expect(player.act(.turn(wheel: 0, segments: 3), 2_000_000) == [])
    #expect(player.act(.unlock, 2_000_000) == [])
    #expect(CipherTests.cipher(player).attempts == 0)
    // What was done before it counts however late it comes.
    #expect(player.act(.unlock, 999_999) == [])
    #expect(CipherTests.cipher(player).attempts == 1)
    // What was done in it is not made up for.
    #expect(player.story.wentOn(atUs: 3_000_000) == [])
    #expect(CipherTests.cipher(player).attempts == 1)
  }

  @Test func helpWaitsAsMuchLonger() {
    let player = Player(chapter: 5)
    _ = player.act(.begin, 0)
    _ = player.interrupt(9_000_000, endUs: 100_000_000, goOnUs: 109_000_000)
    _ = player.pass(109_999_999)
    #expect(BlueprintTests.blueprint(player).pulsesSinceUs == nil)
    _ = player.pass(110_000_000)
    #expect(BlueprintTests.blueprint(player).pulsesSinceUs == 10_000_000)
  }

  @Test func whatSoundsAfterItSoundsAtTheClocksInstant() {
    let player = Player(chapter: 6)
    _ = player.interrupt(1_000_000, endUs: 2_000_000, goOnUs: 4_000_000)
    #expect(player.act(.slide(to: 0.5), 5_000_000) == ["slider 5000000", "slider=0.5 5000000"])
  }

  @Test func theDaemonThatComesBackEndsIt() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 0)
    _ = player.interrupt(1_000_000)
    #expect(player.start(5_000_000) == [])
    #expect(!player.story.isInterrupted)
    #expect(player.act(.press, 5_000_000) == ["press 5000000", "snap 8000000"])
  }
}
