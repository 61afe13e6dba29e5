// SPDX-License-Identifier: Apache-2.0

/// A tap as the daemon gets it.
public struct Delivery: Sendable {
  /// When the finger came down.
  public var stamp: Int64
  public var lane: Int?
  /// When it came.
  public var now: Int64
  /// The stall during which it came.
  public var stall: ClosedRange<Int64>?

  public init(stamp: Int64, lane: Int?, now: Int64) { (self.stamp, self.lane, self.now) = (stamp, lane, now) }
}

extension [Delivery] {
  /// Nobody stamps ahead into what is not asked for yet.
  public func unaware(of pauses: [Pause]) -> [Delivery] {
    map { delivery in
      let tells = pauses.contains {
        delivery.now < $0.asked && $0.from <= delivery.stamp || delivery.now < $0.to && $0.to <= delivery.stamp
      }
      return tells ? Delivery(stamp: delivery.now, lane: delivery.lane, now: delivery.now) : delivery
    }
  }

  /// What comes in during a stall is read at its end.
  public func stalled(by stalls: [ClosedRange<Int64>]) -> [Delivery] {
    map { delivery in
      var delivery = delivery
      delivery.stall = stalls.first { $0.lowerBound < delivery.now && delivery.now <= $0.upperBound }
      return delivery
    }
  }
}

/// A run that stands still from `from` on and goes on at `to`, some way back; asked for a little ahead.
public struct Pause: Sendable {
  /// When it was asked for.
  public var asked: Int64
  public var from: Int64
  /// `Int64.max` where nobody knows.
  public var to: Int64
  public var countIn: Int64
  /// When its end was asked for.
  public var known: Int64

  /// One whose end is asked for as it comes.
  public init(asked: Int64, from: Int64, to: Int64 = .max, countIn: Int64 = 0) {
    (self.asked, self.from, self.to, self.countIn, known) = (asked, from, to, countIn, to)
  }
}
