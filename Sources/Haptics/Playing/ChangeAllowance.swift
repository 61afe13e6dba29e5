// SPDX-License-Identifier: Apache-2.0

import Timing

/// How many changes may be looked at one by one: 1,000 in any second, fewer where a look is dear. Then none may, until the
/// 1,000th before is a second past.
package struct ChangeAllowance: Sendable {
  private static let most = 1_000
  private static let span = Interval.seconds(1)

  /// When the latest changes were, `most` of them at most, the oldest at `oldest`.
  private var instants: [Instant] = []
  private var oldest = 0
  /// Whether the last change that was asked for had to be left alone.
  package private(set) var isSpent = false

  package init() {}

  /// Whether a change at `instant`, not before the last one told, may be looked at by itself, which counts as so many.
  package mutating func takes(at instant: Instant, price: Int = 1) -> Bool {
    isSpent = instants.count == Self.most && instant - instants[oldest] < Self.span
    if !isSpent { spend(price, at: instant) }
    return !isSpent
  }

  /// Counts changes that were not looked at one by one, from `instant` on.
  package mutating func spend(_ changes: Int, at instant: Instant) {
    for _ in 0..<min(changes, Self.most) {
      if instants.count < Self.most {
        instants.append(instant)
      } else {
        instants[oldest] = instant
        oldest = oldest == Self.most - 1 ? 0 : oldest + 1
      }
    }
  }
}
