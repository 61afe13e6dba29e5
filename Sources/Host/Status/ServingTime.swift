// SPDX-License-Identifier: Apache-2.0

import Timing

/// How long it takes from a reading of the outputs to what it leads to in the mixer's ring: pure.
///
/// A mixer that wakes sooner than that is planned for a period later. Twice the longest of late is allowed for, and much at
/// first, so that a slow machine is not late before that is known.
struct ServingTime: Equatable {
  /// What is allowed for now.
  private(set) var allowed = Interval.milliseconds(2)

  /// Some eight times what a line takes on a machine of today.
  static let least = Interval.microseconds(400)
  private static let most = Interval.milliseconds(5)

  /// Serving took that long.
  mutating func note(_ taken: Interval) {
    let wanted = min(max(taken + taken, Self.least), Self.most)
    let less = Interval(nanoseconds: (allowed - wanted).nanoseconds / 128)
    allowed = wanted >= allowed ? wanted : allowed - less
  }
}
