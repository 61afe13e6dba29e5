// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// What stands on the screen at one look, read of what is to be drawn and of nothing else: neither outcomes nor cues, so that
/// one that is missing is missed.
struct Sight: Equatable {
  enum Screen: Equatable {
    case menu
    /// With so many cards open.
    case worlds(open: Int)
    case levels(world: Int)
    case level(LevelName, Stage)
    case intermission(after: LevelName, isOver: Bool)
  }

  /// How a level looks.
  enum Stage: Equatable {
    case ready
    case playing
    /// The ball is broken.
    case dead
    /// The ball is in the goal, and no word is there yet.
    case complete
    case word(String)
    case paused
  }

  let screen: Screen
  /// Where the ball falls to; nil while none falls.
  let fallsDown: Bool?
  /// Collectibles that are gone.
  let taken: Int
  /// The three switches in their corner.
  let switches: Switches
  /// The most cards that were seen open on the world screen.
  let openWorlds: Int

  /// A look, by somebody who saw `before` last.
  init(_ game: Game, after before: Sight? = nil) {
    switches = game.progress.switches
    var (fallsDown, taken): (Bool?, Int) = (nil, 0)
    switch game.screen {
    case .menu: screen = .menu
    case .worlds: screen = .worlds(open: Self.open(game))
    case .levels(let world): screen = .levels(world: world)
    case .level(let play):
      let stage = Stage(play.state)
      screen = .level(play.level.name, stage)
      fallsDown = play.attempt?.ball.isGravityDown
      taken = play.attempt?.isCollected.count(where: \.self) ?? 0
    case .intermission(let intermission):
      screen = .intermission(after: intermission.after, isOver: intermission.death != nil)
    }
    self.fallsDown = fallsDown
    self.taken = taken
    // Who looks for the first time knows what was open when the game began.
    let known = before?.openWorlds ?? Self.open(game)
    openWorlds = if case .worlds(let open) = screen { max(known, open) } else { known }
  }

  private static func open(_ game: Game) -> Int {
    (1...game.rules.worlds.count).count { game.progress.isOpen(world: $0, rules: game.rules.worlds) }
  }

  /// The level on the screen, and how it looks.
  var level: (name: LevelName, stage: Stage)? {
    if case .level(let name, let stage) = screen { (name, stage) } else { nil }
  }
}

extension Sight.Stage {
  init(_ state: LevelPlay.State) {
    self =
      switch state {
      case .ready: .ready
      case .playing: .playing
      case .dead: .dead
      case .complete: .complete
      case .over(_, let word): .word(word.rawValue)
      case .paused: .paused
      }
  }
}

extension Sight {
  /// What is seen to have happened since a look before, in words of the log. Switches come first.
  func changes(since before: Sight, atUs us: Int64) -> [PlayLog.Line] {
    var lines: [PlayLog.Line] = []
    func note(_ what: String, count: Int? = nil, name: String? = nil, isOn: Bool? = nil) {
      lines.append(PlayLog.Line(what, atUs: us, count: count, name: name, isOn: isOn))
    }
    for (name, word) in [(Switches.Name.music, "music"), (.effects, "sound"), (.haptics, "touch")]
    where switches[name] != before.switches[name] {
      note(word + " switch", isOn: switches[name])
    }
    if let level, level.name == before.level?.name {
      // In flight, and where a flight has just ended.
      if before.level?.stage == .playing {
        if taken > before.taken { note("collected", count: taken - before.taken) }
        if let fallsDown, let fellDown = before.fallsDown, fallsDown != fellDown { note("flipped") }
      }
      if let stage = before.level?.stage, let word = level.stage.word(after: stage) {
        note(word, name: level.stage.completionWord)
      }
    }
    if case .intermission(let after, isOver: true) = screen,
      before.screen == .intermission(after: after, isOver: false)
    {
      note("crashed")
    }
    if place != before.place { note(place.what, name: place.name) }
    if case .worlds(let open) = screen, case .intermission = before.screen, open > before.openWorlds {
      note("world opened", name: "\(open)")
    }
    return lines
  }

  /// Where the player is, as the log says it.
  var place: (what: String, name: String?) {
    switch screen {
    case .menu: ("menu", nil)
    case .worlds: ("worlds", nil)
    case .levels(let world): ("levels", "\(world)")
    case .level(let name, _): ("level", name.text)
    case .intermission(let after, _): ("intermission", after.text)
    }
  }
}

extension Sight.Stage {
  /// What is seen to have happened where a level looked like `before`, and looks like this now.
  fileprivate func word(after before: Self) -> String? {
    guard self != before else { return nil }
    return switch self {
    case .playing: before == .paused ? "resumed" : "launched"
    case .ready: before == .paused ? "resumed" : "ready"
    case .dead: "died"
    case .complete: "goal"
    case .word: "word"
    case .paused: "stopped"
    }
  }

  fileprivate var completionWord: String? { if case .word(let word) = self { word } else { nil } }
}
