// SPDX-License-Identifier: Apache-2.0

import Timing

/// What those who come and go may cost in a turn: whoever connects and leaves again and again would hold up all others, for
/// neither is a line that waits for its turn.
struct PassingCost {
  /// Where it is counted: what coming, and going, costs about.
  private static let counted = Interval.microseconds(50)
  /// What those who go may cost at the beginning of a turn, and those who come behind it; one more of either.
  private static let most = Interval.milliseconds(1)

  private let isCounting: Bool
  private var read: Int64 = 0
  private var part = Interval.zero
  private var whole = Interval.zero

  /// A cost that is counted, or measured by the processor time of the thread.
  init(isCounting: Bool) { self.isCounting = isCounting }

  /// Begins one of the two parts of a turn.
  mutating func begin(at used: Int64) { (read, part) = (used, .zero) }

  /// Whether there is room for one more in this part.
  var hasRoom: Bool { part < Self.most }

  /// What one who came or went has cost since `begin` or the last call, the thread having used `used` by now.
  mutating func take(at used: Int64) -> Interval {
    let cost = isCounting ? Self.counted : Interval(nanoseconds: max(0, used - read))
    read = used
    part = part + cost
    whole = whole + cost
    return cost
  }

  /// What all have cost since the last call.
  mutating func takeAll() -> Interval {
    defer { whole = .zero }
    return whole
  }
}
