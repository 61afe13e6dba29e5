// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing

/// Whose lines that which clients are told goes back to, and so who owes for telling it: of one line that many are told of, many times
/// what serving it does. Knows no clock: costs are passed in.
struct TellingPayers {
  /// Who owes: the client, or where that has gone its user.
  struct Payer: Hashable {
    let client: ClientID
    let user: UInt32
  }

  private var counts: [Payer: Int64] = [:]
  private var whole: Int64 = 0

  /// A client was told of something that goes back to that line; nobody owes for what goes back to none.
  mutating func note(_ cause: Cause?) {
    whole += 1
    guard let cause, cause.client != .daemon else { return }
    counts[Payer(client: cause.client, user: cause.user), default: 0] += 1
  }

  /// All that was noted since the last call has cost so much: what part of that each owes.
  mutating func take(_ cost: Interval) -> [(payer: Payer, part: Interval)] {
    if whole == 0 { return [] }
    defer { forget() }
    return counts.map { payer, count in (payer, Interval(nanoseconds: cost.nanoseconds * count / whole)) }
  }

  /// What was told since then is paid for otherwise.
  mutating func forget() {
    counts.removeAll(keepingCapacity: true)
    whole = 0
  }
}
