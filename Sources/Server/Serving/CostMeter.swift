// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Timing

/// What serving has cost: the processor time of this thread, or, where runs must be the same each time, a count of bytes
/// and lines at about what they cost.
struct CostMeter {
  /// Whether it counts, where it would measure otherwise.
  let isCounting: Bool
  private var counted: Int64 = 0
  private var read: Int64 = 0

  /// A meter that counts, or measures.
  init(isCounting: Bool) { self.isCounting = isCounting }

  /// Lines read or told, and their bytes: for the count.
  mutating func note(bytes: Int) { counted += Self.line + Int64(bytes) * Self.byte }

  /// Begins anew: now, or where this thread had used `used` of the processor, which spares a call of the system.
  mutating func begin(at used: Int64? = nil) {
    counted = 0
    if !isCounting { read = used ?? rt_thread_processor_ns() }
  }

  /// The cost since `begin` or the last call.
  mutating func take() -> Interval {
    if isCounting {
      defer { counted = 0 }
      return Interval(nanoseconds: counted)
    }
    let now = rt_thread_processor_ns()
    defer { read = now }
    return Interval(nanoseconds: now - read)
  }

  /// Nanoseconds a line, and a byte.
  private static let line: Int64 = 10_000
  private static let byte: Int64 = 20
}
