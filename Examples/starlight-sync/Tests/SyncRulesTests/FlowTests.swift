// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SeededNumbers
import SyncRules
import Testing

/// Six chapters in their order, what is stored of them, and where the player goes on.
@Suite struct FlowTests {
  @Test func chaptersComeInTheirOrder() {
    #expect(
      Chapter.allCases == [.handshake, .packetRun, .cipher, .firewall, .blueprint, .eventHorizon])
    #expect(Chapter.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
  }

  @Test func eachCompletesOnceHoweverOftenItIsTold() {
    var flow = Flow()
    #expect(flow.highestUnlockedChapter.rawValue == 0)
    for (index, chapter) in Chapter.allCases.dropLast().enumerated() {
      let isFirst = flow.complete(chapter)
      #expect(isFirst)
      let isSecond = flow.complete(chapter)
      #expect(!isSecond)
      #expect(flow.highestUnlockedChapter.rawValue == index + 1)
    }
  }

  @Test func completingTheLastIsNothing() {
    var flow = Flow(highestUnlockedChapter: .eventHorizon)
    let isCompleted = flow.complete(.eventHorizon)
    #expect(!isCompleted)
    #expect(flow.highestUnlockedChapter == .eventHorizon)
  }

  @Test func whatIsNotReachedCannotBeCompleted() {
    var flow = Flow(highestUnlockedChapter: .packetRun)
    for chapter in [Chapter.handshake, .cipher, .firewall, .blueprint, .eventHorizon] {
      let isCompleted = flow.complete(chapter)
      #expect(!isCompleted)
    }
    #expect(flow.highestUnlockedChapter == .packetRun)
  }

  @Test(arguments: 1...6) func thePlayerGoesOnAtTheStartOfTheChapterReached(chapter: Int) {
    let player = Player(chapter: chapter)
    #expect(player.chapter == chapter)
    #expect(player.highest == chapter - 1)
  }

  /// Main plays in 2, 3 and 5; the daemon's chapter brings it in 4; 1 and 6 have none.
  @Test(arguments: [
    (1, []), (2, ["main 9"]), (3, ["main 9"]), (4, ["start firewall 9"]), (5, ["main 9"]), (6, []),
  ]) func whoGoesOnHearsTheMusicOfTheChapter(chapter: Int, texts: [String]) {
    let player = Player(chapter: chapter)
    #expect(player.start(9) == texts)
  }

  @Test func theNextChapterBeginsTwoSecondsAfterAndItsMusicIsNotAskedForAgain() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 0)
    // A frame that comes late changes nothing of when it began.
    #expect(player.pass(3_100_000) == ["store 1"])
    #expect(player.story.showsVictory)
    #expect(player.pass(4_999_999) == [])
    #expect(player.chapter == 1)
    #expect(player.pass(5_000_000) == [])
    #expect(player.chapter == 2)
    #expect(!player.story.showsVictory)
  }

  @Test func whoIsKilledWhileAVictoryStandsGoesOnInTheNextChapter() {
    let player = Player(chapter: 1)
    _ = player.act(.press, 0)
    #expect(player.pass(3_000_000) == ["store 1"])
    #expect(player.start(3_500_000) == ["main 3500000"])
    #expect(player.chapter == 2)
  }

  @Test func theDaemonThatComesBackFindsTheChapterAtItsStart() {
    let player = Player(chapter: 3)
    _ = player.act(.unlock, 1)
    _ = player.act(.unlock, 2)
    #expect(player.start(1_000_000) == ["main 1000000"])
    guard case .cipher(let cipher)? = player.story.scene else {
      Issue.record("not the cipher")
      return
    }
    #expect(cipher.attempts == 0)
  }

  @Test func aStateIsReadAsItWasWritten() {
    for chapter in Chapter.allCases {
      let checkpoint = Checkpoint(reading: Checkpoint.bytes(chapter))
      #expect(checkpoint.flow.highestUnlockedChapter == chapter)
      #expect(!checkpoint.isReset)
    }
    #expect(Checkpoint.bytes(.firewall) == Array("highestUnlockedChapter=3\n".utf8))
  }

  @Test func aFirstStartHasNothingToSay() {
    let checkpoint = Checkpoint(reading: nil)
    #expect(checkpoint.flow.highestUnlockedChapter.rawValue == 0)
    #expect(!checkpoint.isReset)
  }

  @Test(arguments: [
    "", "3", "highestUnlockedChapter=6\n", "highestUnlockedChapter=-1\n", "highestUnlockedChapter=", "\u{0}\u{0}",
    "highestUnlockedChapter=3\nhighestUnlockedChapter=3\n", "highestUnlockedChapter=03\n",
  ]) func whatCannotBeReadBeginsAnewAndSaysSoOnce(text: String) {
    var chance = Seeded(seed: 1)
    var story = Story(rules: .underTest, stored: Array(text.utf8))
    let first = story.start(atUs: 0, using: &chance).map(Player.text)
    #expect(first == ["reset", "store 0"])
    #expect(story.scene?.chapter == .handshake)
    let second = story.start(atUs: 1, using: &chance)
    #expect(second == [])
  }

  /// Firewall alone ends by itself, and that the daemon tells.
  @Test(arguments: [1, 2, 3, 4, 5, 6]) func doingNothingCompletesNoChapter(chapter: Int) {
    let player = Player(chapter: chapter)
    var texts: [String] = []
    for second in 1...600 { texts += player.pass(Int64(second) * 1_000_000) }
    #expect(texts == [])
    #expect(player.highest == chapter - 1)
  }

  @Test func doingNothingSurvivesFirewallForItCannotBeLost() {
    let player = Player(chapter: 4)
    _ = player.tell(.started(run: 1), 0)
    for beat in 0..<40 {
      let us = Int64(beat) * 1_000_000
      _ = player.tell(.spawned(beat: beat, lane: .left, atUs: us, beatUs: us + 1, run: 1), us)
      #expect(player.tell(.judged(.miss, beat: beat, run: 1), us + 2) == [])
    }
    #expect(player.tell(.ended(isStopped: false, run: 1), 45_000_000) == ["store 4"])
  }
}
