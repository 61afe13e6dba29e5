// SPDX-License-Identifier: Apache-2.0

import Timing

/// Cues that were fired and whose instant is to come: they are told then, with what of them does not happen.
struct CueBoard {
  /// One firing.
  struct Fired {
    var id: PlanID
    var key: AssetKey
    /// The cue's zero.
    var at: Instant
    /// Steps that are not done, with the reason.
    var skipped: [String]
    var cause: Cause
  }

  /// By instant and order of firing.
  private(set) var fired: [Fired] = []

  /// When the next is to be told.
  var next: Instant? { fired.first?.at }

  mutating func add(_ cue: Fired) {
    let place = fired.lastIndex { $0.at <= cue.at }.map { $0 + 1 } ?? 0
    fired.insert(cue, at: place)
  }

  /// Notes that a step does not happen; nothing where the cue has been told.
  mutating func skip(_ sentence: String, of id: PlanID) {
    guard let place = fired.lastIndex(where: { $0.id == id }) else { return }
    fired[place].skipped.append(sentence)
  }

  /// Takes the next that has come by `now`.
  mutating func take(by now: Instant) -> Fired? {
    guard let first = fired.first, first.at <= now else { return nil }
    return fired.removeFirst()
  }

  /// Takes all that `isMeant` picks.
  mutating func takeAll(where isMeant: (Fired) -> Bool) -> [Fired] {
    let taken = fired.filter(isMeant)
    if !taken.isEmpty { fired.removeAll(where: isMeant) }
    return taken
  }
}
