// SPDX-License-Identifier: Apache-2.0

import Timing

/// Up to when clients were heard: all that they sent by then is served. Knows no clock.
struct Hearing {
  /// How long what waits may keep from being settled what was settled else. Whose lines wait longer than that sends more than its share,
  /// and waits for itself alone: what others sent meanwhile is heard even so.
  static let longest = Interval.milliseconds(100)

  /// Up to when all count as heard.
  private(set) var heard = Instant.distantPast
  /// Whether something that was sent by the last look is not heard: it is to be looked again soon.
  private(set) var isBehind = false

  /// Clients were looked at and served, and the last of them was heard up to `last`. Answers up to when all count as heard.
  mutating func looked(at instant: Instant, last: Instant) -> Instant {
    heard = max(heard, instant - Self.longest, min(instant, last))
    isBehind = heard < instant
    return heard
  }
}
