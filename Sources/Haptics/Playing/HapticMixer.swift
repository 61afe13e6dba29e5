// SPDX-License-Identifier: Apache-2.0

import Partitioning
import Timing

/// Plays any number of patterns at once: told what is to happen and when, it answers what is to be felt at an instant.
///
/// A value without clock or thread: whoever holds it says what time it is with `advance(to:)`. Commands may be given
/// long before their instant; several for one instant happen in the order given.
public struct HapticMixer: Sendable {
  /// Commands still to come, the next of them last: by their instants, then by arrival.
  private(set) var pending: [(at: Instant, command: HapticCommand)] = []
  /// In order of arrival.
  var players: [HapticPlayer] = []
  /// How families are driven, but for those that are as if they never had been.
  private var families: [HapticFamilyID: HapticFamily] = [:]
  /// Those of them that are on their way.
  private var movingFamilies: Set<HapticFamilyID> = []
  /// What happened on being told, to be handed out by the next `advance(to:)`.
  private var unreported: [HapticPlayerEvent] = []
  private var volume = 1.0
  /// Whether players may begin and loops go on: the player's switch.
  private(set) var isEnabled = true
  /// Whether nothing is felt because the player wants it so.
  var isMuted: Bool { volume == 0 }
  private var gain = 1.0
  /// The instant up to which everything has happened.
  public private(set) var now: Instant

  /// A mixer with nothing to play.
  public init(now: Instant = .distantPast) { self.now = now }

  /// Takes a command in; one whose instant is not after `now` takes effect at once. A player is there, to be told more,
  /// from when its start is taken in.
  public mutating func apply(_ command: HapticCommand) {
    if case .start = command { return perform(command, at: now) }
    // Who begins at this very instant was asked for before the switch was turned.
    if case .enable(_, let at) = command, at <= now { unreported = advance(to: now) }
    guard let at = command.instant, at > now else { return perform(command, at: now) }
    if let id = command.player, !players.contains(where: { $0.id == id }) { return }
    if case .stop(let id, _) = command {
      // The first stop is the end, and nothing that waits for a player matters after it.
      if pending.contains(where: { $0.at <= at && $0.command.isStop(of: id) }) { return }
      pending.removeAll { $0.at >= at && $0.command.player == id }
    }
    let place = pending.partitioningIndex { $0.at <= at }
    pending.insert((at, command), at: place)
  }

  /// What is to be felt at `instant`, not before `now`.
  public func level(at instant: Instant) -> HapticLevel {
    if isMuted { return .silence }
    var blend = HapticBlend()
    forEachPlayer(at: instant) { $0.add(to: &blend, at: instant) }
    return blend.level(gain: gain * volume)
  }

  /// The names of what is felt at `instant`, not before `now`, each once, in order of arrival.
  public func activeSources(at instant: Instant) -> [String] {
    if isMuted || gain == 0 { return [] }
    var sources: [String] = []
    forEachPlayer(at: instant) { player in
      var blend = HapticBlend()
      player.add(to: &blend, at: instant)
      if !blend.isSilent && !sources.contains(player.source) { sources.append(player.source) }
    }
    return sources
  }

  /// The next instant after `instant` (not before `now`) at which the level may differ or a player loop or end; a moving
  /// level is asked for every `step`. Nil when nothing will change unless told.
  public func nextChange(after instant: Instant, step: Interval = HapticPattern.rampStep) -> Instant? {
    if needsAdvance(to: instant) {
      var later = self
      _ = later.advance(to: instant)
      return later.nextChange(after: instant, step: step)
    }
    var next = pending.last?.at
    forEachPlayer { player in
      next = earliest(next, player.turnInstant)
      if !isMuted { next = earliest(next, player.nextChange(after: instant, step: step)) }
    }
    return next
  }

  /// Lets time pass up to and including `instant`, and tells what happened since the last call, in order of instants.
  public mutating func advance(to instant: Instant) -> [HapticPlayerEvent] {
    var turn = nextTurn
    while let at = earliest(pending.last?.at, turn), at <= instant {
      now = max(now, at)
      // A player that ends at the instant of a command has ended before it.
      if turn == at {
        turn = turnPlayers(at: at, before: min(instant, pending.last?.at ?? instant))
      } else {
        let command = pending.removeLast().command
        perform(command, at: at)
        if command.movesTurns { turn = nextTurn }
      }
    }
    now = max(now, instant)
    for index in players.indices { players[index].forget(before: now) }
    if !movingFamilies.isEmpty { forgetFamilies() }
    defer { unreported = [] }
    return unreported
  }

  /// What was said of families about times before now: to ask all that ever were driven would take as long as there are packs.
  private mutating func forgetFamilies() {
    let moving = movingFamilies
    movingFamilies = []
    for id in moving {
      families[id]?.forget(before: now)
      guard let family = families[id] else { continue }
      if family.isMoving { movingFamilies.insert(id) } else if family.isNeutral { families[id] = nil }
    }
  }

  /// How many commands wait for their instant.
  public var pendingCount: Int { pending.count }

  /// The players that will have begun by `instant`, not before `now`, and repeat, paused ones included.
  public func loopingPlayers(at instant: Instant) -> [HapticPlayerID] {
    var looping: [HapticPlayerID] = []
    forEachPlayer(at: instant) { if $0.hasStarted && $0.loops { looping.append($0.id) } }
    return looping
  }

  /// Whether a player, if nothing more is said, neither repeats nor is paused before it is over, or before `limit`.
  public func playsOnce(_ id: HapticPlayerID, until limit: Instant) -> Bool {
    func playsOnce(_ player: HapticPlayer) -> Bool { !player.loops && !player.isPaused }
    guard let player = players.first(where: { $0.id == id }), playsOnce(player) else { return false }
    let waiting = pending.filter { $0.at <= limit && $0.command.keepsFromEnding(id) }
    // Mostly nothing waits for it.
    if waiting.isEmpty { return true }
    var ahead = self
    ahead.keepOnly(id)
    for (at, _) in waiting.reversed() {
      _ = ahead.advance(to: at)
      guard let player = ahead.players.first(where: { $0.id == id }) else { return true }
      if !playsOnce(player) { return false }
    }
    return true
  }

  /// The players that are to start or have started and not ended, paused ones included, in order of arrival.
  public var activePlayers: [HapticPlayerID] { players.map(\.id) }

  /// Where in its pattern a player stands at `instant`, not before `now`; nil when it is not there.
  public func position(of id: HapticPlayerID, at instant: Instant) -> Interval? {
    var position: Interval?
    forEachPlayer(at: instant) {
      if $0.id == id { position = $0.hasStarted ? $0.position(at: instant) : $0.firstPosition }
    }
    return position
  }
}

extension HapticMixer {
  /// The next instant at which a command takes effect or a player starts, loops or ends.
  public var nextBoundary: Instant? { earliest(pending.last?.at, nextTurn) }

  private var nextTurn: Instant? {
    var next: Instant?
    forEachPlayer { next = earliest(next, $0.turnInstant) }
    return next
  }

  private func needsAdvance(to instant: Instant) -> Bool {
    guard let at = earliest(pending.last?.at, nextTurn) else { return false }
    return at <= instant
  }

  private func forEachPlayer(at instant: Instant, _ body: (borrowing HapticPlayer) -> Void) {
    if !needsAdvance(to: instant) {
      forEachPlayer(body)
    } else if turnApart(by: instant) {
      forEachPlayer { if let later = turned($0, by: instant) { body(later) } }
    } else {
      var later = self
      _ = later.advance(to: instant)
      later.forEachPlayer(body)
    }
  }

  /// Each player where it stands, lent: a copy would count anew all that a player holds on to.
  func forEachPlayer(_ body: (borrowing HapticPlayer) -> Void) {
    let players = players.span
    for index in players.indices { body(players[index]) }
  }

  /// Has those turn whose turn comes at `instant`; when the next of all comes.
  private mutating func turnPlayers(at instant: Instant, before horizon: Instant) -> Instant? {
    var finished: [HapticPlayerID] = []
    var next: Instant?
    for index in players.indices {
      let turn = players[index].turnInstant
      guard turn == instant else {
        next = earliest(next, turn)
        continue
      }
      let (id, hasStarted) = (players[index].id, players[index].hasStarted)
      guard let event = isEnabled ? players[index].takeTurn(at: instant, before: horizon) : nil else {
        unreported.append(hasStarted ? .finished(id, at: instant) : .skipped(id, at: instant))
        finished.append(id)
        continue
      }
      unreported.append(event)
      next = earliest(next, players[index].turnInstant)
      // Who ends another came after it.
      if case .started = event, let replaced = players[index].replaced, !finished.contains(replaced),
        let other = players[..<index].first(where: { $0.id == replaced })
      {
        unreported.append(other.hasStarted ? .replaced(replaced, at: instant) : .cancelled(replaced, at: instant))
        finished.append(replaced)
      }
    }
    if finished.isEmpty { return next }
    players.removeAll { finished.contains($0.id) }
    for id in finished { forget(id) }
    return nextTurn
  }

  /// Forgets all players but one and those that may end it, and what waits for them.
  mutating func keepOnly(_ id: HapticPlayerID) {
    let kept = replacers(of: id)
    players.removeAll { !kept.contains($0.id) }
    pending.removeAll { entry in entry.command.player.map { !kept.contains($0) } ?? false }
  }

  /// Drops what waits for a player that has ended: it would count against those that play.
  private mutating func forget(_ id: HapticPlayerID) { pending.removeAll { $0.command.player == id } }

  private mutating func perform(_ command: HapticCommand, at instant: Instant) {
    switch command {
    case .start(let id, let pattern, let source, let at, let options):
      stop(id, at: instant)
      var player = HapticPlayer(id, pattern, source: source, at: at, options: options)
      if let family = options.family.flatMap({ families[$0] }) { player.driven = family }
      players.append(player)
    case .stop(let id, _): stop(id, at: instant)
    case .stopAll:
      for player in players {
        unreported.append(player.ended(at: instant))
        forget(player.id)
      }
      players = []
    case .fadeOut(let id, let length, _): update(id) { $0.fadeOut(over: length, at: instant) }
    case .pause(let id, _): update(id) { $0.pause(at: instant) }
    case .resume(let id, _): update(id) { $0.resume(at: instant) }
    case .seek(let id, let position, _): update(id) { $0.seek(to: position, at: instant) }
    case .set(let id, let change, _): update(id) { $0.change(change, at: instant) }
    case .sendParameters(let id, let parameters, _):
      update(id) { player in
        for parameter in parameters { player.insert(parameter.curve, at: instant) }
      }
    case .scheduleCurve(let id, let curve, _): update(id) { $0.insert(curve, at: instant) }
    case .enable(let isOn, _): isEnabled = isOn
    case .drive(let id, let value, let points, let origin):
      families[id, default: HapticFamily()].drive(value, points, from: origin)
      movingFamilies.insert(id)
      for index in players.indices where players[index].family == id {
        players[index].driven.drive(value, points, from: origin)
      }
    case .volume(let new): volume = unitClamp(new)
    case .gain(let new): gain = unitClamp(new)
    }
  }

  private mutating func stop(_ id: HapticPlayerID, at instant: Instant) {
    guard let index = players.firstIndex(where: { $0.id == id }) else { return }
    unreported.append(players[index].ended(at: instant))
    players.remove(at: index)
    forget(id)
  }

  private mutating func update(_ id: HapticPlayerID, _ change: (inout HapticPlayer) -> Void) {
    guard let index = players.firstIndex(where: { $0.id == id }) else { return }
    change(&players[index])
  }
}

extension HapticPlayer {
  /// What is told of one that is stopped.
  fileprivate func ended(at instant: Instant) -> HapticPlayerEvent {
    hasStarted ? .stopped(id, at: instant) : .cancelled(id, at: instant)
  }
}

extension HapticCommand {
  /// Whether players may begin, loop or end at another instant for it. Asking all of them takes longer than to set one's controls.
  fileprivate var movesTurns: Bool {
    switch self {
    case .sendParameters, .scheduleCurve, .fadeOut, .drive, .volume, .gain: false
    case .set(_, .gain, _), .set(_, .ownerGain, _), .set(_, .muted, _): false
    default: true
    }
  }

  fileprivate func isStop(of player: HapticPlayerID) -> Bool {
    if case .stop(player, _) = self { true } else { false }
  }

  /// Whether a player of which it is told may never end.
  fileprivate func keepsFromEnding(_ player: HapticPlayerID) -> Bool {
    switch self {
    case .pause(player, _), .set(player, .loops(true), _): true
    default: false
    }
  }
}
