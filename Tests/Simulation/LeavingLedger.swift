// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Wire

/// What clients leave behind: what repeats fades over 50 ms as they go or when it was kept for long enough, what has not begun by
/// then never does, and what plays once and has begun finishes.
struct LeavingLedger {
  /// What is heard or felt, by its id; or all that repeats of a cue, by the cue's.
  enum Part: Hashable {
    case sound(Int64)
    case player(Int64)
    case loopsHeard(Int64)
    case loopsFelt(Int64)

    fileprivate var isFelt: Bool {
      switch self {
      case .player, .loopsFelt: true
      case .sound, .loopsHeard: false
      }
    }
  }

  private struct Promise {
    var client: Int
    var scheduledUs: Int64
    var lifetime: Lifetime
    /// Whether anybody did anything to it: nothing is known of how it goes on, then.
    var isChanged = false
  }

  private struct Orphan {
    /// When its client went.
    var leftUs: Int64
    /// How much later nothing of it begins any more.
    var keptUs: Int64
    /// How much later it fades, where it is not over by itself.
    var lastsUs: Int64
    var scheduledUs: Int64
    var loops: Bool
    /// Whether it is felt and was to finish.
    var finishes = false

    init(_ known: Promise, at us: Int64) {
      (leftUs, scheduledUs, loops) = (us, known.scheduledUs, known.lifetime.loops)
      (keptUs, lastsUs) = (known.lifetime.keptUs, known.lifetime.keptUs)
    }
  }

  /// What fades because its client has gone.
  private static let fadeUs: Int64 = 50_000
  /// What is heard is changed by the mixer's look-ahead of 1 ms later than it is asked for, and told with the frame of that: within a
  /// period, of 256 frames. Instants are told in whole microseconds.
  private static let heardUs: Int64 = 1_000 + 5_334 + 2
  /// Motors are told ahead, by as much as a simulated one takes at most.
  private static let feltUs = TouchLedger.longestLeadUs + heardUs
  /// What begins so soon counts as begun, if it does not repeat.
  private static let promptUs: Int64 = 20_000
  /// Some thousand ends are told a few at a time.
  private static let tellingUs: Int64 = 1_500_000
  /// Of a user's players as many find room in any case, those of clients that have gone among them.
  private static let surelyRoom = 20

  /// Those that were promised and are not over.
  private var promises: [Part: Promise] = [:]
  private var orphans: [Part: Orphan] = [:]
  /// Cues that were promised, and those whose client has gone: with it they were to come or not.
  private var cues: [Int64: Promise] = [:]
  private var orphanedCues: [Int64: Orphan] = [:]
  /// Players that began, of cues too, and are not over.
  private var playing: Set<Int64> = []
  private var stalls = Stalls()

  /// The daemon stood still.
  mutating func note(_ stall: ClosedRange<Int64>) { stalls.note(stall) }

  mutating func promise(_ part: Part, of client: Int, at us: Int64, _ lifetime: Lifetime) {
    promises[part] = Promise(client: client, scheduledUs: us, lifetime: lifetime)
  }

  /// A cue, of which sounds and patterns may repeat.
  mutating func promise(cue: Int64, of client: Int, at us: Int64, _ lifetime: Lifetime) {
    cues[cue] = Promise(client: client, scheduledUs: us, lifetime: lifetime)
  }

  /// Something is done to a player, or for nil to any.
  mutating func change(_ player: Int64?) {
    for part in promises.keys where part.isFelt && (player == nil || part == player.map(Part.player)) {
      promises[part]?.isChanged = true
    }
    for part in orphans.keys where part.isFelt && (player == nil || part == player.map(Part.player)) {
      orphans[part]?.finishes = false
    }
    if player == nil { for cue in cues.keys { cues[cue]?.isChanged = true } }
  }

  /// A client goes.
  mutating func lose(_ client: Int, at us: Int64) {
    var players = playing
    for case .player(let player) in promises.keys { players.insert(player) }
    let hasRoom = players.count <= Self.surelyRoom
    for (part, known) in promises where known.client == client {
      var orphan = Orphan(known, at: us)
      if part.isFelt, known.isChanged || !orphan.loops { orphan.lastsUs = longestKeptUs }
      orphan.finishes = hasRoom && part.isFelt && !orphan.loops && !known.isChanged && known.scheduledUs < us
      orphans[part] = orphan
    }
    for (cue, known) in cues where known.client == client {
      let orphan = Orphan(known, at: us)
      orphanedCues[cue] = orphan
      orphanedCues[cue]?.loops = false
      cues[cue] = nil
      guard orphan.loops else { continue }
      orphans[.loopsHeard(cue)] = orphan
      if !known.isChanged { orphans[.loopsFelt(cue)] = orphan }
    }
  }

  mutating func begin(_ player: Int64) { playing.insert(player) }

  /// A sound is over.
  mutating func end(_ told: SoundFinished, at us: Int64) throws {
    let part = Part.sound(told.id)
    promises[part] = nil
    if told.reason == .outdated {
      orphans[part] = nil
      return
    }
    let hasBegun = told.reason != .cancelled && told.reason != .skipped
    if let orphan = orphans.removeValue(forKey: part) {
      try check(orphan, "sound \(told.id)", Self.heardUs, hasBegun: hasBegun, at: us)
    }
    guard hasBegun, let cue = told.cue, told.sound == SimulatedPack.loopHeard else { return }
    if let orphan = orphans[.loopsHeard(cue)] {
      try check(orphan, "sound \(told.id) of cue \(cue)", Self.heardUs, hasBegun: true, at: us)
    }
  }

  /// A player is over.
  mutating func end(_ player: Int64, _ told: HapticsChanged, at us: Int64) throws {
    playing.remove(player)
    let part = Part.player(player)
    promises[part] = nil
    if told.reason == .outdated {
      orphans[part] = nil
      return
    }
    let hasBegun = told.change != .cancelled && told.change != .skipped
    if hasBegun, let cue = told.cue, told.source == SimulatedPack.loopFelt, let orphan = orphans[.loopsFelt(cue)] {
      try check(orphan, "player \(player) of cue \(cue)", Self.feltUs, hasBegun: true, at: us)
    }
    guard let orphan = orphans.removeValue(forKey: part) else { return }
    try check(orphan, "player \(player)", Self.feltUs, hasBegun: hasBegun, at: us)
    let isCut = told.reason == .disconnected && us < orphan.leftUs + longestKeptUs
    try ensure(
      !orphan.finishes || !isCut,
      "player \(player), which plays once, was cut at \(us); its client left at \(orphan.leftUs)")
  }

  /// A cue has come.
  mutating func fire(_ cue: Int64) throws {
    guard let orphan = orphanedCues.removeValue(forKey: cue) else { return }
    try ensure(
      orphan.scheduledUs <= latest(orphan, Self.heardUs),
      "cue \(cue) of \(orphan.scheduledUs) came, and its client had left at \(orphan.leftUs)")
  }

  /// What repeats is over when it has faded, and what is to begin too late does not.
  private func check(_ orphan: Orphan, _ name: String, _ aheadUs: Int64, hasBegun: Bool, at us: Int64) throws {
    let latest = latest(orphan, aheadUs)
    if hasBegun {
      try ensure(
        orphan.scheduledUs <= latest, "\(name) of \(orphan.scheduledUs) began, and its client left at \(orphan.leftUs)")
    }
    guard hasBegun, orphan.loops || aheadUs == Self.feltUs else { return }
    let over = over(orphan, aheadUs)
    try ensure(us <= over, "\(name) went on to \(us), not to \(over), and its client left at \(orphan.leftUs)")
  }

  /// The latest instant at which something begins: not behind the time for which it was kept, or what counts as begun.
  private func latest(_ orphan: Orphan, _ aheadUs: Int64) -> Int64 {
    let left = stalls.end(of: orphan.leftUs)
    // Where control stood still the mixer had begun what it was to take back.
    let late = stalls.span(of: orphan.scheduledUs).upperBound - orphan.scheduledUs
    return left + max(orphan.keptUs, orphan.loops ? 0 : Self.promptUs) + aheadUs + late
  }

  /// When what fades is silent.
  private func over(_ orphan: Orphan, _ aheadUs: Int64) -> Int64 {
    let end = stalls.end(of: orphan.leftUs) + orphan.lastsUs
    return stalls.span(of: end).upperBound + aheadUs + Self.fadeUs
  }

  /// None outlasts its client by more than it may.
  mutating func check(nowUs: Int64) throws {
    for (part, orphan) in orphans where nowUs > over(orphan, Self.feltUs) + Self.tellingUs {
      switch part {
      case .loopsHeard, .loopsFelt: orphans[part] = nil
      case .sound: try ensure(!orphan.loops, "\(part) repeats on, and its client left at \(orphan.leftUs)")
      case .player: throw SimulationFailure("\(part) plays on, and its client left at \(orphan.leftUs)")
      }
    }
  }
}
