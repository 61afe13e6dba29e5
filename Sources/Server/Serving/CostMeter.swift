// SPDX-License-Identifier: Apache-2.0

import Timing

/// What serving has cost: the processor time of this thread, or, where runs must be the same each time, a count of bytes,
/// lines and steps at about what they cost. Asks nobody for either: both are passed in.
struct CostMeter {
  /// Whether it counts, where it would measure otherwise.
  let isCounting: Bool
  private var counted: Int64 = 0
  private var read: Int64 = 0

  /// A meter that counts, or measures.
  init(isCounting: Bool) { self.isCounting = isCounting }

  /// Lines read or told, and their bytes: for the count.
  mutating func note(bytes: Int) { counted += Self.line + Int64(bytes) * Self.byte }

  /// Steps that a line had the mixer and the motors told: for the count.
  mutating func note(steps: Int) { counted += Int64(steps) * Self.step }

  /// Begins anew where this thread had used `used` nanoseconds of the processor.
  mutating func begin(at used: Int64) {
    counted = 0
    read = used
  }

  /// The cost since `begin` or the last call, the thread having used `used` by now. Never negative: a `ProcessorTime` can come
  /// down.
  mutating func take(at used: Int64) -> Interval {
    defer { (counted, read) = (0, used) }
    return Interval(nanoseconds: isCounting ? counted : max(0, used - read))
  }

  /// Nanoseconds a line, a byte and a step.
  static let line: Int64 = 10_000
  static let byte: Int64 = 20
  private static let step: Int64 = 2_000
}
