// SPDX-License-Identifier: Apache-2.0

import Timing

/// What reading a client has cost beyond what its lines and bytes are worth: a line that is sent a byte at a time is as many buffers
/// in the kernel, each as dear to read as a line. Who owes much rests, so that all who do take a small part of the time together,
/// however many they are. Knows no clock: costs and instants are passed in.
struct PiecemealCost {
  /// What may be owed before there is a rest: a line that is typed, or one whose reading was interrupted.
  static let free = Interval.microseconds(200)
  /// One part in so many of the time pays what all owe.
  static let part: Int64 = 16
  /// Who was not read for so long counts no more among those who owe: no rest takes longer.
  static let forgotten = Interval.milliseconds(250)
  /// The most that a byte can have cost, in nanoseconds, by itself a buffer in the kernel: what is beyond that was not its sender's.
  static let dearestByte: Int64 = 1_000

  private var owed: Int64 = 0
  private var asOf = Instant.distantPast

  /// Reading `bytes` has cost so much by `now`, `others` being how many owe beside it. Gives the part of it that is worth nothing.
  mutating func read(_ bytes: Int, cost: Interval, at now: Instant, others: () -> Int) -> Interval {
    if owed > 0 { owed = max(0, owed - (now - asOf).nanoseconds / (Self.part * Int64(others() + 1))) }
    asOf = now
    let excess = max(0, min(cost.nanoseconds, Int64(bytes) * Self.dearestByte) - Int64(bytes) * CostMeter.byte)
    owed += excess
    return Interval(nanoseconds: excess)
  }

  /// A whole line was among what was read.
  mutating func hadLine() { owed = max(0, owed - CostMeter.line) }

  /// Whether others share with it what pays.
  func owes(at now: Instant) -> Bool { owed > Self.free.nanoseconds / 2 && now - asOf < Self.forgotten }

  /// How long it is not to be read, `others` owing beside it: until it owes no more than is free, but not beyond `forgotten`. Nil
  /// where it is read on.
  func rest(others: () -> Int) -> Interval? {
    let excess = owed - Self.free.nanoseconds
    if excess <= 0 { return nil }
    return min(Interval(nanoseconds: excess * Self.part * Int64(others() + 1)), Self.forgotten)
  }
}
