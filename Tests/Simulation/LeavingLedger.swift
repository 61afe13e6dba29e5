// SPDX-License-Identifier: Apache-2.0

import Wire

/// Haptic players whose clients go: those that repeat end, those that play once and have begun finish.
struct LeavingLedger {
  private struct Player {
    var client: Int
    var scheduledUs: Int64
    var loops: Bool
    var keptUs: Int64
    /// Whether anybody did anything to it: nothing is known of how it goes on, then.
    var isChanged = false
  }

  private struct Orphan {
    /// When its client went.
    var leftUs: Int64
    /// By when it is over and told.
    var overUs: Int64
    /// Whether it was to finish.
    var finishes: Bool
  }

  /// A stall, and what is told a few at a time.
  private static let patience: Int64 = 3_500_000
  /// Of a user's players as many find room in any case, those of clients that have gone among them.
  private static let surelyRoom = 20

  /// Those that were promised and are not over.
  private var players: [Int64: Player] = [:]
  private var orphans: [Int64: Orphan] = [:]
  /// Those that began, of cues too, and are not over.
  private var playing: Set<Int64> = []

  mutating func promise(_ player: Int64, of client: Int, at us: Int64, loops: Bool, keptUs: Int64) {
    players[player] = Player(client: client, scheduledUs: us, loops: loops, keptUs: keptUs)
  }

  /// Something is done to a player, or for nil to any.
  mutating func change(_ player: Int64?) {
    if let player {
      players[player]?.isChanged = true
      orphans[player]?.finishes = false
    } else {
      for other in players.keys { players[other]?.isChanged = true }
      for other in orphans.keys { orphans[other]?.finishes = false }
    }
  }

  /// A client goes.
  mutating func lose(_ client: Int, at us: Int64) {
    let hasRoom = playing.union(players.keys).count <= Self.surelyRoom
    for (player, known) in players where known.client == client {
      let ends = known.loops && !known.isChanged ? known.keptUs : longestKeptUs
      orphans[player] = Orphan(
        leftUs: us, overUs: us + ends + Self.patience,
        finishes: hasRoom && !known.loops && !known.isChanged && known.scheduledUs < us)
    }
  }

  mutating func begin(_ player: Int64) { playing.insert(player) }

  /// One is over.
  mutating func end(_ player: Int64, _ told: HapticsChanged, at us: Int64) throws {
    playing.remove(player)
    players[player] = nil
    guard let orphan = orphans.removeValue(forKey: player) else { return }
    try ensure(us <= orphan.overUs, "player \(player) went on to \(us), and its client left at \(orphan.leftUs)")
    let isCut = told.reason == .disconnected && us < orphan.leftUs + longestKeptUs
    try ensure(
      !orphan.finishes || !isCut,
      "player \(player), which plays once, was cut at \(us); its client left at \(orphan.leftUs)")
  }

  /// None outlasts its client by more than it may.
  func check(nowUs: Int64) throws {
    let left = orphans.filter { nowUs > $0.value.overUs }.keys.sorted()
    try ensure(left.isEmpty, "players \(left) play on, and their client has gone")
  }
}
