// SPDX-License-Identifier: Apache-2.0

import Timing

/// When a card on which nothing is to be heard is let go: pure, on the control side.
///
/// A PCM that is open keeps the codec behind it powered, whatever it plays.
public struct IdlePolicy: Equatable, Sendable {
  /// What may still be heard of what control knows.
  public struct Demand: Equatable, Sendable {
    /// Whether something goes on that may want sound at any moment: a chapter, a pattern with sounds, what waits for the mixer.
    public var isBusy: Bool
    /// When the first sound is planned for, on the clock; nil for none.
    public var next: Instant?

    /// That demand.
    public init(isBusy: Bool, next: Instant?) {
      self.isBusy = isBusy
      self.next = next
    }
  }

  /// How long nothing is heard before a card is let go, where nobody says otherwise.
  public static let standardIdle = Interval.milliseconds(10_000)
  /// The least that a rest is to last as planned: for less a card is not closed.
  public static let leastRest = Interval.milliseconds(2_000)
  /// A device that takes longer to play again is not let go: what is asked for now would be heard too late.
  public static let longestWake = Interval.milliseconds(500)

  /// How long nothing has to be heard; nil where no device is let go.
  public let idle: Interval?

  /// Lets a card go after `idle` without a sound; never where that is nil.
  public init(idle: Interval?) { self.idle = idle }

  /// Whether a device is to be let go at `now` that has played nothing since `silentSince` (nil where it sounds or does not play)
  /// and takes `wake` at the longest until it plays again, nil where that is not known.
  public func letsGo(
    silentSince: Instant?, wake: Interval?, demand: @autoclosure () -> Demand, at now: Instant
  ) -> Bool {
    guard let idle, let silentSince, let wake, wake <= Self.longestWake, now - silentSince >= idle else { return false }
    let demand = demand()
    guard !demand.isBusy else { return false }
    return demand.next.map { $0 - now >= wake + DeviceRest.margin + Self.leastRest } ?? true
  }
}
