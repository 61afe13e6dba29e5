// SPDX-License-Identifier: Apache-2.0

import Timing

/// When a device has room for a period, by the room it told last and what it was given since: pure.
struct RoomForecast: Equatable, Sendable, BitwiseCopyable {
  private var readAt = Instant.distantPast
  private var available: Int64 = 0

  /// Nothing is known: there may be room at once.
  @_noLocks init() {}

  /// It told at `now` that it has room for `available` frames.
  @_noLocks mutating func read(available: Int64, at now: Instant) {
    readAt = now
    self.available = max(0, available)
  }

  /// It was given that many frames.
  @_noLocks mutating func give(_ frames: Int64) { available -= frames }

  /// The instant at which a device that plays `rate` frames a second has room for a period of `fill`.
  ///
  /// A position that moves in steps may stand still for longer than it seems to take: where a little is missing, a quarter of a
  /// period is waited for, so that the thread is not kept busy by it, and hardly late.
  @_noLocks func roomAt(_ fill: DeviceFill, rate: Int) -> Instant {
    let missing = Int64(fill.wakeRoom) - available
    guard missing > 0 else { return readAt }
    return readAt + Interval.frames(max(missing, Int64(fill.period / 4)), rate: rate)
  }
}
