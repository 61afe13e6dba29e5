// SPDX-License-Identifier: Apache-2.0

/// A signed length of time in whole nanoseconds.
public struct Interval: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// An interval of that many nanoseconds.
  @inlinable @_noLocks public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// No time at all.
  @inlinable public static var zero: Interval { @_noLocks get { Interval(nanoseconds: 0) } }

  /// Whole microseconds, the unit of the wire and of judging. Saturates at the ends of the range (292 years).
  @inlinable @_noLocks public static func microseconds(_ value: Int64) -> Interval {
    Interval(nanoseconds: saturatingMultiply(value, 1_000))
  }

  /// Whole milliseconds. Saturates at the ends of the range.
  @inlinable @_noLocks public static func milliseconds(_ value: Int64) -> Interval {
    Interval(nanoseconds: saturatingMultiply(value, 1_000_000))
  }

  /// Seconds as people write them, rounded to the nearest nanosecond; NaN is zero, out of range saturates.
  public static func seconds(_ value: Double) -> Interval {
    Interval(nanoseconds: saturatingRound(value * 1e9))
  }

  /// The nearest whole number of nanoseconds, halves away from zero; NaN is zero, out of range saturates.
  public static func nanoseconds(_ value: Double) -> Interval { Interval(nanoseconds: saturatingRound(value)) }

  /// `frames` at `rate` frames a second (at least 1), rounded down to a nanosecond. Exact for 24 hours and far beyond
  /// at any rate; saturates at the ends of the range.
  @inlinable @_noLocks public static func frames(_ frames: Int64, rate: Int) -> Interval {
    let (quotient, remainder) = floorDivide(frames, Int64(rate))
    let seconds = saturatingMultiply(quotient, 1_000_000_000)
    return Interval(nanoseconds: saturatingAdd(seconds, remainder * 1_000_000_000 / Int64(rate)))
  }

  /// Whole microseconds, rounded up: what has to pass before something that is promised.
  public var microsecondsRoundedUp: Int64 { microseconds + (nanoseconds % 1_000 == 0 ? 0 : 1) }

  /// Whole microseconds, rounded down.
  @inlinable public var microseconds: Int64 { floorDivide(nanoseconds, 1_000).quotient }

  /// Seconds, for people and for continuous functions of time; never for judging.
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The nearest whole number of frames at `rate` frames a second; halves round up. Saturates.
  @inlinable @_noLocks public func frames(rate: Int) -> Int64 {
    let (quotient, remainder) = floorDivide(nanoseconds, 1_000_000_000)
    let part = (remainder * Int64(rate) + 500_000_000) / 1_000_000_000
    return saturatingAdd(saturatingMultiply(quotient, Int64(rate)), part)
  }

  /// Shorter; a negative one is shorter than zero.
  @inlinable @_noLocks public static func < (a: Interval, b: Interval) -> Bool { a.nanoseconds < b.nanoseconds }
  /// Longer.
  @inlinable @_noLocks public static func > (a: Interval, b: Interval) -> Bool { a.nanoseconds > b.nanoseconds }
  /// Shorter or the same.
  @inlinable @_noLocks public static func <= (a: Interval, b: Interval) -> Bool { a.nanoseconds <= b.nanoseconds }
  /// Longer or the same.
  @inlinable @_noLocks public static func >= (a: Interval, b: Interval) -> Bool { a.nanoseconds >= b.nanoseconds }
  /// The same to the nanosecond.
  @inlinable @_noLocks public static func == (a: Interval, b: Interval) -> Bool { a.nanoseconds == b.nanoseconds }
  /// The sum; saturates at the ends of the range.
  @inlinable @_noLocks public static func + (a: Interval, b: Interval) -> Interval {
    Interval(nanoseconds: saturatingAdd(a.nanoseconds, b.nanoseconds))
  }
  /// The difference; saturates at the ends of the range.
  @inlinable @_noLocks public static func - (a: Interval, b: Interval) -> Interval {
    Interval(nanoseconds: saturatingSubtract(a.nanoseconds, b.nanoseconds))
  }
  /// The same length the other way; saturates.
  @inlinable @_noLocks public static prefix func - (a: Interval) -> Interval { .zero - a }
  /// Lengthens it; saturates.
  @inlinable @_noLocks public static func += (a: inout Interval, b: Interval) { a = a + b }
  /// Shortens it; saturates.
  @inlinable @_noLocks public static func -= (a: inout Interval, b: Interval) { a = a - b }
}
