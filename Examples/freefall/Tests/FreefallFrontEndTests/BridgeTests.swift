// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import RulesUnderTest
import SeededNumbers
import StarlightClient
import Testing

@testable import FreefallFrontEnd

/// What is asked of the daemon, and what becomes of what it tells.
@Suite struct BridgeTests {
  var bridge = Bridge(rules: Rules.underTest.play)
  var game = BridgeTests.newGame()
  var chance = Seeded(seed: 3)

  static func newGame(_ switches: Switches = Switches(), completed: Int = 0) -> Game {
    let rules = Rules.underTest
    // The goal is where the ball is launched: a level lasts a step.
    let levels = rules.worlds.levels.map { name in
      (
        name,
        Level(
          name: name, launchPosition: Point(x: 100, y: 100), launchVelocity: Point(x: 0, y: 0),
          goalPosition: Point(x: 100, y: 100), goalRadius: 50, initialGravityDown: true, parFlips: 0,
          parTimeUs: 1_000_000, obstacles: [], collectibles: [])
      )
    }
    let progress = Progress(
      completed: Array(rules.worlds.levels.prefix(completed)), switches: switches, worldScores: [0, 0, 0, 0],
      totalScore: 0, rules: rules.worlds)
    return Game(
      rules: rules, levels: Dictionary(uniqueKeysWithValues: levels),
      progress: progress ?? Progress(rules: rules.worlds))
  }

  mutating func hear(_ event: Event, at us: Int64 = 0) -> [Ask] { bridge.hear(event, nowUs: us, game: &game) }

  mutating func press(_ button: Button, at us: Int64) -> [Ask] {
    bridge.asks(for: game.press(button, atUs: bridge.gameUs(atDaemonUs: us), using: &chance))
  }

  mutating func pass(to us: Int64) -> [Ask] {
    bridge.asks(for: game.advance(toUs: bridge.gameUs(atDaemonUs: us), using: &chance))
  }

  /// The cues that are fired, by name; anything else that is asked for is nil.
  func fired(_ asks: [Ask]) -> [String?] { asks.map { if case .fire(let cue) = $0 { cue.name } else { nil } } }

  mutating func enterLevel(_ number: Int, at us: Int64) {
    for button in [Button.play, .world(1), .level(number)] { _ = press(button, at: us) }
  }

  /// From a level's screen to the intermission behind it, which begins at `us` + 1 s.
  mutating func enterIntermission(at us: Int64) -> [Ask] {
    _ = game.tap(at: Point(x: 0, y: 0), atUs: bridge.gameUs(atDaemonUs: us), using: &chance)
    _ = pass(to: us + 1_000_000)
    return press(.next, at: us + 1_000_000)
  }

  // MARK: - What happens in the game

  @Test mutating func whatHappensIsFiredAtOnceByItsCue() throws {
    #expect(try hear(session()) == [])
    #expect(press(.play, at: 10) == [.fire(.button)])
    #expect(press(.world(2), at: 20) == [], "it is locked")
    #expect(press(.world(1), at: 30) == [.fire(.button)])
    #expect(fired(press(.level(1), at: 40)) == ["ui-tap", "world1-music-a"])
  }

  @Test mutating func aSwitchIsTurnedBeforeItsButtonSounds() throws {
    _ = try hear(session())
    #expect(press(.toggle(.music), at: 1) == [.set(.init(music: false)), .fire(.button)])
    #expect(press(.toggle(.effects), at: 2) == [.set(.init(sound: false)), .fire(.button)])
    #expect(press(.toggle(.haptics), at: 3) == [.set(.init(haptics: false)), .fire(.button)])
    #expect(press(.toggle(.effects), at: 4) == [.set(.init(sound: true)), .fire(.button)])
  }

  @Test mutating func whileNoDaemonIsThereNothingIsAskedFor() throws {
    #expect(press(.play, at: 1) == [])
    _ = try hear(session())
    #expect(press(.world(1), at: 2) == [.fire(.button)])
    _ = hear(gone, at: 3)
    #expect(press(.level(1), at: 4) == [])
  }

  // MARK: - Coming back

  @Test mutating func aDaemonThatIsNewPlaysTheTrackOfWhereThePlayerIs() throws {
    _ = try hear(session())
    enterLevel(1, at: 1)
    _ = hear(gone, at: 2)
    let asks = try hear(session(.newDaemon), at: 3)
    #expect(fired(asks) == ["world1-music-a"])
  }

  @Test mutating func ofTheSameDaemonTheTrackThatPlaysIsNotBegunTwice() throws {
    _ = try hear(session())
    enterLevel(1, at: 1)
    _ = hear(gone, at: 2)
    #expect(try hear(session(.sameDaemon, playing: "freefall:world1-track-a"), at: 3) == [])
    _ = hear(gone, at: 4)
    // Its switch holds it: it is there all the same.
    #expect(try hear(session(.sameDaemon, playing: "freefall:world1-track-a", state: "paused"), at: 5) == [])
    _ = hear(gone, at: 6)
    let asks = try hear(session(.sameDaemon, playing: "freefall:world1-track-b"), at: 7)
    #expect(fired(asks) == ["world1-music-a"])
  }

  @Test mutating func musicThatAGameLeftWhichWasKilledIsFadedOutAtTheMenu() throws {
    #expect(try hear(session(playing: "freefall:world3-track-b")) == [.stopMusic(fadeUs: nil)])
  }

  @Test mutating func inAnIntermissionItsTrackComesAtItsInstantAndItsVoiceNotAgain() throws {
    game = Self.newGame(completed: 4)
    _ = try hear(session())
    enterLevel(5, at: 1)
    #expect(enterIntermission(at: 1_000_000) == [.fire(.button), .fire(.intermission)])
    _ = hear(gone, at: 2_100_000)
    let track = MusicPlay.Params(track: "intermission-track", atUs: 3_300_000, crossfadeUs: 0)
    #expect(try hear(session(.newDaemon), at: 2_200_000) == [.play(track)])
    _ = hear(gone, at: 2_300_000)
    // The cue went with the connection, and its cut is done.
    #expect(try hear(session(.sameDaemon), at: 2_400_000) == [.play(track)])
    // In play it begins at once, unless it plays.
    _ = pass(to: 3_400_000)
    _ = hear(gone, at: 3_400_000)
    let now = MusicPlay.Params(track: "intermission-track", crossfadeUs: 0)
    #expect(try hear(session(.newDaemon), at: 3_500_000) == [.play(now)])
    _ = hear(gone, at: 3_600_000)
    #expect(try hear(session(.sameDaemon, playing: "freefall:intermission-track"), at: 3_600_000) == [])
    // A death while nobody was told leaves silence.
    _ = hear(gone, at: 3_700_000)
    var us: Int64 = 3_700_000
    while case .intermission(let intermission) = game.screen, intermission.death == nil {
      us += 100_000
      _ = pass(to: us)
    }
    #expect(try hear(session(.sameDaemon, playing: "freefall:intermission-track"), at: us) == [.stopMusic(fadeUs: 0)])
    _ = hear(gone, at: us)
    #expect(try hear(session(.newDaemon), at: us) == [])
  }

  private func resumed(_ movedUs: Int64, at us: Int64) -> Event {
    .told(.engineResumed(.init(movedUs: movedUs)), tUs: us)
  }

  /// An instant is refused while all stands, for nobody knows when it will be.
  @Test(arguments: [true, false]) mutating func whereAllStandsAnIntermissionsTrackIsAskedForAsItGoesOn(
    isHeldHere: Bool
  ) throws {
    game = Self.newGame(completed: 4)
    _ = try hear(session())
    enterLevel(5, at: 1)
    _ = enterIntermission(at: 1_000_000)
    if isHeldHere { _ = bridge.hold(nowUs: 2_100_000) }
    _ = hear(gone, at: 2_100_000)
    let pausedUs: Int64? = isHeldHere ? nil : 2_150_000
    #expect(try hear(session(.newDaemon, nowUs: 2_200_000, pausedUs: pausedUs), at: 2_200_000) == [])
    if isHeldHere { #expect(hear(.told(.enginePaused(.init(sleep: false)), tUs: 2_205_000), at: 2_210_000) == []) }
    _ = bridge.release(nowUs: 3_000_000)
    // 1.1 s of the game are left where it ran on beside the pause, and 1.2 s where it stood since 2.1 s.
    let atUs: Int64 = isHeldHere ? 4_405_000 : 4_250_000
    let track = MusicPlay.Params(track: "intermission-track", atUs: atUs, crossfadeUs: 0)
    #expect(hear(resumed(1_000_000, at: 3_150_000), at: 3_160_000) == [.play(track)])
    #expect(hear(.told(.enginePaused(.init(sleep: false)), tUs: 3_200_000), at: 3_200_000) == [])
    #expect(hear(resumed(1_000, at: 3_201_000), at: 3_201_000) == [], "it is asked for once")
  }

  @Test mutating func aTrackThatWasRefusedForAllStoodByThenIsAskedForAsItGoesOn() throws {
    game = Self.newGame(completed: 4)
    _ = try hear(session())
    enterLevel(5, at: 1)
    _ = enterIntermission(at: 1_000_000)
    _ = hear(gone, at: 2_100_000)
    let track = MusicPlay.Params(track: "intermission-track", atUs: 3_300_000, crossfadeUs: 0)
    #expect(try hear(session(.newDaemon), at: 2_200_000) == [.play(track)])
    let refusal = Refusal(ticket: 1, method: MusicPlay.name, error: ClientError(RPCError(.paused, "all stands")))
    #expect(hear(.refused(refusal), at: 2_210_000) == [])
    _ = hear(.told(.enginePaused(.init(sleep: true)), tUs: 2_205_000), at: 2_210_000)
    let later = MusicPlay.Params(track: "intermission-track", atUs: 4_300_000, crossfadeUs: 0)
    #expect(hear(resumed(1_000_000, at: 3_205_000), at: 3_205_000) == [.play(later)])
    // And what is refused after the intermission's end is asked for no more.
    _ = hear(.refused(refusal), at: 3_300_000)
    var us: Int64 = 3_300_000
    while case .intermission(let intermission) = game.screen, intermission.death == nil {
      us += 100_000
      _ = pass(to: us)
    }
    #expect(hear(resumed(0, at: us), at: us) == [])
  }

  @Test mutating func thePlayersSwitchesArePutThroughWhereTheDaemonHasOthers() throws {
    game = Self.newGame(Switches(isMusicOn: false, areEffectsOn: true, areHapticsOn: false))
    let mine = Ask.set(.init(music: false, sound: true, haptics: false))
    #expect(try hear(session()) == [mine])
    #expect(try hear(session(.sameDaemon, music: false, haptics: false)) == [])
    #expect(try hear(session(.newDaemon, music: false, sound: false, haptics: false)) == [mine])
    #expect(try hear(session(.newDaemon, music: true, haptics: false)) == [mine])
    #expect(try hear(session(.newDaemon, music: false, haptics: true)) == [mine])
  }

  // MARK: - Time

  @Test mutating func gameTimeLeavesOutWhatTheEngineStoodStill() throws {
    _ = try hear(session())
    #expect(bridge.gameUs(atDaemonUs: 1_000) == 1_000)
    #expect(bridge.hold(nowUs: 1_000) == [.hold])
    #expect(bridge.hold(nowUs: 1_000) == [], "it is asked for once")
    _ = hear(.told(.enginePaused(.init(sleep: false)), tUs: 6_000))
    #expect(bridge.stands)
    #expect(bridge.gameUs(atDaemonUs: 5_000) == 5_000)
    #expect(bridge.gameUs(atDaemonUs: 90_000) == 6_000)
    #expect(bridge.release(nowUs: 95_000) == [.letGo])
    _ = hear(.told(.engineResumed(.init(movedUs: 90_000)), tUs: 96_000))
    #expect(!bridge.stands)
    #expect(bridge.gameUs(atDaemonUs: 96_000) == 6_000)
    #expect(bridge.gameUs(atDaemonUs: 97_000) == 7_000)
    #expect(bridge.release(nowUs: 98_000) == [], "nothing is held")
  }

  @Test mutating func afterASleepThePlayerLetsItGoOn() throws {
    _ = try hear(session())
    _ = hear(.told(.enginePaused(.init(sleep: true)), tUs: 6_000))
    #expect(bridge.stands)
    #expect(bridge.release(nowUs: 9_000) == [.letGo])
  }

  @Test(arguments: [true, false]) mutating func whoIsBackTooEarlyAsksOnceASecondUntilItGoesOn(isHeldHere: Bool) throws {
    _ = try hear(session())
    if isHeldHere { _ = bridge.hold(nowUs: 5_000) }
    _ = hear(.told(.enginePaused(.init(sleep: !isHeldHere)), tUs: 6_000), at: 6_000)
    #expect(bridge.asks(atUs: 8_000_000) == [], "nobody is back")
    #expect(bridge.release(nowUs: 8_000_000) == [.letGo])
    #expect(bridge.asks(atUs: 8_999_999) == [])
    var asked: [Int64] = []
    for us in stride(from: Int64(8_000_000), through: 10_500_000, by: 250_000) where bridge.asks(atUs: us) == [.letGo] {
      asked.append(us)
    }
    #expect(asked == [9_000_000, 10_000_000])
    _ = hear(.told(.engineResumed(.init(movedUs: 10_600_000)), tUs: 10_606_000), at: 10_606_000)
    #expect(bridge.asks(atUs: 11_000_000) == [])
    // Nor is anybody back from what holds it next.
    _ = hear(.told(.enginePaused(.init(sleep: true)), tUs: 11_100_000), at: 11_100_000)
    #expect(bridge.asks(atUs: 15_000_000) == [])
  }

  /// The client has a connection, and asked for the hold, of which nothing was heard here yet.
  @Test(arguments: [true, false]) mutating func whoIsBackBeforeTheDaemonIsHeardOfAsksAgainUntilItGoesOn(
    stoodBefore: Bool
  ) throws {
    #expect(bridge.hold(nowUs: 1_000) == [.hold])
    #expect(bridge.release(nowUs: 2_000, isThere: true) == [.letGo])
    _ = try hear(session(nowUs: 1_500, pausedUs: stoodBefore ? 1_400 : nil), at: 2_100)
    // The hold that was asked for anew, and with it whatever else holds all.
    if !stoodBefore { _ = hear(.told(.enginePaused(.init(sleep: false)), tUs: 1_600), at: 2_100) }
    #expect(bridge.stands)
    var asked: [Int64] = []
    for us in stride(from: Int64(2_100), through: 2_502_100, by: 250_000) where bridge.asks(atUs: us) == [.letGo] {
      asked.append(us)
    }
    #expect(asked == [1_002_100, 2_002_100])
    _ = hear(resumed(2_600_000, at: 2_604_000), at: 2_604_000)
    _ = hear(.told(.enginePaused(.init(sleep: false)), tUs: 2_700_000), at: 2_700_000)
    #expect(bridge.asks(atUs: 9_000_000) == [], "nobody is back from this one")
  }

  @Test mutating func whoIsBackBeforeASleepOrWithoutADaemonIsBackFromNoneThatComes() throws {
    // No connection: what holds the next daemon is another's business.
    _ = bridge.hold(nowUs: 1_000)
    #expect(bridge.release(nowUs: 2_000, isThere: false) == [.letGo])
    _ = try hear(session(nowUs: 1_500, pausedUs: 1_400), at: 2_100)
    #expect(bridge.asks(atUs: 9_000_000) == [])
    _ = hear(gone, at: 9_000_000)
    // The system sleeps only now.
    _ = bridge.hold(nowUs: 9_100_000)
    _ = bridge.release(nowUs: 9_200_000, isThere: true)
    _ = try hear(session(.sameDaemon, nowUs: 9_300_000), at: 9_300_000)
    _ = hear(.told(.enginePaused(.init(sleep: true)), tUs: 9_400_000), at: 9_400_000)
    #expect(bridge.asks(atUs: 19_000_000) == [])
    // And who goes away again is not back.
    _ = hear(gone, at: 19_000_000)
    _ = bridge.hold(nowUs: 19_100_000)
    _ = bridge.release(nowUs: 19_200_000, isThere: true)
    _ = bridge.hold(nowUs: 19_300_000)
    _ = try hear(session(.sameDaemon, nowUs: 19_400_000), at: 19_400_000)
    _ = hear(.told(.enginePaused(.init(sleep: false)), tUs: 19_500_000), at: 19_500_000)
    #expect(bridge.asks(atUs: 29_000_000) == [])
  }

  @Test mutating func whoIsCalledAwayAgainOrLosesTheDaemonAsksNoMore() throws {
    _ = try hear(session())
    _ = hear(.told(.enginePaused(.init(sleep: true)), tUs: 6_000), at: 6_000)
    _ = bridge.release(nowUs: 10_000)
    _ = bridge.hold(nowUs: 20_000)
    #expect(bridge.asks(atUs: 2_000_000) == [])
    _ = bridge.release(nowUs: 3_000_000)
    _ = hear(gone, at: 3_100_000)
    #expect(bridge.asks(atUs: 9_000_000) == [])
  }

  @Test mutating func anInterruptionOutlivesTheDaemonInPlace() throws {
    _ = try hear(session())
    _ = bridge.hold(nowUs: 1_000)
    _ = hear(.told(.enginePaused(.init(sleep: false)), tUs: 2_000))
    _ = hear(gone, at: 5_000)
    #expect(bridge.stands)
    // The client asks for the hold anew, and the daemon tells of it.
    #expect(try hear(session(.newDaemon, nowUs: 6_000), at: 6_000) == [])
    #expect(bridge.gameUs(atDaemonUs: 7_000) == 2_000)
    _ = hear(.told(.enginePaused(.init(sleep: false)), tUs: 7_500))
    #expect(bridge.gameUs(atDaemonUs: 8_000) == 2_000)
    #expect(bridge.release(nowUs: 9_000) == [.letGo])
    _ = hear(.told(.engineResumed(.init(movedUs: 2_500)), tUs: 10_000))
    #expect(bridge.gameUs(atDaemonUs: 10_100) == 2_100)
  }

  @Test mutating func withoutADaemonAnInterruptionIsTheGamesAlone() {
    #expect(bridge.hold(nowUs: 1_000) == [.hold])
    #expect(bridge.gameUs(atDaemonUs: 7_000) == 1_000)
    #expect(bridge.release(nowUs: 9_000) == [.letGo])
    #expect(bridge.gameUs(atDaemonUs: 9_500) == 1_500)
  }

  @Test mutating func aHoldOfSomebodyElseEndsWithTheDaemonOrThemselves() throws {
    _ = try hear(session(pausedUs: 500))
    #expect(bridge.gameUs(atDaemonUs: 3_000) == 500)
    _ = hear(gone, at: 4_000)
    #expect(bridge.gameUs(atDaemonUs: 5_000) == 1_500)
    _ = try hear(session(.sameDaemon, nowUs: 5_000, pausedUs: 5_000), at: 5_000)
    #expect(bridge.gameUs(atDaemonUs: 8_000) == 1_500)
  }

  @Test mutating func aPauseOfSomebodyElseThatStandsIsCountedOnceToAHoldOfTheGames() throws {
    _ = try hear(session())
    _ = bridge.hold(nowUs: 1_000)
    _ = hear(.told(.enginePaused(.init(sleep: false)), tUs: 1_000), at: 1_000)
    _ = hear(gone, at: 5_000)
    // Since 20 somebody else holds it too, of which the daemon told nobody who came later.
    _ = try hear(session(.sameDaemon, nowUs: 30_000, pausedUs: 20_000), at: 30_000)
    #expect(bridge.gameUs(atDaemonUs: 35_000) == 1_000)
    #expect(bridge.release(nowUs: 39_000) == [.letGo])
    _ = hear(.told(.engineResumed(.init(movedUs: 20_000)), tUs: 40_000), at: 40_000)
    #expect(bridge.gameUs(atDaemonUs: 40_000) == 1_000)
    #expect(bridge.gameUs(atDaemonUs: 41_000) == 2_000)
  }

  @Test(arguments: [ClockKind.live, .stepped]) mutating func whatRanOnBesideAPauseGoesOnFromThereAsItEnds(
    clock: ClockKind
  ) throws {
    _ = try hear(session(nowUs: 0, clock: clock))
    #expect(bridge.gameUs(atDaemonUs: 4_000) == 4_000)
    _ = hear(gone, at: 4_000)
    _ = try hear(session(.newDaemon, nowUs: 5_000, clock: clock, pausedUs: 3_000), at: 5_000)
    let reached = bridge.gameUs(atDaemonUs: 8_000)
    #expect(reached == (clock == .live ? 5_000 : 4_000), "another stepped clock is another's time")
    _ = hear(.told(.engineResumed(.init(movedUs: 6_000)), tUs: 9_000), at: 9_000)
    #expect(bridge.gameUs(atDaemonUs: 9_000) == reached)
    #expect(bridge.gameUs(atDaemonUs: 9_500) == reached + 500)
  }

  @Test mutating func onAnotherSteppedClockTheGameGoesOnWhereItWas() throws {
    _ = try hear(session(nowUs: 1_000_000, clock: .stepped))
    #expect(bridge.gameUs(atDaemonUs: 70_000_000) == 70_000_000)
    _ = hear(gone, at: 70_000_000)
    _ = try hear(session(.newDaemon, nowUs: 1_000_000, clock: .stepped), at: 1_000_000)
    #expect(bridge.gameUs(atDaemonUs: 1_000_000) == 70_000_000)
    #expect(bridge.gameUs(atDaemonUs: 1_500_000) == 70_500_000)
    // Of the same daemon the clock is the same.
    _ = hear(gone, at: 1_500_000)
    _ = try hear(session(.sameDaemon, nowUs: 1_500_000, clock: .stepped), at: 1_500_000)
    #expect(bridge.gameUs(atDaemonUs: 1_600_000) == 70_600_000)
  }

  // MARK: - Beats

  private func ahead(_ us: Int64) -> Event {
    .told(
      .musicBeatAhead(
        .init(track: "freefall:world1-track-a", beat: 0, bar: 0, beatInBar: 0, count: 0, bpm: 88, beatUs: us)), tUs: 0)
  }

  private func recalled(_ us: Int64) -> Event {
    .told(.musicBeatRecalled(.init(track: "freefall:world1-track-a", beat: 0, count: 0, beatUs: us)), tUs: 0)
  }

  @Test mutating func beatsAreToldInGameTime() throws {
    _ = try hear(session())
    _ = hear(ahead(1_000))
    #expect(game.beats.beat(atUs: 1_500)?.atUs == 1_000)
    _ = hear(.told(.enginePaused(.init(sleep: false)), tUs: 2_000))
    _ = hear(.told(.engineResumed(.init(movedUs: 5_000)), tUs: 7_000))
    _ = hear(ahead(9_000))
    #expect(game.beats.beat(atUs: 4_000)?.atUs == 4_000)
    #expect(game.beats.beat(atUs: 4_000)?.bpm == 88)
  }

  @Test mutating func aBeatThatIsRecalledIsNone() throws {
    _ = try hear(session())
    _ = hear(ahead(1_000))
    _ = hear(ahead(2_000))
    _ = hear(recalled(2_000))
    #expect(game.beats.beat(atUs: 3_000)?.atUs == 1_000)
  }
}
