// SPDX-License-Identifier: Apache-2.0

import Timing

/// Whether a device that is kept far ahead could do with less, by what was never used of it: pure.
///
/// What a device once needed may have been another program's fault, or a busy day's. So after a quiet while the frames that
/// were always left, but for a period, count as not needed; it is opened with the rest the next time.
public struct FillEasing: Equatable, Sendable {
  /// For how long nothing must have run dry.
  public static let quiet = Interval.milliseconds(600_000)
  /// What is needed is a multiple of that, in frames.
  private static let grain = 64

  private var since: Instant?
  private var fill = 0
  private var troubles = 0
  private var least = Int.max

  /// Nothing is known.
  public init() {}

  /// Takes in, at `now`, that a device is kept `fill` frames ahead in periods of `period`, that it had `leastQueued` frames
  /// left at the least since the last look (`.max` where nobody looked), and that it ran dry `troubles` times so far. The
  /// frames that it needs, less than `fill`, once a quiet while has shown that.
  public mutating func look(fill: Int, period: Int, leastQueued: Int, troubles: Int, at now: Instant) -> Int? {
    guard let since, fill == self.fill, troubles == self.troubles else {
      (self.since, self.fill, self.troubles, least) = (now, fill, troubles, .max)
      return nil
    }
    least = min(least, leastQueued)
    guard now - since >= Self.quiet else { return nil }
    defer { (self.since, least) = (now, .max) }
    guard least < .max else { return nil }
    let needed = (fill - max(0, least - period) + Self.grain - 1) / Self.grain * Self.grain
    return needed < fill ? needed : nil
  }
}
