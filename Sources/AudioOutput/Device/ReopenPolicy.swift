// SPDX-License-Identifier: Apache-2.0

import Timing

/// When, and how far ahead filled, a device that was let go is opened again, on the control side: pure.
public struct ReopenPolicy: Equatable, Sendable {
  /// The most frames kept ahead that growing leads to.
  public static let longestFill = 8_192

  /// The least frames to be kept ahead after the device ran dry with fewer; nil where it did not.
  public private(set) var neededFill: Int?
  /// Not before that instant.
  public private(set) var nextAttempt: Instant
  /// Until the next attempt, should this one fail.
  private var wait = Self.firstWait
  private var hasGivenUp = false
  /// Whether it was let go while nothing is to be heard, and nobody has wanted it since.
  public private(set) var isResting = false

  private static let firstWait = Interval.milliseconds(500)
  private static let longestWait = Interval.milliseconds(5_000)
  /// After a change: the nodes of a card are there before it has its name, of whose coming nobody is told.
  private static let waitAfterChange = Interval.milliseconds(8)

  /// A policy that lets the first attempt be made at once.
  public init() { nextAttempt = .distantPast }

  /// The device, which was kept `used` frames ahead, was let go at `now`.
  public mutating func released(_ reason: ReleaseReason, fill used: Int, at now: Instant) {
    wait = Self.firstWait
    isResting = reason == .resting
    switch reason {
    case .resting:
      nextAttempt = .distantFuture
    case .unstable:
      neededFill = min(used * 2, max(used, ReopenPolicy.longestFill))
      nextAttempt = now
    case .gone, .failing, .stalled, .suspended, .hanging:
      nextAttempt = now + Self.firstWait
    }
  }

  /// Opening failed at `now`: waits 0.5, 1, 2, 4, then every 5 seconds; after a change 8 ms, 16 ms and so on up to that.
  public mutating func failed(at now: Instant) {
    isResting = false
    nextAttempt = now + wait
    wait = min(wait + wait, Self.longestWait)
  }

  /// A device came, went or became accessible: tries at once and soon again, whatever failed before.
  public mutating func devicesChanged(at now: Instant) {
    guard !hasGivenUp, !isResting else { return }
    nextAttempt = now
    wait = Self.waitAfterChange
  }

  /// It is not to be opened again, whatever comes.
  public mutating func giveUp() {
    hasGivenUp = true
    nextAttempt = .distantFuture
  }

  /// It is wanted at `now`: where it rests it is opened at once.
  public mutating func wanted(at now: Instant) {
    if isResting { nextAttempt = now }
  }

  /// Opening succeeded.
  public mutating func opened() {
    wait = Self.firstWait
    isResting = false
  }
}
