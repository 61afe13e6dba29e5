// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import StarlightClient

/// The game with its socket and its state file. It belongs beside the drawing, on the thread that input comes on: what the player does is
/// heard as soon as it is handed over, however long a picture of `game`, a value, takes to draw. Nothing here waits. Instants are
/// the daemon's, as `Starlight.nowUs` tells them.
public struct FrontEnd<Chance: RandomNumberGenerator> {
  public private(set) var game: Game
  /// Cues that are not fired: for a test of the tests, which has to notice each.
  public var dropped: Set<String> = []
  private var notices: [String] = []
  private var bridge: Bridge
  private var chance: Chance
  private let starlight: Starlight
  private let events: Events
  private let state: StateFile
  /// Whether the last thing to be stored was.
  private var isStored = true

  /// A game at its menu, of the player that `state` keeps.
  public init(_ starlight: Starlight, rules: Rules, levels: [LevelName: Level], state: StateFile, chance: Chance) {
    self.starlight = starlight
    self.state = state
    self.chance = chance
    bridge = Bridge(rules: rules.play)
    events = starlight.events(of: [.beats, .engine])
    let stored = StoredProgress(reading: state.read(), rules: rules.worlds)
    game = Game(rules: rules, levels: levels, progress: stored.progress)
    if let notice = stored.notice {
      notices.append(notice)
      // Stored anew, so that it is said once.
      store(stored.progress)
    }
  }

  /// Whether an interruption, or the system's sleep, holds all; `release` lets it go on.
  public var stands: Bool { bridge.stands }

  /// How the background looks at an instant.
  public mutating func breathing(atUs us: Int64) -> Breathing { game.breathing(atUs: bridge.gameUs(atDaemonUs: us)) }

  /// The game's instant at one of the daemon's: what `game` is to be drawn at.
  public mutating func gameUs(atUs us: Int64) -> Int64 { bridge.gameUs(atDaemonUs: us) }

  /// Sentences to be shown to the player since they were asked for last.
  public mutating func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// Hears what the daemon told and lets the game come to `us`: every few milliseconds, whatever is drawn.
  public mutating func advance(toUs us: Int64) {
    for event in events.takeAll() { hear(event, us) }
    send(bridge.asks(atUs: us))
    carryOut(game.advance(toUs: bridge.gameUs(atDaemonUs: us), using: &chance))
  }

  /// A tap on the playing field, in points of the rules' screen.
  public mutating func tap(at point: Point, atUs us: Int64) {
    advance(toUs: us)
    guard !stands else { return }
    carryOut(game.tap(at: point, atUs: bridge.gameUs(atDaemonUs: us), using: &chance))
  }

  /// A button.
  public mutating func press(_ button: Button, atUs us: Int64) {
    advance(toUs: us)
    guard !stands else { return }
    carryOut(game.press(button, atUs: bridge.gameUs(atDaemonUs: us), using: &chance))
  }

  /// An interruption begins: game, sound and touch stand together.
  public mutating func hold(atUs us: Int64) { send(bridge.hold(nowUs: us)) }

  /// The player is back, after an interruption or the system's sleep: all goes on in place.
  public mutating func release(atUs us: Int64) {
    send(bridge.release(nowUs: us, isThere: starlight.session != nil))
  }

  private mutating func hear(_ event: Event, _ us: Int64) {
    switch event {
    // What still counts of what went with the connection is asked anew as there is another.
    case .refused(let refusal) where refusal.error.kind == .unanswered || refusal.error.kind == .notConnected: break
    // What goes on already needs no letting go; where it stands yet it is asked for again.
    case .refused(let refusal) where refusal.method == EngineResume.name: break
    // Nor an instant while all stands: it is asked for as all goes on.
    case .refused(let refusal) where refusal.method == MusicPlay.name && refusal.isForAllStands:
      send(bridge.hear(event, nowUs: us, game: &game))
    case .refused(let refusal):
      notices.append("\(refusal.method) was refused: \(refusal.error)")
    case .lost(let lost) where lost.connections > 0:
      // Whatever came and went, this stands now.
      if let session = starlight.session { send(bridge.hear(.connected(session), nowUs: us, game: &game)) }
    default: send(bridge.hear(event, nowUs: us, game: &game))
    }
  }

  private mutating func carryOut(_ outcomes: [Outcome]) {
    for case .store(let progress) in outcomes { store(progress) }
    send(bridge.asks(for: outcomes))
  }

  private mutating func send(_ asks: [Ask]) {
    for ask in asks {
      if case .fire(let cue) = ask, dropped.contains(cue.name) { continue }
      do throws(ClientError) {
        try starlight.send(ask)
      } catch {
        // A daemon that has just gone is told as an event; it is asked anew for what then still counts.
        if error.kind != .notConnected { notices.append("\(error)") }
      }
    }
  }

  private mutating func store(_ progress: Progress) {
    do {
      try state.write(StoredProgress.bytes(progress))
      isStored = true
    } catch {
      // Said once, until it succeeds again.
      if isStored { notices.append("\(error)") }
      isStored = false
    }
  }
}
