// SPDX-License-Identifier: Apache-2.0

import Timing

/// How many lines the log takes: some at once, and then so many a second. Knows no clock.
struct LogRate {
  private let burst: Int64
  private let interval: Int64
  /// When the bucket was, or will be, full, in nanoseconds: each line puts it off by an interval.
  private var fullAt = Int64.min
  /// Lines that were not taken since the last that was.
  private(set) var dropped = 0

  /// At most `burst` lines at once, and one each `interval`.
  init(burst: Int = 50, interval: Interval = .milliseconds(200)) {
    self.burst = Int64(burst)
    self.interval = interval.nanoseconds
  }

  /// Whether a line may be written at `now`; counts it as dropped where not.
  mutating func admits(at now: Instant) -> Bool {
    let from = max(fullAt, now.nanoseconds)
    guard from - now.nanoseconds <= (burst - 1) * interval else {
      dropped += 1
      return false
    }
    fullAt = from + interval
    return true
  }

  /// Lines that were admitted could not be written.
  mutating func noteLost(_ count: Int = 1) { dropped += count }

  /// What was dropped has been told.
  mutating func noteTold() { dropped = 0 }
}
