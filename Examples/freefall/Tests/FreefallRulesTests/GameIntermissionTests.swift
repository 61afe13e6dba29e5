// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import Testing

/// What comes between levels and between worlds.
extension GameTests {
  /// Falls without a tap until the intermission is over: its sounds, without their instants.
  mutating func fallThrough(_ game: inout Game, from us: Int64) -> [String] {
    pass(&game, us + 60_000_000).map { String($0.split(separator: " ")[0]) }
  }

  @Test mutating func afterLevelFiveComesTheIntermissionAndThenLevelSix() {
    var game = Self.game(completed: 4)
    _ = enter(&game, LevelName(world: 1, number: 5), 0)
    _ = finish(&game, 1)
    #expect(press(&game, .next, 2_000_000) == ["ui-tap 2000000", "intermission 2000000"])
    for button in [Button.pause, .back, .next, .resume, .play] { #expect(press(&game, button, 2_100_000) == []) }
    #expect(tap(&game, 2_200_000) == [])
    #expect(fallThrough(&game, from: 2_200_000) == ["intermission-death", "world1-music-b"])
    guard case .level(let play) = game.screen else {
      Issue.record("\(game.screen)")
      return
    }
    #expect(play.level.name == LevelName(world: 1, number: 6))
    #expect(play.state == .ready)
    #expect(game.progress.worldScores[0] > 395 + 5_000)
  }

  @Test mutating func afterLevelTenComesTheWorldScreenWithItsSound() {
    var game = Self.game(completed: 9)
    _ = enter(&game, LevelName(world: 1, number: 10), 0)
    _ = finish(&game, 1)
    _ = press(&game, .next, 2_000_000)
    #expect(fallThrough(&game, from: 2_000_000) == ["intermission-death", "world-unlock", "world2-music-a"])
    #expect(game.screen == .worlds)
    #expect(press(&game, .world(2), 90_000_000) == ["ui-tap 90000000"])
    #expect(press(&game, .level(1), 90_000_001) == ["ui-tap 90000001"])
  }

  @Test mutating func aWorldThatIsOpenAlreadyIsNotUnlockedAgain() {
    var game = Self.game(completed: 10)
    _ = enter(&game, LevelName(world: 1, number: 10), 0)
    _ = finish(&game, 1)
    _ = press(&game, .next, 2_000_000)
    #expect(fallThrough(&game, from: 2_000_000) == ["intermission-death", "world2-music-a"])
  }

  @Test mutating func aWorldIsUnlockedOnceHoweverOftenItsLastLevelIsPlayed() {
    var game = Self.game(completed: 9)
    _ = enter(&game, LevelName(world: 1, number: 10), 0)
    var us: Int64 = 1
    for sounds in [["world-unlock", "world2-music-a"], ["world2-music-a"]] {
      _ = finish(&game, us)
      _ = press(&game, .next, us + 2_000_000)
      #expect(fallThrough(&game, from: us + 2_000_000) == ["intermission-death"] + sounds)
      us += 90_000_000
      _ = press(&game, .world(1), us)
      _ = press(&game, .level(10), us)
    }
  }

  @Test mutating func afterTheLastLevelComesTheMenu() {
    var game = Self.game(completed: 39)
    _ = enter(&game, LevelName(world: 4, number: 10), 0)
    _ = finish(&game, 1)
    _ = press(&game, .next, 2_000_000)
    #expect(fallThrough(&game, from: 2_000_000) == ["intermission-death", "world1-music-a"])
    #expect(game.screen == .menu)
    #expect(game.progress.completed.count == 40)
  }

  @Test mutating func theIntermissionsSoundsEndAtItsDeathAndItsSilenceAtItsEnd() {
    var game = Self.game(completed: 4)
    _ = enter(&game, LevelName(world: 1, number: 5), 0)
    _ = finish(&game, 1)
    _ = press(&game, .next, 2_000_000)
    let outcomes = game.advance(toUs: 60_000_000, using: &chance)
    var instants: [Int64] = []
    for case .cue(_, let us) in outcomes { instants.append(us) }
    // The hard cut; 0.3 s to black and 1.5 s of words later the next track fades in.
    #expect(instants.count == 2)
    #expect(instants[1] - instants[0] == 1_800_000)
  }

  @Test mutating func anIntermissionsPointsAreItsWorldsAndTheTotalsOnce() throws {
    var game = Self.game(completed: 4)
    _ = enter(&game, LevelName(world: 1, number: 5), 0)
    _ = finish(&game, 1)
    _ = press(&game, .next, 2_000_000)
    let before = (game.progress.worldScores, game.progress.totalScore)
    var points: Int?
    for us in stride(from: Int64(2_000_000), to: 60_000_000, by: 100_000) where points == nil {
      _ = pass(&game, us)
      if case .intermission(let intermission) = game.screen { points = intermission.death?.points }
    }
    let gained = try #require(points)
    #expect(gained > 5_000)
    for us in [0, 60_000_000] as [Int64] {
      _ = pass(&game, us)
      #expect(game.progress.worldScores[0] == before.0[0] + gained)
      #expect(game.progress.worldScores.dropFirst() == before.0.dropFirst())
      #expect(game.progress.totalScore == before.1 + gained)
    }
  }

  @Test mutating func fortyLevelsAndEightIntermissionsFromNothing() {
    var game = Self.game()
    var us: Int64 = 0
    var counts: [String: Int] = [:]
    func count(_ cues: [String]) { for cue in cues { counts[String(cue.split(separator: " ")[0]), default: 0] += 1 } }
    count(enter(&game, LevelName(world: 1, number: 1), us))
    for index in 0..<40 {
      us += 1_000_000
      count(finish(&game, us))
      us += 2_000_000
      count(press(&game, .next, us))
      if (index + 1) % 5 == 0 {
        us += 60_000_000
        count(pass(&game, us))
      }
      if (index + 1) % 10 == 0, index < 39 {
        count(press(&game, .world(index / 10 + 2), us))
        count(press(&game, .level(1), us))
      }
    }
    #expect(game.screen == .menu)
    #expect(counts["goal"] == 40)
    #expect(counts["level-complete"] == 40)
    #expect(counts["intermission"] == 8)
    #expect(counts["intermission-death"] == 8)
    #expect(counts["world-unlock"] == 3)
    #expect(counts["world1-music-a"] == 2)
    #expect(counts["world1-music-b"] == 1)
    #expect(counts["world4-music-b"] == 1)
    #expect(counts["flip"] == nil)
    #expect(game.progress.completed.count == 40)
  }
}
