// SPDX-License-Identifier: Apache-2.0

import Timing

/// How near a device came to running dry, by what was left in it each time before it was given more: pure.
///
/// The position of a sound server stands still where it had no frames, and where its own graph was late. Of the latter more
/// kept ahead is no cure; and only before the former there was next to nothing left.
public struct DeviceReserve: Equatable, Sendable, BitwiseCopyable {
  /// For how long after it was low it may tell so by its position: servers tell theirs some ten times a second.
  public static var lag: Interval { @_noLocks get { Interval.milliseconds(500) } }

  private var lowAt = Instant.distantPast

  /// Of a device that has just been filled.
  @_noLocks public init() {}

  /// Takes in that at `now` `queued` frames were left, where `period` frames are written at a time.
  @_noLocks public mutating func read(queued: Int64, period: Int, at now: Instant) {
    if queued < Int64(period) { lowAt = now }
  }

  /// Whether it may have run dry lately.
  @_noLocks public func wasLow(at now: Instant) -> Bool { now - lowAt <= Self.lag }
}
