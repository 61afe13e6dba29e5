// SPDX-License-Identifier: Apache-2.0

import SyncRules
import Testing

/// Chapter 4, as its client: the daemon judges, helps, plays and ends it.
@Suite struct FirewallTests {
  static func firewall(_ player: Player) -> Firewall {
    guard case .firewall(let firewall)? = player.story.scene else { fatalError("not the firewall") }
    return firewall
  }

  static func player() -> Player {
    let player = Player(chapter: 4)
    _ = player.tell(.started(run: 3), 0)
    return player
  }

  @Test func itIsAskedForAsTheChapterBegins() {
    let player = CipherTests.player([0, 0, 0])
    _ = player.act(.unlock, 1_000_000)
    #expect(player.pass(3_000_000) == ["start firewall 3000000"])
  }

  @Test func tapsAreHandedOnWhileItRuns() {
    let player = Player(chapter: 4)
    #expect(player.act(.tap(.left), 1) == [])
    _ = player.tell(.started(run: 3), 2)
    #expect(player.act(.tap(.left), 3) == ["tap left 3 3"])
    #expect(player.act(.tap(.top), 4) == ["tap top 3 4"])
    // What is not of this chapter is nothing.
    #expect(player.act(.press, 5) == [])
    #expect(player.act(.unlock, 5) == [])
    _ = player.tell(.ended(isStopped: false, run: 3), 6)
    #expect(player.act(.tap(.right), 7) == [])
  }

  @Test func whatIsToldIsSeenAndNothingOfItIsHeard() {
    let player = Self.player()
    #expect(player.tell(.spawned(beat: 0, lane: .top, atUs: 10, beatUs: 2_117_657, run: 3), 10) == [])
    let noise = Self.firewall(player).noises[0]
    #expect(noise?.lane == .top)
    #expect(noise?.spawnUs == 10)
    #expect(noise?.beatUs == 2_117_657)
    #expect(player.tell(.judged(.hit, beat: 0, run: 3), 2_117_700) == [])
    #expect(player.tell(.judged(.miss, beat: 1, run: 3), 2_117_701) == [])
    #expect(player.tell(.judged(.ghost, beat: nil, run: 3), 2_117_702) == [])
    #expect(player.tell(.judged(.void, beat: 2, run: 3), 2_117_703) == [])
    #expect(player.tell(.helped(run: 3), 2_117_704) == [])
    let firewall = Self.firewall(player)
    #expect(firewall.noises.isEmpty)
    #expect(firewall.hits == 1)
    #expect(firewall.misses == 1)
    #expect(firewall.isHelping)
  }

  @Test func itIsDoneWhenItEndsByItselfOnce() {
    let player = Self.player()
    #expect(player.pass(60_000_000) == [])
    #expect(player.tell(.ended(isStopped: false, run: 3), 60_000_000) == ["store 4"])
    #expect(player.tell(.ended(isStopped: false, run: 3), 60_000_001) == [])
    #expect(player.highest == 4)
    #expect(player.pass(62_000_000) == [])
    #expect(player.chapter == 5)
  }

  @Test func oneThatIsStoppedIsNotSurvivedAndIsAskedForASecondLater() {
    let player = Self.player()
    _ = player.tell(.judged(.hit, beat: 0, run: 3), 500_000)
    #expect(player.tell(.ended(isStopped: true, run: 3), 1_000_000) == [])
    #expect(player.highest == 3)
    #expect(player.pass(1_999_999) == [])
    #expect(player.pass(2_000_000) == ["start firewall 2000000"])
    #expect(player.pass(10_000_000) == [])
    _ = player.tell(.started(run: 4), 10_000_001)
    #expect(Self.firewall(player).hits == 0, "what was hit in the run before counts no more")
    #expect(player.tell(.ended(isStopped: false, run: 4), 55_000_000) == ["store 4"])
  }

  @Test func whatIsToldOfOtherRunsIsNotOfThisChapter() {
    let player = Self.player()
    _ = player.tell(.spawned(beat: 0, lane: .left, atUs: 1, beatUs: 2, run: 2), 1)
    _ = player.tell(.judged(.hit, beat: 0, run: 2), 1)
    _ = player.tell(.helped(run: 2), 1)
    #expect(player.tell(.ended(isStopped: false, run: 2), 1) == [])
    let firewall = Self.firewall(player)
    #expect(firewall.noises.isEmpty)
    #expect(firewall.hits == 0)
    #expect(!firewall.isHelping)
    #expect(player.highest == 3)
  }

  @Test func theDaemonThatComesBackIsAskedAnewAndNothingIsLeftOfTheOldRun() {
    let player = Self.player()
    _ = player.tell(.spawned(beat: 0, lane: .left, atUs: 1, beatUs: 2, run: 3), 1)
    _ = player.tell(.judged(.miss, beat: 1, run: 3), 2)
    #expect(player.start(5_000_000) == ["start firewall 5000000"])
    #expect(Self.firewall(player).noises.isEmpty)
    #expect(Self.firewall(player).misses == 0)
    // Nothing of it counts until its run is told.
    #expect(player.tell(.ended(isStopped: false, run: 3), 5_000_001) == [])
  }

  @Test func noiseOnItsWayComesAsMuchLaterAsItStoodStill() {
    let player = Self.player()
    _ = player.tell(.spawned(beat: 0, lane: .left, atUs: 1_000_000, beatUs: 3_000_000, run: 3), 1_000_000)
    _ = player.interrupt(2_000_000, endUs: 10_000_000, goOnUs: 12_000_000)
    let noise = Self.firewall(player).noises[0]
    #expect((noise?.beatUs ?? 0) + player.story.behindUs == 13_000_000)
    // What is told after it is of the clock, too.
    _ = player.tell(.spawned(beat: 1, lane: .left, atUs: 14_000_000, beatUs: 16_000_000, run: 3), 14_000_000)
    #expect(Self.firewall(player).noises[1]?.beatUs == 6_000_000)
    #expect(player.act(.tap(.left), 15_000_000) == ["tap left 3 15000000"])
  }

  @Test func lanesAreNamedAsInThePack() {
    #expect(Lane.allCases.map(\.rawValue) == ["left", "right", "top"])
  }
}
