// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import RulesUnderTest
import SeededNumbers
import Testing

/// Whatever is pressed, tapped and told, in whatever order: nothing but play completes a level, nothing that is locked is
/// reached, and nobody leaves an intermission. What is open is worked out here, of nothing but what was completed.
@Suite struct NoVerbSkipsTests {
  enum Input: Equatable {
    case press(Button)
    case tap(Point)
    case pass
    case tell(Beat)
    case recall
  }

  static func input(_ hasTaps: Bool, _ us: Int64, using chance: inout Seeded) -> Input {
    let buttons: [Button] = [
      .play, .back, .pause, .resume, .next, .world(.random(in: -1...6, using: &chance)),
      .level(.random(in: -1...12, using: &chance)), .world(1), .level(5), .level(10), .next, .toggle(.music),
      .toggle(.effects), .toggle(.haptics),
    ]
    switch Int.random(in: 0..<10, using: &chance) {
    case 0..<5: return .press(buttons[.random(in: buttons.indices, using: &chance)])
    case 5..<7 where hasTaps: return .tap(Point(x: .random(in: 0...390, using: &chance), y: 100))
    case 7: return .tell(Beat(atUs: us + 100_000, bpm: 88))
    case 8: return .recall
    default: return .pass
    }
  }

  static func isOpen(world: Int, _ completed: Set<LevelName>) -> Bool {
    world == 1
      || (2...4).contains(world) && (1...10).allSatisfy { completed.contains(LevelName(world: world - 1, number: $0)) }
  }

  static func isOpen(_ name: LevelName, _ completed: Set<LevelName>) -> Bool {
    isOpen(world: name.world, completed) && (1...10).contains(name.number)
      && (name.number == 1 || completed.contains(LevelName(world: name.world, number: name.number - 1)))
  }

  /// A game under the inputs of a seed, and what has come of it.
  struct Run {
    var game: Game
    var chance: Seeded
    var us: Int64 = 0
    var goals = 0
    var launches = 0
    var intermissions = 0
    var deathUs: Int64?

    init(seed: UInt64) {
      chance = Seeded(seed: seed)
      game = GameTests.game(completed: .random(in: 0...39, using: &chance))
    }

    mutating func carryOut(_ input: Input) -> [Outcome] {
      switch input {
      case .press(let button): return game.press(button, atUs: us, using: &chance)
      case .tap(let point): return game.tap(at: point, atUs: us, using: &chance)
      case .pass: return game.advance(toUs: us, using: &chance)
      case .tell(let beat): game.tell(beat)
      case .recall: game.recallBeat(atUs: us)
      }
      return []
    }

    /// Lets time pass, and then does something at that instant.
    mutating func step(hasTaps: Bool) throws {
      us += Int64.random(in: 0..<900_000, using: &chance)
      _ = try checked(.pass)
      let before = game
      let input = NoVerbSkipsTests.input(hasTaps, us, using: &chance)
      let outcomes = try checked(input)
      // In an intermission a button is as if nobody had pressed it: only a switch is turned.
      if case .intermission = before.screen, case .press(let button) = input, !Self.isSwitch(button) {
        try #require(game == before && outcomes.isEmpty)
      }
    }

    mutating func checked(_ input: Input) throws -> [Outcome] {
      let before = game
      let outcomes = carryOut(input)
      let cues = GameTests.cues(outcomes).map { $0.split(separator: " ")[0] }
      try checkCompleted(before, cues, input)
      try checkScreens(before, cues, input)
      return outcomes
    }

    static func isSwitch(_ button: Button) -> Bool { if case .toggle = button { true } else { false } }

    /// A level is completed by the one flight that reaches its goal, which a tap has launched.
    mutating func checkCompleted(_ before: Game, _ cues: [Substring], _ input: Input) throws {
      let added = game.progress.completed.subtracting(before.progress.completed)
      let reached = cues.count { $0 == "goal" }
      goals += reached
      try #require(game.progress.completed.isSuperset(of: before.progress.completed))
      try #require(game.progress.totalScore >= before.progress.totalScore)
      try #require(reached <= 1 && added.count <= reached)
      if case .level(let play) = before.screen {
        if play.state == .ready, case .level(let after) = game.screen, after.state == .playing { launches += 1 }
        if reached == 1 {
          try #require(added.isSubset(of: [play.level.name]))
          try #require(play.state == .playing)
          // The fall to the goal takes 0.7 s at least.
          try #require(us - (play.attempt?.launchedUs ?? us) >= 700_000)
        }
      } else {
        try #require(reached == 0)
      }
      try #require(goals <= launches)
    }

    mutating func checkScreens(_ before: Game, _ cues: [Substring], _ input: Input) throws {
      let completed = game.progress.completed
      switch game.screen {
      case .menu, .worlds: break
      case .levels(let world): try #require(NoVerbSkipsTests.isOpen(world: world, completed))
      case .level(let play): try #require(NoVerbSkipsTests.isOpen(play.level.name, completed))
      case .intermission(let fall):
        try #require(completed.contains(fall.after))
        try #require(fall.after.number == 5 || fall.after.number == 10)
        if case .intermission = before.screen { break }
        intermissions += 1
        deathUs = nil
        guard case .level(let play) = before.screen, case .over = play.state else {
          throw Skipped(input: input)
        }
        try #require(play.level.name == fall.after)
        try #require(input == .press(.next))
      }
      if case .intermission(let fall) = before.screen {
        deathUs = fall.death?.atUs ?? deathUs
        guard case .intermission = game.screen else {
          // White to black and the words: 0.3 s and 1.5 s behind the death.
          try #require(us >= (deathUs ?? us - 1_800_000) + 1_800_000)
          try #require(deathUs != nil || cues.contains("intermission-death"))
          return
        }
      }
    }
  }

  struct Skipped: Error { let input: Input }

  @Test(arguments: 0..<30 as Range<UInt64>) func nothingButPlayCompletesUnlocksOrLeaves(_ seed: UInt64) throws {
    var run = Run(seed: seed)
    for _ in 0..<400 { try run.step(hasTaps: true) }
  }

  /// Where nobody taps the field nothing is completed at all, and no intermission comes.
  @Test(arguments: 0..<12 as Range<UInt64>) func withoutATapNothingIsCompleted(_ seed: UInt64) throws {
    var run = Run(seed: seed)
    let completed = run.game.progress.completed
    for _ in 0..<400 { try run.step(hasTaps: false) }
    #expect(run.game.progress.completed == completed)
    #expect(run.goals == 0)
    #expect(run.intermissions == 0)
    #expect(run.game.progress.totalScore == 0)
  }

  /// That these inputs come to where something could be skipped.
  @Test func theseInputsPlay() throws {
    var (goals, intermissions) = (0, 0)
    for seed in 0..<12 as Range<UInt64> {
      var run = Run(seed: seed)
      for _ in 0..<400 { try run.step(hasTaps: true) }
      goals += run.goals
      intermissions += run.intermissions
    }
    #expect(goals > 30, "\(goals)")
    #expect(intermissions > 3, "\(intermissions)")
  }
}
