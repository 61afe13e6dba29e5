// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing
import Wire

/// Sounds of patterns that are not heard for want of a voice, to be told at their instants.
struct UnheardSounds {
  /// A player's unheard sounds that are nearer than this to one that is told are not told themselves: one notification stands
  /// for all of them.
  static let spacing = Interval.milliseconds(100)

  /// What is to be told of a player, and when.
  struct Told {
    var player: HapticPlayerID
    var at: Instant
    var reason: HapticsUnheard.Reason
  }

  /// In order of instants.
  private var waiting: [Told] = []
  /// What was told last of each player.
  private var last: [HapticPlayerID: Instant] = [:]

  /// How many are to be told.
  var count: Int { waiting.count }

  /// When the next is to be told.
  var next: Instant? { waiting.first?.at }

  /// Notes that a sound of a player is not heard from `instant` on.
  mutating func note(_ player: HapticPlayerID, at instant: Instant, _ reason: HapticsUnheard.Reason) {
    func covers(_ told: Instant) -> Bool { abs((told - instant).nanoseconds) < Self.spacing.nanoseconds }
    if last[player].map(covers) ?? false { return }
    if waiting.contains(where: { $0.player == player && covers($0.at) }) { return }
    let place = waiting.lastIndex { $0.at <= instant }.map { $0 + 1 } ?? 0
    waiting.insert(Told(player: player, at: instant, reason: reason), at: place)
  }

  /// Takes back what was not to begin from `instant` on: it is planned anew.
  mutating func takeBack(_ player: HapticPlayerID, from instant: Instant) {
    waiting.removeAll { $0.player == player && $0.at >= instant && $0.reason == .noVoice }
  }

  /// Takes the next, of one player or of all, that has come before `end`.
  mutating func take(of player: HapticPlayerID? = nil, before end: Instant) -> Told? {
    guard let place = waiting.firstIndex(where: { player == nil || $0.player == player }), waiting[place].at < end
    else { return nil }
    let told = waiting.remove(at: place)
    last[told.player] = told.at
    return told
  }

  /// A player is no more.
  mutating func forget(_ player: HapticPlayerID) {
    waiting.removeAll { $0.player == player }
    last[player] = nil
  }
}

extension Engine {
  /// Tells what of patterns, of one player's or of all, is not heard before an instant.
  mutating func tellUnheardSounds(of player: HapticPlayerID? = nil, before end: Instant) {
    while let unheard = haptics.audio.unheard.take(of: player, before: end) {
      guard let owner = haptics.owners[unheard.player] else { continue }
      notify(
        HapticsUnheard(
          player: Int64(unheard.player.rawValue), source: owner.source, reason: unheard.reason,
          cue: owner.cue?.rawValue), at: unheard.at, by: owner.cause)
    }
  }

  /// Notes that a sound of a player is not heard, as long as there is that player.
  mutating func noteUnheard(_ player: HapticPlayerID, at instant: Instant, _ reason: HapticsUnheard.Reason) {
    guard let owner = haptics.owners[player] else { return }
    // The frame that it was to begin at may lie a little before the player's start, which is told first.
    haptics.audio.unheard.note(player, at: max(instant, owner.at), reason)
  }
}
