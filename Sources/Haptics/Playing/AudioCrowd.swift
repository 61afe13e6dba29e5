// SPDX-License-Identifier: Apache-2.0

import Timing

/// How many sounds of one player begin: a pattern may name hundreds within a millisecond, over and over, of which none but
/// the first are ever heard.
struct AudioCrowd {
  /// The most that are told within `spacing` of the first of them: as many as are heard at once, and one that is not.
  static let mostAtOnce = 33
  /// After which as many may begin again.
  static let spacing = Interval.milliseconds(10)
  /// The most that are told of one span of time, however long that is.
  private let most: Int

  /// From when on more may begin.
  private(set) var end = Instant.distantPast
  private var count = 0
  private var total = 0

  /// Lets through what can be heard, or of none that is the first.
  init(isHeard: Bool) { most = isHeard ? 96 : 1 }

  /// Whether no more are told.
  var isOver: Bool { total >= most }

  /// Whether one more may begin at `instant`, not before the last; it is counted.
  mutating func admits(_ instant: Instant) -> Bool {
    if instant >= end { (end, count) = (instant + Self.spacing, 0) }
    guard count < Self.mostAtOnce, !isOver else { return false }
    count += 1
    total += 1
    return true
  }
}
