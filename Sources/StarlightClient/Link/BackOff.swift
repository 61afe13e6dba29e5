// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the daemon is looked for again: 50 ms, twice as long each time, 2 s at most.
struct BackOff {
  private var next: Int64 = shortest

  static let shortest: Int64 = 50_000_000
  static let longest: Int64 = 2_000_000_000

  /// The wait in nanoseconds; the next one is longer.
  mutating func wait() -> Int64 {
    defer { next = min(next * 2, Self.longest) }
    return next
  }

  /// It was there: the next wait is short again.
  mutating func reset() { next = Self.shortest }
}
