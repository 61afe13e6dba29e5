// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Outcomes
import Timing

/// The haptic players of all clients: a mirror of what the devices play, kept for truth and for telling.
struct HapticBoard {
  /// Whose player it is and what becomes of it when they go.
  struct Owner {
    var cause: Cause
    var source: String
    /// The pack whose files its pattern may name, as it was read when it was asked for; nothing for what a client sent.
    var pack: PackGeneration?
    /// The pads it is felt on, as its client named them; nil for all.
    var device: String?
    /// The cue that it is part of.
    var cue: PlanID?
    var keepAfterDisconnect: Interval
    /// When it begins.
    fileprivate(set) var at = Instant.distantPast
    /// The earliest stop it was given, and why.
    fileprivate(set) var stop: (at: Instant, reason: HapticStopReason)?
    /// Whether its client has gone.
    fileprivate(set) var hasLeft = false
    /// Whose voices those of its pattern's sounds are.
    var voiceOwner: UInt64 { hasLeft ? VoiceOwner.gone(of: cause.user) : cause.client.rawValue }
  }

  /// More than can be told apart, beside the first `ownOfAClient` of each client. All clients together leave some to the daemon, so
  /// that a chapter is felt whatever they do.
  static let mostPlayers = 48
  static let mostPlayersOfClients = mostPlayers - 4
  static let mostPlayersOfAUser = 32
  static let mostPlayersOfAClient = 16
  /// What each client that is there has to itself, whatever others play.
  static let ownOfAClient = 1
  /// As many clients find it.
  static let mostOwners = 64
  /// Of what a user shares, and of what all clients do, only who has fewer than `fewPlayers` may take the last.
  static let keptForFew = 8
  static let fewPlayers = 4
  /// At most 50 levels a second are told, which is what drawing needs.
  static let levelSpacing = Interval.milliseconds(20)
  /// How often a level is looked at within that time before one is waited for: changes may follow each other by
  /// microseconds, and none of them be felt.
  static let mostLooks = 8

  var mixer = HapticMixer()
  /// What happened to players and is still to be told.
  var untold: [HapticPlayerEvent] = []
  var audio = HapticAudioBoard()
  /// Planned stops of a pattern's players, or of all, that have not been handed out yet.
  var stops = PlanQueue<PlannedHapticStop>()
  /// Those of them that are no step of a cue, by which a client's second of the same for the same instant is left out.
  var waitingStops = WaitingStops<AssetKey?>()
  var changes = HapticChanges()
  /// Stops that were handed out ahead of their instant: a player that is started meanwhile, to begin before it, is stopped by
  /// them too.
  private(set) var stopsAhead: [(stop: PlannedHapticStop, at: Instant)] = []
  /// Stops before this instant were dropped from `stopsAhead`.
  private var stopsKeptFrom = Instant.distantPast
  private(set) var owners: [HapticPlayerID: Owner] = [:]
  /// How many they are.
  private(set) var counts = PlayerCounts()
  /// Of clients that set one.
  private var gains: [ClientID: Double] = [:]
  private var nextPlayer: UInt64 = 1
  private(set) var nextLevel = Instant.distantPast
  /// How often levels were looked at since `lookingSince`.
  private var looks = 0
  private var lookingSince = Instant.distantPast
  /// What players do is told at its instant up to 1,000 times a second; beyond that not before `nextTurn`, together.
  private var turns = ChangeAllowance()
  private var nextTurn = Instant.distantPast
  private(set) var lastLevel = HapticLevel(intensity: 0, sharpness: 0)
  /// Where the engine stood, on the clock, when a level was held last.
  private var levelHeldAt: Instant?

  mutating func makePlayer(_ owner: Owner, at instant: Instant) -> HapticPlayerID {
    defer { nextPlayer += 1 }
    let player = HapticPlayerID(rawValue: nextPlayer)
    owners[player] = owner
    owners[player]?.at = instant
    counts.add(owner.cause)
    return player
  }

  /// By what everything that a client plays is multiplied.
  func gain(of client: ClientID) -> Double { gains[client] ?? 1 }

  mutating func setGain(_ gain: Double?, of client: ClientID) { gains[client] = gain }

  /// Notes that a player's client has gone.
  mutating func noteLeft(_ player: HapticPlayerID) {
    guard let place = owners.index(forKey: player), !owners.values[place].hasLeft else { return }
    owners.values[place].hasLeft = true
    counts.noteLeft(owners.values[place].cause)
    audio.pass(player, to: owners.values[place].voiceOwner)
  }

  mutating func remove(_ player: HapticPlayerID) {
    if let owner = owners.removeValue(forKey: player) { counts.remove(owner.cause, hasLeft: owner.hasLeft) }
    audio.forget(player)
    changes.forget(player)
  }

  /// Notes why a player will be stopped at an instant; the first of several stops is the one that counts.
  mutating func noteStop(of player: HapticPlayerID, at instant: Instant, _ reason: HapticStopReason) {
    guard let owner = owners[player] else { return }
    if let stop = owner.stop, stop.at <= instant { return }
    owners[player]?.stop = (instant, reason)
    changes.forget(player, from: instant)
  }

  /// Notes a stop of many that is handed out; those before `now` are past.
  mutating func noteAhead(_ stop: PlannedHapticStop, at instant: Instant, now: Instant) {
    // Once for each instant: as many as there may be come at once.
    if now > stopsKeptFrom {
      stopsAhead.removeAll { $0.at < now }
      stopsKeptFrom = now
    }
    stopsAhead.append((stop, instant))
  }

  /// Every player, in the order of their starts.
  var players: [HapticPlayerID] { owners.keys.sorted { $0.rawValue < $1.rawValue } }

  func players(of client: ClientID) -> [HapticPlayerID] {
    owners.filter { $0.value.cause.client == client }.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// The level to tell at `now`, if it is time and it changed.
  mutating func levelToTell(at now: Instant) -> HapticLevel? {
    guard now >= nextLevel else { return nil }
    if now >= lookingSince + Self.levelSpacing { (looks, lookingSince) = (0, now) }
    looks += 1
    let level = mixer.level(at: now)
    guard level != lastLevel else {
      if looks >= Self.mostLooks { nextLevel = lookingSince + Self.levelSpacing }
      return nil
    }
    lastLevel = level
    nextLevel = now + Self.levelSpacing
    return level
  }

  /// The engine has come to stand: nothing is felt until it goes on, nor is a level told before. Whether that is to be told, which
  /// it is of each pause once.
  mutating func holdLevel(of hold: EngineClock.Hold) -> Bool {
    guard hold.stoppedAt != levelHeldAt else { return false }
    levelHeldAt = hold.stoppedAt
    guard lastLevel.intensity > 0 else { return false }
    lastLevel = HapticLevel(intensity: 0, sharpness: 0)
    nextLevel = hold.at
    return true
  }

  /// Players took so many turns, which are told, at `now`.
  mutating func noteTurns(_ count: Int, at now: Instant) {
    guard count > 0 else { return }
    for _ in 0..<count where !turns.takes(at: now) { turns.spend(1, at: now) }
    if turns.isSpent { nextTurn = now + mixer.denseSpan }
  }

  /// When there is something to do next.
  var nextDeadline: Instant? {
    guard mixer.hasAudio || !audio.sounds.isEmpty else { return nextTelling }
    return earliest(earliest(nextTelling, audio.nextLook), audio.unheard.next)
  }

  /// A player's start, loop or end, or a level to tell.
  private var nextTelling: Instant? {
    // What players do is told at its instant, where they do less than 1,000 things a second; a level that moves at the spacing.
    let boundary = mixer.nextBoundary.map { max($0, nextTurn) }
    // A level is sampled only where that may come first: it asks all players.
    if let boundary, boundary <= nextLevel { return boundary }
    let isOwed = mixer.level(at: mixer.now) != lastLevel
    let level = isOwed ? nextLevel : mixer.nextChange(after: mixer.now).map { max($0, nextLevel) }
    return earliest(boundary, level)
  }
}
