// SPDX-License-Identifier: Apache-2.0

/// A point on CLOCK_MONOTONIC (or on the stepped clock that stands for it), in whole nanoseconds.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the clock's zero (boot).
  public var nanoseconds: Int64

  /// The instant that many nanoseconds after the clock's zero.
  @inlinable @_noLocks public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant that many microseconds after the clock's zero. Saturates at the ends of the range.
  @inlinable @_noLocks public init(microseconds: Int64) {
    self.nanoseconds = Interval.microseconds(microseconds).nanoseconds
  }

  /// The clock's zero.
  @inlinable public static var zero: Instant { @_noLocks get { Instant(nanoseconds: 0) } }

  /// Before every other instant.
  @inlinable public static var distantPast: Instant { @_noLocks get { Instant(nanoseconds: .min) } }

  /// After every other instant.
  @inlinable public static var distantFuture: Instant { @_noLocks get { Instant(nanoseconds: .max) } }

  /// Whole microseconds since the clock's zero, rounded down: the wire's unit.
  @inlinable public var microseconds: Int64 { floorDivide(nanoseconds, 1_000).quotient }

  /// The first instant of whole microseconds that is not before it: what is promised as the earliest must be reachable.
  public var roundedUpToMicrosecond: Instant { Instant(microseconds: (self + Interval(nanoseconds: 999)).microseconds) }

  /// Earlier.
  @inlinable @_noLocks public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
  /// Later.
  @inlinable @_noLocks public static func > (a: Instant, b: Instant) -> Bool { a.nanoseconds > b.nanoseconds }
  /// Earlier or the same.
  @inlinable @_noLocks public static func <= (a: Instant, b: Instant) -> Bool { a.nanoseconds <= b.nanoseconds }
  /// Later or the same.
  @inlinable @_noLocks public static func >= (a: Instant, b: Instant) -> Bool { a.nanoseconds >= b.nanoseconds }
  /// The same nanosecond.
  @inlinable @_noLocks public static func == (a: Instant, b: Instant) -> Bool { a.nanoseconds == b.nanoseconds }
  /// That much later; saturates at the ends of the range.
  @inlinable @_noLocks public static func + (a: Instant, b: Interval) -> Instant {
    Instant(nanoseconds: saturatingAdd(a.nanoseconds, b.nanoseconds))
  }
  /// That much earlier; saturates at the ends of the range.
  @inlinable @_noLocks public static func - (a: Instant, b: Interval) -> Instant {
    Instant(nanoseconds: saturatingSubtract(a.nanoseconds, b.nanoseconds))
  }
  /// From `b` to `a`, negative when `a` is the earlier; saturates.
  @inlinable @_noLocks public static func - (a: Instant, b: Instant) -> Interval {
    Interval(nanoseconds: saturatingSubtract(a.nanoseconds, b.nanoseconds))
  }
  /// Moves it on; saturates.
  @inlinable @_noLocks public static func += (a: inout Instant, b: Interval) { a = a + b }
}

/// The earlier of two instants, where nil is never.
public func earliest(_ a: Instant?, _ b: Instant?) -> Instant? {
  guard let a else { return b }
  guard let b else { return a }
  return min(a, b)
}
