// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallLevels
import FreefallRules
import StarlightClient

/// The game with its socket and its state file. It belongs beside the drawing, on the thread that input comes on: what the player does is
/// heard as soon as it is handed over, however long a picture of `game`, a value, takes to draw. Nothing here waits, neither for the
/// daemon nor for the disk, except as a game begins, which reads what is stored, and as its program ends (`finish`). Instants are the
/// daemon's, as `Starlight.nowUs` tells them.
public struct FrontEnd<Chance: RandomNumberGenerator> {
  public private(set) var game: Game
  /// Cues that are not fired: for a test of the tests, which has to notice each.
  public var dropped: Set<String> = []
  private var notices: [String] = []
  private var bridge: Bridge
  private var chance: Chance
  private let starlight: Starlight
  private let events: Events
  private let writer: StateWriter
  /// Whether the last thing to be stored was, as far as is known.
  private var isStored = true

  /// A game at its menu, of the player that `state` keeps.
  public init(_ starlight: Starlight, rules: Rules, levels: [LevelName: Level], state: StateFile, chance: Chance) {
    self.init(
      starlight, rules: rules, levels: levels, stored: state.read(), writer: StateWriter(state), chance: chance)
  }

  /// The same of a player of whom these bytes were stored.
  init(
    _ starlight: Starlight, rules: Rules, levels: [LevelName: Level], stored bytes: Data?, writer: StateWriter,
    chance: Chance
  ) {
    self.starlight = starlight
    self.writer = writer
    self.chance = chance
    bridge = Bridge(rules: rules.play)
    events = starlight.events(of: [.beats, .engine])
    let stored = StoredProgress(reading: bytes, rules: rules.worlds)
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
    hear(writer.takeOutcome())
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

  /// The game's program ends: waits until what is to be stored is, so long at most. Whether it is; a reason why not is among the
  /// notices. Who is killed before loses what was completed in the last milliseconds.
  @discardableResult public mutating func finish(within limit: Duration = .seconds(5)) -> Bool {
    hear(writer.finish(within: limit))
    return isStored
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
    // What is to be heard comes first.
    send(bridge.asks(for: outcomes))
    for case .store(let progress) in outcomes { store(progress) }
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
      writer.store(try StoredProgress.bytes(progress))
    } catch {
      isNotStored("\(error)")
    }
  }

  private mutating func hear(_ outcome: StateWriter.Outcome?) {
    switch outcome {
    case .failed(let problem)?: isNotStored("\(problem)")
    case .stored?:
      if !isStored { notices.append("Progress is stored again.") }
      isStored = true
    case nil: break
    }
  }

  /// Said once, until it is stored again.
  private mutating func isNotStored(_ reason: String) {
    if isStored { notices.append(reason) }
    isStored = false
  }
}
