// SPDX-License-Identifier: Apache-2.0

/// The whole game: screens, levels and intermissions. It reads no clock and rolls no dice of its own; instants are
/// microseconds of one monotonic clock, and one that lies before the last counts as the last.
public struct Game: Equatable, Sendable {
  public let rules: Rules
  public let levels: [LevelName: Level]
  public private(set) var progress: Progress
  public private(set) var screen: Screen = .menu
  public private(set) var beats: BeatClock
  private var nowUs: Int64 = .min
  /// The music of a level that was asked for last; nil before the first, and from an intermission's beginning to its end.
  public private(set) var music: Cue?
  private var lastWord: CompletionWord?
  /// Whether a world was opened whose sound is still to come.
  private var hasOpenedWorld = false

  /// What is to be seen.
  public enum Screen: Equatable, Sendable {
    case menu
    case worlds
    case levels(world: Int)
    case level(LevelPlay)
    case intermission(Intermission)
  }

  /// A game at its menu. Levels that are not there cannot be entered.
  public init(rules: Rules, levels: [LevelName: Level], progress: Progress) {
    self.rules = rules
    self.levels = levels
    self.progress = progress
    beats = BeatClock(rules: rules.breathing)
    if !progress.switches.isMusicOn { beats.musicSwitched(isOn: false, atUs: 0) }
  }

  /// How the background looks at `us`.
  public func breathing(atUs us: Int64) -> Breathing {
    guard case .level(let play) = screen else { return .resting(rules.breathing) }
    return .at(us, sinceUs: play.breathesSinceUs, beat: beats.beat(atUs: us), rules: rules.breathing)
  }

  /// A beat of the music is, or will be, heard at its instant.
  public mutating func tell(_ beat: Beat) { beats.tell(beat) }

  /// A beat that was told ahead will not be heard.
  public mutating func recallBeat(atUs us: Int64) { beats.recall(atUs: us) }

  /// Lets time pass to `us`.
  public mutating func advance(toUs us: Int64, using chance: inout some RandomNumberGenerator) -> [Outcome] {
    nowUs = max(nowUs, us)
    beats.settle(atUs: nowUs)
    var outcomes: [Outcome] = []
    switch screen {
    case .level(var play):
      let events = play.advance(toUs: nowUs, last: lastWord, using: &chance)
      screen = .level(play)
      for event in events { take(event, of: play.level.name, into: &outcomes) }
    case .intermission(var intermission):
      let events = intermission.advance(toUs: nowUs, using: &chance)
      screen = .intermission(intermission)
      for event in events { take(event, of: intermission.after, into: &outcomes) }
    case .menu, .worlds, .levels: break
    }
    return outcomes
  }

  /// A tap on the playing field at `us`: it launches, flips or dodges.
  public mutating func tap(
    at point: Point, atUs us: Int64, using chance: inout some RandomNumberGenerator
  ) -> [Outcome] {
    var outcomes = advance(toUs: us, using: &chance)
    switch screen {
    case .level(var play):
      let events = play.tap(atUs: nowUs)
      screen = .level(play)
      for event in events { take(event, of: play.level.name, into: &outcomes) }
    case .intermission(var intermission):
      intermission.tap(x: point.x, atUs: nowUs)
      screen = .intermission(intermission)
    case .menu, .worlds, .levels: break
    }
    return outcomes
  }

  /// A button at `us`. One that does something sounds; any other does nothing and makes no sound.
  public mutating func press(
    _ button: Button, atUs us: Int64, using chance: inout some RandomNumberGenerator
  ) -> [Outcome] {
    var outcomes = advance(toUs: us, using: &chance)
    var done: [Outcome] = []
    let isDone =
      if case .toggle(let name) = button { toggle(name, &done) } else { follow(button, &done) }
    guard isDone else { return outcomes }
    // A switch is turned before its own button sounds: by its state at that instant the button is heard or not.
    if case .toggle = button {
      outcomes += done + [.cue(.button, atUs: nowUs)]
    } else {
      outcomes += [.cue(.button, atUs: nowUs)] + done
    }
    return outcomes
  }

  private mutating func toggle(_ name: Switches.Name, _ outcomes: inout [Outcome]) -> Bool {
    progress.switches[name].toggle()
    let isOn = progress.switches[name]
    if name == .music { beats.musicSwitched(isOn: isOn, atUs: nowUs) }
    outcomes += [.turned(name, isOn: isOn, atUs: nowUs), .store(progress)]
    return true
  }

  /// Where a button leads; false where it leads nowhere.
  private mutating func follow(_ button: Button, _ outcomes: inout [Outcome]) -> Bool {
    switch (screen, button) {
    case (.menu, .play): screen = .worlds
    case (.worlds, .back): screen = .menu
    case (.worlds, .world(let world)):
      guard progress.isOpen(world: world, rules: rules.worlds) else { return false }
      screen = .levels(world: world)
    case (.levels, .back): screen = .worlds
    case (.levels(let world), .level(let number)):
      let name = LevelName(world: world, number: number)
      guard progress.isOpen(name, rules: rules.worlds) else { return false }
      return enter(name, &outcomes)
    case (.level(var play), .pause):
      guard play.pause(atUs: nowUs) else { return false }
      screen = .level(play)
    case (.level(var play), .resume):
      guard play.resume(atUs: nowUs) else { return false }
      screen = .level(play)
    case (.level(let play), .back):
      switch play.state {
      case .ready, .paused: screen = .levels(world: play.level.name.world)
      case .playing, .dead, .complete, .over: return false
      }
    case (.level(let play), .next):
      guard case .over = play.state else { return false }
      return goOn(from: play.level.name, &outcomes)
    default: return false
    }
    return true
  }

  /// From a completion screen: into the intermission where one comes, else to the next level.
  private mutating func goOn(from name: LevelName, _ outcomes: inout [Outcome]) -> Bool {
    if rules.worlds.intermissionAfter.contains(name.number) {
      screen = .intermission(Intermission(after: name, rules: rules, beganUs: nowUs))
      music = nil
      outcomes.append(.cue(.intermission, atUs: nowUs))
      return true
    }
    guard let next = rules.worlds.next(after: name) else { return false }
    return enter(next, &outcomes)
  }

  private mutating func enter(_ name: LevelName, _ outcomes: inout [Outcome]) -> Bool {
    guard let level = levels[name] else { return false }
    screen = .level(LevelPlay(level, rules: rules))
    askForMusic(of: name, atUs: nowUs, &outcomes)
    return true
  }

  /// The music of a level, where another plays: what plays already goes on.
  private mutating func askForMusic(of name: LevelName, atUs us: Int64, _ outcomes: inout [Outcome]) {
    let cue = Cue.music(name, rules: rules.worlds)
    guard music != cue else { return }
    music = cue
    beats.trackBegins(bpm: rules.worlds.bpm(name), atUs: us)
    outcomes.append(.cue(cue, atUs: us))
  }

  private mutating func take(_ event: LevelPlay.Event, of name: LevelName, into outcomes: inout [Outcome]) {
    switch event {
    case .launched: break
    case .flipped(let atUs): outcomes.append(.cue(.flip, atUs: atUs))
    case .collected(_, let atUs): outcomes.append(.cue(.collect, atUs: atUs))
    case .died(let atUs): outcomes.append(.cue(.death, atUs: atUs))
    case .reachedGoal(let finish, let atUs):
      let wasOpen = progress.isOpen(world: name.world + 1, rules: rules.worlds)
      progress.complete(name)
      progress.add(score: finish.points.total, world: name.world)
      if !wasOpen, progress.isOpen(world: name.world + 1, rules: rules.worlds) { hasOpenedWorld = true }
      outcomes += [.cue(.goal, atUs: atUs), .store(progress)]
    case .said(let word, let atUs):
      lastWord = word
      outcomes.append(.cue(.levelComplete, atUs: atUs))
    }
  }

  private mutating func take(_ event: Intermission.Event, of name: LevelName, into outcomes: inout [Outcome]) {
    switch event {
    case .died(let death):
      progress.add(score: death.points, world: name.world)
      outcomes += [.cue(.intermissionDeath, atUs: death.atUs), .store(progress)]
    case .ended(let atUs): leaveIntermission(after: name, atUs: atUs, &outcomes)
    }
  }

  /// After it the next level of the world; after the world's last the worlds, after the last world's the menu.
  private mutating func leaveIntermission(after name: LevelName, atUs us: Int64, _ outcomes: inout [Outcome]) {
    var next = LevelName(world: 1, number: 1)
    if let following = rules.worlds.next(after: name), let level = levels[following] {
      screen = .level(LevelPlay(level, rules: rules))
      next = following
    } else if name.world < rules.worlds.count {
      screen = .worlds
      next = LevelName(world: name.world + 1, number: 1)
      if hasOpenedWorld { outcomes.append(.cue(.worldUnlock, atUs: us)) }
    } else {
      screen = .menu
    }
    hasOpenedWorld = false
    askForMusic(of: next, atUs: us, &outcomes)
  }
}
