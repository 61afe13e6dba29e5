// SPDX-License-Identifier: Apache-2.0

import Timing

/// Whose lines that which clients are told goes back to, and so who owes for telling it: of one line that many are told of, many times
/// what serving it does. Knows no clock: costs are passed in.
struct TellingPayers {
  private var counts: [ToldLog.Entry.Payer: Int64] = [:]
  private var whole: Int64 = 0

  /// A client was told of something for which `payer` owes; nobody does for what the daemon tells by itself.
  mutating func note(_ payer: ToldLog.Entry.Payer?) {
    whole += 1
    if let payer { counts[payer, default: 0] += 1 }
  }

  /// All that was noted since the last call has cost so much: what part of that each owes.
  mutating func take(_ cost: Interval) -> [(payer: ToldLog.Entry.Payer, part: Interval)] {
    if whole == 0 { return [] }
    defer { forget() }
    return counts.map { payer, count in (payer, Interval(nanoseconds: cost.nanoseconds * count / whole)) }
  }

  /// What was told since then is paid for otherwise.
  mutating func forget() {
    if whole == 0 { return }
    counts.removeAll(keepingCapacity: true)
    whole = 0
  }
}
