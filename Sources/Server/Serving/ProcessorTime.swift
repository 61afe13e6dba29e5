// SPDX-License-Identifier: Apache-2.0

/// How much of the processor a thread has used, asked of the system only now and then: twice that call takes a tenth of what
/// serving a short line does.
///
/// From one reading to the next what passed while the thread was awake counts as used. So it is `longestUnread` too much at
/// most, where the thread was kept from the processor meanwhile, and the next reading puts it right: what is told can come
/// down by that much. Knows no clock: nanoseconds are passed in.
struct ProcessorTime {
  /// How long it goes without a reading, in nanoseconds.
  static let longestUnread: Int64 = 200_000

  private var known: Int64
  private var asOf: Int64
  private var unread: Int64 = 0

  /// The thread had used `used` at `now`.
  init(_ used: Int64, at now: Int64) { (known, asOf) = (used, now) }

  /// The thread slept since the last call: nothing was used.
  mutating func woke(at now: Int64) { asOf = now }

  /// What was used by `now`; `reading` asks the system. Where nobody waits, it is asked after half as long, so that somebody
  /// who does seldom waits for that.
  mutating func used(at now: Int64, isAwaited: Bool = true, _ reading: () -> Int64) -> Int64 {
    let passed = now - asOf
    (asOf, unread) = (now, unread + passed)
    if unread <= (isAwaited ? Self.longestUnread : Self.longestUnread / 2) {
      known += passed
    } else {
      _ = read(at: now, reading)
    }
    return known
  }

  /// What was used by `now`, as the system tells.
  mutating func read(at now: Int64, _ reading: () -> Int64) -> Int64 {
    (known, asOf, unread) = (reading(), now, 0)
    return known
  }
}
