// SPDX-License-Identifier: Apache-2.0

import Timing

/// When a device has room for a period, by the room it told last and what it was given since: pure.
struct RoomForecast: Equatable, Sendable, BitwiseCopyable {
  private var readAt = Instant.distantPast
  private var askedAt = Instant.distantPast
  private var available: Int64 = 0

  /// Nothing is known: there may be room at once.
  @_noLocks init() {}

  /// Asked at `asked`, it told that it had room for `available` frames at `instant`: where its position stands still that is when
  /// it came there.
  @_noLocks mutating func read(available: Int64, at instant: Instant, asked: Instant) {
    readAt = instant
    askedAt = asked
    self.available = max(0, available)
  }

  /// It was given that many frames.
  @_noLocks mutating func give(_ frames: Int64) { available -= frames }

  /// The instant at which a device that plays `rate` frames a second has room for a period of `fill`.
  ///
  /// A position that moves in steps may stand still for longer than it seems to take: it is asked no more often than four times a
  /// period, so that the thread is not kept busy by it, and hardly late.
  @_noLocks func roomAt(_ fill: DeviceFill, rate: Int) -> Instant {
    let missing = Int64(fill.wakeRoom) - available
    guard missing > 0 else { return readAt }
    return max(
      readAt + Interval.frames(missing, rate: rate), askedAt + Interval.frames(Int64(fill.period / 4), rate: rate))
  }
}
