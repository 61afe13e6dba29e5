// SPDX-License-Identifier: Apache-2.0

import Timing

/// Whether clients were heard when they were looked at, though some have lines that wait still. Knows no clock.
struct Hearing {
  /// How long what waits may keep from being settled what was settled else. Then it is lines without end.
  static let longest = Interval.milliseconds(100)

  /// Since when every look left lines waiting.
  private var waitsSince: Instant?
  /// Whether what was sent by the last look is not heard: it is to be looked again soon.
  private(set) var isBehind = false

  /// Clients were looked at and served; whether all that was sent by then counts as heard.
  mutating func looked(at instant: Instant, leavesLines: Bool) -> Bool {
    waitsSince = leavesLines ? waitsSince ?? instant : nil
    isBehind = waitsSince.map { instant - $0 < Self.longest } ?? false
    return !isBehind
  }
}
