// SPDX-License-Identifier: Apache-2.0

import Timing

/// How many changes may be looked at one by one: 1,000 in any second. Once that is spent it must be saved up whole before
/// it is given again, so that what is dense stays so until a second has been slower.
package struct ChangeAllowance: Sendable {
  /// What a change costs, and how much time stands for it.
  private static let price = Interval.milliseconds(1)
  private static let most = Interval.seconds(1)

  private var saved = most
  private var countedUntil = Instant.distantPast
  package private(set) var isSpent = false

  package init() {}

  /// Whether a change at `instant`, not before the last one told, may be looked at by itself.
  package mutating func takes(at instant: Instant) -> Bool {
    save(until: instant)
    if saved < Self.price { isSpent = true }
    if isSpent { return false }
    saved -= Self.price
    return true
  }

  /// Counts changes that were not looked at one by one.
  package mutating func spend(_ changes: Int, at instant: Instant) {
    save(until: instant)
    saved = max(saved - .milliseconds(Int64(changes)), .zero)
  }

  private mutating func save(until instant: Instant) {
    if instant <= countedUntil { return }
    saved = min(saved + (instant - countedUntil), Self.most)
    countedUntil = instant
    if saved == Self.most { isSpent = false }
  }
}
