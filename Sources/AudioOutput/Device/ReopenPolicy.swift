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
  private var failures = 0
  private var hasGivenUp = false

  /// A policy that lets the first attempt be made at once.
  public init() { nextAttempt = .distantPast }

  /// The device, which was kept `used` frames ahead, was let go at `now`.
  public mutating func released(_ reason: ReleaseReason, fill used: Int, at now: Instant) {
    failures = 0
    switch reason {
    case .unstable:
      neededFill = min(used * 2, max(used, ReopenPolicy.longestFill))
      nextAttempt = now
    case .gone, .failing, .stalled, .suspended, .hanging:
      nextAttempt = now + .milliseconds(500)
    }
  }

  /// Opening failed at `now`: waits 0.5, 1, 2, 4, then every 5 seconds.
  public mutating func failed(at now: Instant) {
    nextAttempt = now + .milliseconds(min(500 << Int64(min(failures, 4)), 5_000))
    failures += 1
  }

  /// A device came, went or became accessible: tries at once, whatever failed before.
  public mutating func devicesChanged(at now: Instant) {
    guard !hasGivenUp else { return }
    nextAttempt = now
    failures = 0
  }

  /// It is not to be opened again, whatever comes.
  public mutating func giveUp() {
    hasGivenUp = true
    nextAttempt = .distantFuture
  }

  /// Opening succeeded.
  public mutating func opened() { failures = 0 }
}
