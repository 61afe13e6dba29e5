// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SyncRules
import Testing

/// The message: three attempts, 1 s and 2 s between them, and then silence.
@Suite struct MessageTests {
  static func player() -> Player {
    let player = Player(chapter: 6)
    _ = player.act(.slide(to: 1), 10_000_000)
    return player
  }

  @Test func oneThatArrivesIsSentOnce() {
    let player = Self.player()
    #expect(player.story.message.state == .sending(attempt: 1))
    player.story.tellMessage(attempt: 1, isDelivered: true, atUs: 10_500_000)
    #expect(player.story.message.state == .delivered)
    #expect(player.pass(60_000_000) == [])
    // What is told later changes nothing.
    player.story.tellMessage(attempt: 1, isDelivered: false, atUs: 60_000_000)
    #expect(player.pass(70_000_000) == [])
  }

  @Test func itIsTriedThreeTimesAndSilentlyGivenUp() {
    let player = Self.player()
    player.story.tellMessage(attempt: 1, isDelivered: false, atUs: 11_000_000)
    #expect(player.pass(11_999_999) == [])
    #expect(player.pass(12_000_000) == ["send 2"])
    #expect(player.pass(13_000_000) == [])
    player.story.tellMessage(attempt: 2, isDelivered: false, atUs: 14_000_000)
    #expect(player.pass(15_999_999) == [])
    #expect(player.pass(16_000_000) == ["send 3"])
    player.story.tellMessage(attempt: 3, isDelivered: false, atUs: 17_000_000)
    #expect(player.story.message.state == .givenUp)
    #expect(player.pass(600_000_000) == [])
  }

  @Test func eachAttemptWaitsTenSecondsForItsAnswer() {
    let player = Player(chapter: 6)
    var outcomes = player.story.act(.slide(to: 1), atUs: 10_000_000, using: &player.chance)
    #expect(outcomes.last == .send(attempt: 1, withinUs: 10_000_000))
    player.story.tellMessage(attempt: 1, isDelivered: false, atUs: 11_000_000)
    outcomes = player.story.advance(toUs: 12_000_000, using: &player.chance)
    #expect(outcomes == [.send(attempt: 2, withinUs: 10_000_000)])
  }

  @Test func anAttemptIsToldOnce() {
    let player = Self.player()
    player.story.tellMessage(attempt: 2, isDelivered: true, atUs: 10_000_000)
    #expect(player.story.message.state == .sending(attempt: 1))
    player.story.tellMessage(attempt: 1, isDelivered: false, atUs: 11_000_000)
    player.story.tellMessage(attempt: 1, isDelivered: false, atUs: 11_900_000)
    #expect(player.pass(12_000_000) == ["send 2"])
  }

  @Test func nothingIsSentBeforeTheEnd() {
    let player = Player(chapter: 6)
    _ = player.act(.slide(to: 0.99), 1)
    player.story.tellMessage(attempt: 1, isDelivered: false, atUs: 2)
    #expect(player.pass(60_000_000) == [])
    #expect(player.story.message.state == .unsent)
  }

  @Test func anInterruptionDoesNotHoldIt() {
    let player = Self.player()
    player.story.tellMessage(attempt: 1, isDelivered: false, atUs: 11_000_000)
    #expect(player.interrupt(11_500_000) == ["pause 11500000"])
    #expect(player.pass(12_000_000) == ["send 2"])
  }

  @Test func itsTextIsAnotherWhereTheRulesHaveOne() {
    var rules = Rules.underTest
    rules.message.content = "@here she said yes, too"
    let player = Player(chapter: 6, rules: rules)
    #expect(player.act(.slide(to: 1), 1).last == "send 1")
    #expect(player.story.message.rules.content == "@here she said yes, too")
  }

  @Test func itSaysWhatItSays() {
    #expect(Rules.underTest.message.content == "@everyone SHE SAID YES! ❤️")
  }
}
