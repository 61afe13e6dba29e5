// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SeededNumbers
import SyncRules
import Testing

/// Whatever is done and told, in whatever order: nothing but play completes a chapter, none is skipped, chosen or gone back
/// to, and each completes once.
@Suite struct NoVerbSkipsTests {
  enum Input {
    case act(Act)
    case tell(Telling)
    case tellMessage(attempt: Int, isDelivered: Bool)
    case pass
    case start
    case interrupt
    case interruptionEnded
    case wentOn
  }

  /// Anything at all that can be done; of `story` alone where one has to aim.
  static func input(_ story: Story, using chance: inout Seeded) -> Input {
    switch Int.random(in: 0..<12, using: &chance) {
    case 0..<6: .act(act(story, using: &chance))
    case 6: .tell(telling(using: &chance))
    case 7: .pass
    case 8:
      switch Int.random(in: 0..<8, using: &chance) {
      case 0: .interrupt
      case 1: .start
      case 2: .tellMessage(attempt: .random(in: 0...4, using: &chance), isDelivered: .random(using: &chance))
      default: .pass
      }
    case 9: .interruptionEnded
    case 10: .wentOn
    default: .pass
    }
  }

  static func act(_ story: Story, using chance: inout Seeded) -> Act {
    var aimed: [Act] = []
    switch story.scene {
    case .cipher(let cipher)?:
      let index = Int.random(in: 0..<3, using: &chance)
      let off = Double(cipher.wheels[index].selection)
      aimed = [.turn(wheel: index, segments: -off), .turn(wheel: index, segments: -off), .letGo(wheel: index)]
    case .blueprint(let blueprint)?:
      let (last, next) = (blueprint.places[blueprint.connected - 1], blueprint.places[blueprint.connected % 12])
      aimed = [.touch(last), .drag(next), .drag(next), .drag(next)]
    default: break
    }
    let any: [Act] = [
      .press, .release,
      .turn(wheel: .random(in: -1...3, using: &chance), segments: .random(in: -9...9, using: &chance)),
      .letGo(wheel: .random(in: -1...3, using: &chance)), .unlock, .tap(.left), .tap(.top), .begin,
      .touch(Point(x: .random(in: -200...200, using: &chance), y: .random(in: -200...200, using: &chance))),
      .drag(Point(x: .random(in: -200...200, using: &chance), y: .random(in: -200...200, using: &chance))), .proceed,
      .slide(to: .random(in: -1...2, using: &chance)), .slide(to: .nan),
    ]
    let all = any + aimed + aimed
    return all[.random(in: all.indices, using: &chance)]
  }

  static func telling(using chance: inout Seeded) -> Telling {
    let run = Int64.random(in: 1...2, using: &chance)
    let all: [Telling] = [
      .started(run: run), .started(run: run), .spawned(beat: 1, lane: .left, atUs: 5, beatUs: 9, run: run),
      .judged(.hit, beat: 1, run: run), .judged(.miss, beat: nil, run: run), .helped(run: run),
      .ended(isStopped: true, run: run), .ended(isStopped: false, run: run),
    ]
    return all[.random(in: all.indices, using: &chance)]
  }

  /// What of all this is the play that completes a chapter, counted from 1: without it that chapter is never done.
  static func isPlay(_ input: Input, ofChapter chapter: Int) -> Bool {
    switch (chapter, input) {
    case (1, .act(.press)), (2, .act(.press)), (3, .act(.unlock)), (4, .tell(.ended(isStopped: false, run: _))),
      (5, .act(.drag)):
      true
    case (6, .act(.slide(let place))): place >= 1
    default: false
    }
  }

  /// A game under the inputs of a seed, and by whose clock it stands.
  struct Run {
    let player: Player
    var chance: Seeded
    var us: Int64 = 0
    /// The game's time, without interruptions: counted here.
    var playedUs: Int64 = 0
    var isStanding = false
    var stored: [String] = []
    /// What speaks for the chapter being played, since it began or was begun anew.
    var pressedUs: Int64?
    var beganUs: Int64 = 0
    var collected = 0
    var connected = 0
    var run: Int64?

    init(chapter: Int, seed: UInt64) {
      var rules = Rules.underTest
      // A run without barriers: who passes the time survives.
      rules.packetRun.gap = 1_000_000_000
      player = Player(chapter: chapter, rules: rules, seed: seed)
      chance = Seeded(seed: seed &+ 1000)
    }

    mutating func carryOut(_ input: Input) -> [String] {
      switch input {
      case .act(let act): return player.act(act, us)
      case .tell(let telling): return player.tell(telling, us)
      case .tellMessage(let attempt, let isDelivered):
        player.story.tellMessage(attempt: attempt, isDelivered: isDelivered, atUs: us)
        return []
      case .pass: return player.pass(us)
      case .start: return player.start(us)
      case .interrupt: return player.interrupt(us)
      case .interruptionEnded: return player.story.interruptionEnded(atUs: us).map(Player.text)
      case .wentOn: return player.story.wentOn(atUs: us).map(Player.text)
      }
    }

    /// Lets time pass, and then does something at that instant.
    mutating func step(_ input: Input, afterUs: Int64) throws {
      try checked(.pass, afterUs: afterUs)
      try checked(input, afterUs: 0)
    }

    mutating func checked(_ input: Input, afterUs: Int64) throws {
      us += afterUs
      if !isStanding { playedUs += afterUs }
      let (story, highest, chapter) = (player.story, player.highest, player.chapter)
      let texts = carryOut(input)
      isStanding = player.story.isInterrupted
      collected += texts.count { $0.hasPrefix("collect ") }
      connected += texts.count { $0.hasPrefix("connect ") }
      for text in texts where text.hasPrefix("store ") {
        try #require(text == "store \(highest + 1)")
        try #require(!stored.contains(text), "it completes once")
        stored.append(text)
        try #require(chapter == highest + 1)
        try #require(isEarned(chapter, input, story), "\(input) completes chapter \(chapter)")
      }
      try #require(player.highest == highest || texts.contains("store \(highest + 1)"))
      // What is seen is the chapter reached, or while its victory stands the one before.
      try #require(
        player.chapter == player.highest + 1 || player.story.showsVictory && player.chapter == player.highest)
      // One that began in this step began within it; one that is begun anew begins now.
      if player.chapter != chapter { beginAnew(atPlayedUs: playedUs - afterUs) }
      if case .start = input { beginAnew(atPlayedUs: playedUs) }
      remember(input)
    }

    /// Whether what was done until now completes the chapter, by what its rules ask.
    func isEarned(_ chapter: Int, _ input: Input, _ story: Story) -> Bool {
      switch chapter {
      case 1: pressedUs.map { playedUs - $0 >= 3_000_000 } ?? false
      case 2: playedUs - beganUs >= 60_000_000 || collected >= 20
      case 3:
        if case .act(.unlock) = input, case .cipher(let cipher)? = story.scene {
          cipher.words == ["THIS IS", "CRIMINAL", "BEHAVIOUR"]
        } else {
          false
        }
      case 4: if case .tell(.ended(isStopped: false, let run)) = input { run == self.run } else { false }
      case 5: if case .act(.proceed) = input { connected == 11 } else { false }
      default: false
      }
    }

    mutating func beginAnew(atPlayedUs us: Int64) {
      (pressedUs, beganUs, collected, connected, run) = (nil, us, 0, 0, nil)
    }

    mutating func remember(_ input: Input) {
      switch input {
      case .act(.press) where pressedUs == nil && player.chapter == 1 && !isStanding: pressedUs = playedUs
      // Also where all stands: it counts as it goes on.
      case .act(.release): pressedUs = nil
      case .tell(.started(let run)): self.run = run
      default: break
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func onlyPlayCompletesAChapterAndOnce(_ seed: UInt64) throws {
    var run = Run(chapter: Int(seed % 5) + 1, seed: seed)
    for _ in 0..<2000 {
      let input = Self.input(run.player.story, using: &run.chance)
      try run.step(input, afterUs: .random(in: 0..<1_500_000, using: &run.chance))
    }
  }

  /// All but the one thing that completes it, a chapter at a time.
  @Test(arguments: 1...6, 0..<8 as Range<UInt64>) func withoutItsPlayNoChapterIsCompleted(chapter: Int, seed: UInt64)
    throws
  {
    var run = Run(chapter: chapter, seed: seed)
    if chapter == 2 { run = Run(barriersFor: seed) }
    for _ in 0..<400 {
      let input = Self.input(run.player.story, using: &run.chance)
      if Self.isPlay(input, ofChapter: chapter) { continue }
      try run.step(input, afterUs: .random(in: 0..<1_500_000, using: &run.chance))
    }
    #expect(run.stored == [])
    #expect(run.player.chapter == chapter)
    #expect(run.player.highest == chapter - 1)
    #expect(run.player.story.scene?.completedUs == nil)
    #expect(run.player.story.message.state == .unsent)
  }

  /// That these inputs come to where something could be skipped: whole games are played to their end by them.
  @Test func theseInputsPlay() throws {
    var stored = 0
    for seed in 100..<106 as Range<UInt64> {
      var run = Run(chapter: 1, seed: seed)
      for _ in 0..<2000 {
        let input = Self.input(run.player.story, using: &run.chance)
        try run.step(input, afterUs: .random(in: 0..<1_500_000, using: &run.chance))
      }
      stored += run.stored.count
    }
    #expect(stored > 15, "\(stored)")
  }
}

extension NoVerbSkipsTests.Run {
  /// The packet run as it is, barriers and all.
  init(barriersFor seed: UInt64) {
    self.init(chapter: 2, seed: seed)
    self = Self(player: Player(chapter: 2, seed: seed), chance: chance)
  }

  private init(player: Player, chance: Seeded) {
    self.player = player
    self.chance = chance
  }
}
