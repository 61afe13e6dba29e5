// SPDX-License-Identifier: Apache-2.0

import Timing

/// Notices that control stood still: that it came by much later than it meant to. Knows no clock.
struct StallWatch {
  /// How late is a stall.
  private let limit: Interval
  private var seenAt: Instant
  /// When it meant to come by at the latest; nil for no time in particular.
  private var due: Instant?

  /// Control is at work at `instant`; more than `limit` behind is a stall.
  init(at instant: Instant, limit: Interval = .milliseconds(500)) {
    self.limit = limit
    seenAt = instant
    due = instant
  }

  /// Control is at work at `now`, and is going to sleep for `patience`, or until something comes. What it stood still
  /// for, if it did: from when it was seen last.
  mutating func pass(at now: Instant, sleeping patience: Interval? = .zero) -> ClosedRange<Instant>? {
    defer {
      seenAt = now
      // What was due long ago makes nobody late who comes by at once.
      due = patience.map { now + max($0, .zero) }
    }
    guard let due, now - due > limit else { return nil }
    return seenAt...now
  }
}
