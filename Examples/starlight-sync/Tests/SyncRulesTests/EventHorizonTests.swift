// SPDX-License-Identifier: Apache-2.0

import SyncRules
import Testing

/// Chapter 6: the slider, and all that begins at its end.
@Suite struct EventHorizonTests {
  static func handle(_ player: Player) -> Double {
    guard case .eventHorizon(let chapter)? = player.story.scene else { return -1 }
    return chapter.handle
  }

  /// finger^0.8, by a pocket calculator.
  @Test(arguments: [
    (0.0, 0.0), (0.01, 0.0251188643), (0.1, 0.1584893192), (0.25, 0.3298769777), (0.5, 0.5743491775),
    (0.9, 0.9191661188), (0.999, 0.9991999199),
  ]) func theHandleIsTheFingerToThePowerOfFourFifths(finger: Double, handle: Double) {
    let player = Player(chapter: 6)
    _ = player.act(.slide(to: finger), 1)
    #expect(abs(Self.handle(player) - handle) < 1e-9)
  }

  @Test func theResistanceBeginsWithTheFingerAndFollowsIt() {
    let player = Player(chapter: 6)
    #expect(player.act(.slide(to: 0), 1) == ["slider 1", "slider=0.0 1"])
    #expect(player.act(.slide(to: 0.5), 2) == ["slider=0.5 2"])
    #expect(player.act(.release, 3) == ["stop slider 3"])
    #expect(Self.handle(player) == 0)
    #expect(player.act(.release, 4) == [])
    #expect(player.act(.slide(to: 0.25), 5) == ["slider 5", "slider=0.25 5"])
  }

  @Test func atTheEndSongConfettiAndMessageBeginAtThatInstantOnce() {
    let player = Player(chapter: 6)
    _ = player.act(.slide(to: 0.999999), 1)
    #expect(player.act(.slide(to: 1), 2) == ["slider=1.0 2", "finale 2", "confetti 2", "send 1"])
    #expect(Self.handle(player) == 1)
    #expect(player.act(.slide(to: 0.5), 3) == [])
    #expect(player.act(.slide(to: 1), 4) == [])
    #expect(player.act(.release, 5) == [])
    #expect(Self.handle(player) == 1)
    // Completing the last is nothing.
    #expect(player.pass(100_000_000) == [])
    #expect(player.highest == 5)
  }

  @Test func placesOutsideTheSliderAreItsEnds() {
    let player = Player(chapter: 6)
    #expect(player.act(.slide(to: -3), 1) == ["slider 1", "slider=0.0 1"])
    #expect(player.act(.slide(to: .nan), 2) == [])
    #expect(player.act(.slide(to: 7), 3) == ["slider=1.0 3", "finale 3", "confetti 3", "send 1"])
  }

  @Test func theEndStaysWhenTheDaemonComesBack() {
    let player = Player(chapter: 6)
    _ = player.act(.slide(to: 1), 1)
    #expect(player.start(1_000_000) == [])
    #expect(Self.handle(player) == 1)
    #expect(player.act(.slide(to: 1), 1_000_001) == [])
  }
}
