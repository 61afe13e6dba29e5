import Haptics
import Timing
import Wire

/// The haptic players of all clients: a mirror of what the devices play, kept for truth and for telling.
struct HapticBoard {
  /// Whose player it is and what becomes of it when they go.
  struct Owner {
    var client: ClientID
    var source: String
    var keepAfterDisconnect: Interval
    /// The pack whose files its pattern may name; nothing for what a client sent.
    var pack: String?
    /// The pads it is felt on, as its client named them; nil for all.
    var device: String?
    /// The earliest stop it was given, and why.
    fileprivate(set) var stop: (at: Instant, reason: HapticsChanged.StopReason)?

    init(
      client: ClientID, source: String, pack: String? = nil, device: String? = nil, keepAfterDisconnect: Interval
    ) {
      self.client = client
      self.source = source
      self.pack = pack
      self.device = device
      self.keepAfterDisconnect = keepAfterDisconnect
    }
  }

  /// More than can be told apart. A client may have most of them, all clients together leave some to the daemon, so that a
  /// chapter is felt whatever they do.
  static let mostPlayers = Limits().hapticPlayers
  static let mostPlayersOfAClient = Limits().hapticPlayersOfAClient
  static let mostPlayersOfClients = mostPlayers - Limits().hapticPlayersReserved
  /// Changes that wait for their instant: eight seconds of 120 a second. Players of one client may have half of them.
  static let mostPending = 1_024
  static let mostPendingOfAClient = mostPending / 2
  /// At most 50 levels a second are told, which is what drawing needs.
  static let levelSpacing = Interval.milliseconds(20)

  var mixer = HapticMixer()
  var audio = HapticAudio()
  private(set) var owners: [HapticPlayerID: Owner] = [:]
  /// Of clients that set one.
  private var gains: [ClientID: Double] = [:]
  private var nextPlayer: UInt64 = 1
  private(set) var nextLevel = Instant.distantPast
  private(set) var lastLevel = HapticLevel(intensity: 0, sharpness: 0)

  mutating func makePlayer(_ owner: Owner) -> HapticPlayerID {
    defer { nextPlayer += 1 }
    let player = HapticPlayerID(rawValue: nextPlayer)
    owners[player] = owner
    return player
  }

  /// By what everything that a client plays is multiplied.
  func gain(of client: ClientID) -> Double { gains[client] ?? 1 }

  mutating func setGain(_ gain: Double?, of client: ClientID) { gains[client] = gain }

  mutating func remove(_ player: HapticPlayerID) {
    owners[player] = nil
    audio.forget(player)
  }

  /// Notes why a player will be stopped at an instant; the first of several stops is the one that counts.
  mutating func noteStop(of player: HapticPlayerID, at instant: Instant, _ reason: HapticsChanged.StopReason) {
    guard let owner = owners[player] else { return }
    if let stop = owner.stop, stop.at <= instant { return }
    owners[player]?.stop = (instant, reason)
  }

  /// Every player, in the order of their starts.
  var players: [HapticPlayerID] { owners.keys.sorted { $0.rawValue < $1.rawValue } }

  func players(of client: ClientID) -> [HapticPlayerID] {
    owners.filter { $0.value.client == client }.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// The level to tell at `now`, if it is time and it changed.
  mutating func levelToTell(at now: Instant) -> HapticLevel? {
    guard now >= nextLevel else { return nil }
    let level = mixer.level(at: now)
    guard level != lastLevel else { return nil }
    lastLevel = level
    nextLevel = now + Self.levelSpacing
    return level
  }

  /// When there is something to do next.
  var nextDeadline: Instant? {
    guard mixer.hasAudio || !audio.sounds.isEmpty else { return nextTelling }
    return min(nextTelling ?? .distantFuture, audio.nextLook)
  }

  /// A player's start, loop or end, or a level to tell.
  private var nextTelling: Instant? {
    guard let change = mixer.nextChange(after: mixer.now) else {
      return lastLevel.intensity > 0 ? nextLevel : nil
    }
    // Players that end are told at their instant; a level that moves is told at the spacing.
    return owners.isEmpty ? max(change, nextLevel) : change
  }
}
