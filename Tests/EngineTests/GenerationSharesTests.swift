// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Engine

/// Which earlier reading of a pack gives way to another. A holder is written as its user and the number of its client, as in `a1`;
/// `-` is the daemon.
@Suite struct GenerationSharesTests {
  /// Readings, oldest first: who holds each; `!` stands with what is everybody's.
  private func held(_ text: String) -> [GenerationShares.Held] {
    text.split(separator: " ").map { one in
      var held = GenerationShares.Held()
      for holder in one.split(separator: ",") where holder != "." {
        if holder == "!" {
          held.isEverybodys = true
        } else if holder == "-" {
          held.holders.insert(PackHolder(.daemon))
        } else {
          let user = UInt32(holder.utf8.first ?? 0)
          held.holders.insert(
            PackHolder(
              Cause(client: ClientID(rawValue: UInt64(user) << 32 | (UInt64(holder.dropFirst()) ?? 0)), user: user)))
        }
      }
      return held
    }
  }

  private func outdated(_ text: String, _ surplus: Int = 1) -> [Int]? {
    GenerationShares.outdated(held(text), surplus: surplus)
  }

  @Test func whoHoldsMoreThanTheirShareGivesTheirOldestUp() {
    #expect(outdated("b1 a1 a1 a1 a1 a1") == [1])
    #expect(outdated("b1 a1 a1 a1 a1 a1 a1", 2) == [1, 2])
  }

  @Test func whoHoldsNoMoreThanTheirShareKeepsThem() {
    #expect(outdated("a1 a1 a1 a1 b1 b1 b1 b1") == nil)
    #expect(outdated("a1 a1 a1 a1 a1", 2) == nil)
  }

  @Test func whatSomebodyHoldsWithinTheirShareStays() {
    #expect(outdated("a1,b1 a1 a1 a1 a1") == [1])
    #expect(outdated("a1,b1 a1,b1 a1,b2 a1,b2 a1,b3") == nil)
    #expect(outdated("a1,b1 a1,b1 a1,b1 a1,b1 a1,b1") == [0])
  }

  @Test func whoHoldsMostGivesWayFirst() {
    #expect(outdated("a1 a1 a1 a1 a1 b1 b1 b1 b1 b1 b1") == [5])
    #expect(outdated("a1 a1 a1 a1 a1 b1 b1 b1 b1 b1 b1", 2) == [5, 0])
  }

  @Test func aUsersClientsTogetherGiveWayBehindThoseThatAloneHoldTooMany() {
    let three = "a1 a1 a1 a1 a2 a2 a2 a2 a3 a3 a3 a3"
    #expect(outdated(three) == nil)
    #expect(outdated("b1 b1 " + three + " a4") == [2])
    #expect(outdated("b1 " + three + " a4 b1 b1 b1 b1") == [0])
    #expect(outdated("a4 " + three + " b1") == [1])
  }

  @Test func theTrackThatPlaysAndAChapterStay() {
    #expect(outdated("a1,! a1 a1 a1 a1") == [1])
    #expect(outdated("a1,! a1,! a1,b1 a1,b1 a1,b1") == nil)
  }

  @Test func whatTheDaemonPlaysByItselfAndWhatIsNobodysGivesWayFirst() {
    #expect(outdated("a1 a1 a1 a1 a1 - .") == [5])
    #expect(outdated("a1 a1 a1 a1 a1 - .", 2) == [5, 6])
    #expect(outdated("a1,- b1 -,!") == nil)
  }
}
