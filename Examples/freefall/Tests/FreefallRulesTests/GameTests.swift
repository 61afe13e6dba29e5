// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import RulesUnderTest
import SeededNumbers
import Testing

/// Screens, sounds, what is stored: everything a player can do, and what comes of it.
@Suite struct GameTests {
  var chance = Seeded(seed: 5)
  let anywhere = Point(x: 100, y: 100)

  /// A game whose levels are all one fall of 0.7 s to the goal, with so many levels completed.
  static func game(completed: Int = 0, switches: Switches = Switches()) -> Game {
    let rules = Rules.underTest
    let levels = rules.worlds.levels.map { ($0, level($0, goal: Point(x: 100, y: 600))) }
    let progress = Progress(
      completed: Array(rules.worlds.levels.prefix(completed)), switches: switches, worldScores: [0, 0, 0, 0],
      totalScore: 0, rules: rules.worlds)
    return Game(
      rules: rules, levels: Dictionary(uniqueKeysWithValues: levels),
      progress: progress ?? Progress(rules: rules.worlds))
  }

  static func cues(_ outcomes: [Outcome]) -> [String] {
    outcomes.compactMap { if case .cue(let cue, let us) = $0 { "\(cue.name) \(us)" } else { nil } }
  }

  static func stored(_ outcomes: [Outcome]) -> [Progress] {
    outcomes.compactMap { if case .store(let progress) = $0 { progress } else { nil } }
  }

  mutating func press(_ game: inout Game, _ button: Button, _ us: Int64) -> [String] {
    Self.cues(game.press(button, atUs: us, using: &chance))
  }

  mutating func tap(_ game: inout Game, _ us: Int64) -> [String] {
    Self.cues(game.tap(at: anywhere, atUs: us, using: &chance))
  }

  mutating func pass(_ game: inout Game, _ us: Int64) -> [String] {
    Self.cues(game.advance(toUs: us, using: &chance))
  }

  mutating func enter(_ game: inout Game, _ name: LevelName, _ us: Int64) -> [String] {
    _ = press(&game, .play, us)
    _ = press(&game, .world(name.world), us)
    return press(&game, .level(name.number), us)
  }

  /// A second and a half: the fall, the goal and the word.
  mutating func finish(_ game: inout Game, _ us: Int64) -> [String] { tap(&game, us) + pass(&game, us + 1_500_000) }

  @Test mutating func everyButtonThatDoesSomethingSounds() {
    var game = Self.game()
    #expect(press(&game, .play, 1) == ["ui-tap 1"])
    #expect(game.screen == .worlds)
    #expect(press(&game, .back, 2) == ["ui-tap 2"])
    #expect(game.screen == .menu)
    _ = press(&game, .play, 3)
    #expect(press(&game, .world(1), 4) == ["ui-tap 4"])
    #expect(game.screen == .levels(world: 1))
    #expect(press(&game, .level(1), 5) == ["ui-tap 5", "world1-music-a 5"])
    #expect(press(&game, .pause, 6) == ["ui-tap 6"])
    #expect(press(&game, .resume, 7) == ["ui-tap 7"])
    #expect(press(&game, .back, 8) == ["ui-tap 8"])
    #expect(game.screen == .levels(world: 1))
  }

  @Test mutating func whatIsLockedDoesAndSoundsNothing() {
    var game = Self.game(completed: 9)
    _ = press(&game, .play, 1)
    #expect(press(&game, .world(2), 2) == [])
    #expect(press(&game, .world(0), 2) == [])
    #expect(game.screen == .worlds)
    _ = press(&game, .world(1), 3)
    var fresh = Self.game()
    _ = press(&fresh, .play, 1)
    _ = press(&fresh, .world(1), 1)
    #expect(press(&fresh, .level(2), 4) == [])
    #expect(fresh.screen == .levels(world: 1))
    #expect(press(&game, .level(11), 4) == [])
  }

  @Test mutating func buttonsThatAreNotOnTheScreenDoNothing() {
    var game = Self.game()
    let buttons: [Button] = [.world(1), .level(1), .back, .pause, .resume, .next]
    for button in buttons { #expect(press(&game, button, 1) == []) }
    #expect(game.screen == .menu)
    #expect(tap(&game, 2) == [])
    _ = enter(&game, LevelName(world: 1, number: 1), 3)
    for button in [Button.play, .world(1), .level(1), .resume, .next] { #expect(press(&game, button, 4) == []) }
    // In flight there is a pause alone; after the goal nothing until the word, then NEXT alone.
    _ = tap(&game, 10)
    for button in [Button.back, .resume, .next] { #expect(press(&game, button, 11) == []) }
    _ = pass(&game, 800_000)
    for button in [Button.back, .pause, .resume, .next] { #expect(press(&game, button, 800_001) == []) }
    _ = pass(&game, 1_600_000)
    for button in [Button.back, .pause, .resume] { #expect(press(&game, button, 1_600_001) == []) }
    #expect(press(&game, .next, 1_600_002) == ["ui-tap 1600002"])
  }

  @Test mutating func aLevelSoundsAsItsMomentsAsk() {
    var game = Self.game()
    _ = enter(&game, LevelName(world: 1, number: 1), 0)
    #expect(tap(&game, 0) == [])
    #expect(tap(&game, 100_000) == ["flip 100000"])
    #expect(tap(&game, 110_000) == ["flip 110000"])
    let later = pass(&game, 3_000_000)
    #expect(later.map { $0.split(separator: " ")[0] } == ["goal", "level-complete"])
  }

  @Test mutating func deathSoundsAndLeavesTheMusicAlone() {
    var game = Self.game()
    _ = enter(&game, LevelName(world: 1, number: 1), 0)
    _ = tap(&game, 0)
    _ = tap(&game, 1_000)
    #expect(pass(&game, 5_000_000).map { $0.split(separator: " ")[0] } == ["death"])
    guard case .level(let play) = game.screen else {
      Issue.record("\(game.screen)")
      return
    }
    #expect(play.state == .ready)
    // The same level again, without a word about music.
    #expect(finish(&game, 6_000_000) == ["goal 6700000", "level-complete 7500000"])
  }

  @Test mutating func whatIsReachedIsStoredAtTheGoalAndAddsUp() {
    var game = Self.game()
    _ = enter(&game, LevelName(world: 1, number: 1), 0)
    _ = game.tap(at: anywhere, atUs: 0, using: &chance)
    let stored = Self.stored(game.advance(toUs: 700_000, using: &chance))
    #expect(stored.count == 1)
    // 200 for the level, and 1.3 s of 2 s spared: 195.
    #expect(stored.first?.worldScores == [395, 0, 0, 0])
    #expect(stored.first?.totalScore == 395)
    #expect(stored.first?.completed == [LevelName(world: 1, number: 1)])
    _ = pass(&game, 1_500_000)
    _ = press(&game, .next, 1_600_000)
    _ = press(&game, .back, 1_700_000)
    _ = press(&game, .level(1), 1_800_000)
    _ = finish(&game, 2_000_000)
    #expect(game.progress.worldScores == [790, 0, 0, 0])
    #expect(game.progress.totalScore == 790)
  }

  @Test(arguments: [
    (1, 1, "world1-music-a"), (1, 5, "world1-music-a"), (1, 6, "world1-music-b"), (1, 10, "world1-music-b"),
    (2, 1, "world2-music-a"), (2, 6, "world2-music-b"), (3, 5, "world3-music-a"), (3, 10, "world3-music-b"),
    (4, 4, "world4-music-a"), (4, 7, "world4-music-b"),
  ])
  mutating func eachLevelHasTheMusicOfItsHalfWorld(world: Int, number: Int, music: String) {
    var game = Self.game(completed: 40)
    #expect(enter(&game, LevelName(world: world, number: number), 9) == ["ui-tap 9", music + " 9"])
    // Again, it plays already.
    _ = press(&game, .back, 10)
    #expect(press(&game, .level(number), 11) == ["ui-tap 11"])
  }

  @Test mutating func musicGoesOnThroughMenusAndChangesWithTheLevel() {
    var game = Self.game(completed: 40)
    _ = enter(&game, LevelName(world: 1, number: 5), 0)
    _ = press(&game, .back, 1)
    #expect(press(&game, .level(6), 2) == ["ui-tap 2", "world1-music-b 2"])
    _ = press(&game, .back, 3)
    #expect(press(&game, .back, 4) == ["ui-tap 4"])
    _ = press(&game, .world(3), 5)
    #expect(press(&game, .level(1), 6) == ["ui-tap 6", "world3-music-a 6"])
  }

  @Test mutating func aSwitchIsTurnedStoredAndThenItsButtonSounds() {
    var game = Self.game()
    let outcomes = game.press(.toggle(.effects), atUs: 7, using: &chance)
    #expect(outcomes.count == 3)
    #expect(outcomes.first == .turned(.effects, isOn: false, atUs: 7))
    #expect(outcomes.last == .cue(.button, atUs: 7))
    let stored = Self.stored(outcomes)
    #expect(stored.map(\.switches) == [Switches(isMusicOn: true, areEffectsOn: false, areHapticsOn: true)])
    #expect(stored.first?.completed == [])
    #expect(stored.first?.worldScores == [0, 0, 0, 0])
    #expect(game.press(.toggle(.effects), atUs: 8, using: &chance)[0] == .turned(.effects, isOn: true, atUs: 8))
    for name in Switches.Name.allCases { #expect(game.progress.switches[name]) }
  }

  @Test mutating func switchesTurnAtEveryMoment() {
    var game = Self.game(completed: 5)
    _ = enter(&game, LevelName(world: 1, number: 5), 0)
    _ = tap(&game, 1)
    #expect(press(&game, .toggle(.haptics), 2) == ["ui-tap 2"])
    _ = pass(&game, 1_600_000)
    _ = press(&game, .next, 1_700_000)
    #expect(press(&game, .toggle(.music), 1_800_000) == ["ui-tap 1800000"])
    #expect(game.progress.switches == Switches(isMusicOn: false, areEffectsOn: true, areHapticsOn: false))
  }

  @Test mutating func theBackgroundBreathesInFlightWithTheBeatsThatAreTold() {
    var game = Self.game()
    _ = enter(&game, LevelName(world: 1, number: 1), 0)
    game.tell(Beat(atUs: 500_000, bpm: 88))
    game.tell(Beat(atUs: 1_181_818, bpm: 88))
    _ = pass(&game, 550_000)
    #expect(game.breathing(atUs: 550_000).outline == 3)
    _ = tap(&game, 1_000_000)
    #expect(game.breathing(atUs: 1_050_000).outline == 3)
    #expect(abs(game.breathing(atUs: 1_231_818).outline - 6) < 0.001)
    _ = press(&game, .pause, 1_231_818)
    #expect(game.breathing(atUs: 1_231_818).outline == 3)
    _ = press(&game, .resume, 1_231_818)
    _ = pass(&game, 1_800_000)
    game.tell(Beat(atUs: 1_863_636, bpm: 88))
    #expect(game.breathing(atUs: 1_913_636).outline == 3)
  }

  @Test mutating func withTheMusicOffBeatsGoOnByTheTracksPace() {
    var game = Self.game(switches: Switches(isMusicOn: false))
    // 88 a minute: 0.681818 s. Its track is asked for at 1 s and waits.
    _ = enter(&game, LevelName(world: 1, number: 1), 1_000_000)
    _ = tap(&game, 1_700_000)
    #expect(game.beats.beat(atUs: 1_681_818)?.atUs == 1_681_818)
    #expect(game.beats.beat(atUs: 2_363_636)?.atUs == 2_363_636)
    #expect(game.breathing(atUs: 1_750_000).outline == 3)
    var other = Self.game()
    _ = enter(&other, LevelName(world: 1, number: 1), 0)
    other.tell(Beat(atUs: 100_000, bpm: 88))
    other.tell(Beat(atUs: 781_818, bpm: 88))
    _ = press(&other, .toggle(.music), 300_000)
    #expect(other.beats.beat(atUs: 300_000)?.atUs == 100_000)
    #expect(other.beats.beat(atUs: 2_200_000)?.atUs == 2_145_454)
    _ = press(&other, .toggle(.music), 2_300_000)
    #expect(other.beats.beat(atUs: 9_000_000)?.atUs == 2_145_454)
    other.tell(Beat(atUs: 9_100_000, bpm: 88))
    #expect(other.beats.beat(atUs: 9_200_000)?.atUs == 9_100_000)
  }

  static let paces: [(world: Int, number: Int, beatUs: Int64)] = [
    (1, 1, 681_818), (1, 6, 631_579), (2, 1, 348_837), (2, 6, 344_828), (3, 1, 375_000), (3, 6, 363_636),
    (4, 1, 454_545), (4, 6, 434_783),
  ]

  @Test(arguments: paces)
  mutating func eachTrackHasItsPace(world: Int, number: Int, beatUs: Int64) {
    var game = Self.game(completed: 40, switches: Switches(isMusicOn: false))
    _ = enter(&game, LevelName(world: world, number: number), 0)
    #expect(game.beats.beat(atUs: beatUs - 1)?.atUs == 0)
    #expect(game.beats.beat(atUs: beatUs)?.atUs == beatUs)
  }

  @Test mutating func timeThatRunsBackwardsStandsStill() {
    var game = Self.game()
    _ = enter(&game, LevelName(world: 1, number: 1), 1_000_000)
    _ = tap(&game, 2_000_000)
    #expect(tap(&game, 500_000) == ["flip 2000000"])
  }
}
