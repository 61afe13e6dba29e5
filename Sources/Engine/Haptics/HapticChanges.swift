// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// The changes of haptic players that wait for their instants, and whose share they are: of who asked for them, whoever's
/// the player is.
struct HapticChanges {
  /// Four seconds of 120 a second for each client, and a quarter of a second for one that finds all of it taken.
  static let bounds = Shares.Bounds(
    ofAClient: 512, ofAUser: 1_024, ofAll: 2_048, ofTheDaemon: 512, urgentOfAClient: 32, urgentOfAUser: 48 * 32,
    noun: "changes of haptic players", remedy: "send them nearer to their instant, or as a curve")

  private struct Change {
    /// Nothing where it is of all players of its client, which is for now.
    var player: HapticPlayerID?
    var count: Int
    var payer: Cause
  }

  private var shares = Shares(bounds)
  private var waiting = PlanQueue<Change>()

  /// How many wait.
  var count: Int { shares.count }

  /// Takes room for changes of a player, or for nil of several: for all of them or none.
  mutating func take(
    _ count: Int, of player: HapticPlayerID?, at instant: Instant, by cause: Cause
  ) throws(VerbRefusal) {
    let payer = try shares.take(count, for: cause, isUrgent: true)
    waiting.insert(Change(player: player, count: count, payer: payer), at: instant)
  }

  /// Gives back what has come by `now`.
  mutating func pass(_ now: Instant) {
    while let (_, change) = waiting.pop(upTo: now) { shares.give(change.count, for: change.payer) }
  }

  /// What waits for a player at `instant` or later never comes.
  mutating func forget(_ player: HapticPlayerID, from instant: Instant = .distantPast) {
    if waiting.count == 0 { return }
    for change in waiting.removeAll({ at, change in change.player == player && at >= instant ? change : nil }) {
      shares.give(change.count, for: change.payer)
    }
  }
}
