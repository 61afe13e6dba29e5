// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How the daemon's clock stands to this program's CLOCK_MONOTONIC, measured through the socket.
///
/// A reading that was asked for at s and came back at r was made in between, so the offset lies within an interval as long as
/// the round trip. Both clocks are one kernel's (a container may shift its own by a constant), so every reading's interval
/// holds for all time, and the offset lies in all of them.
public struct ClockMap: Sendable, Equatable {
  /// The bounds of what is to be added to this program's clock, in nanoseconds.
  private(set) var least: Int64
  private(set) var most: Int64

  /// One reading: the daemon's clock showed `daemonUs`, rounded down, between two instants of this program's.
  init(daemonUs: Int64, sentNs: Int64, receivedNs: Int64) {
    // What a daemon says is not trusted to be near.
    least = daemonUs &* 1_000 &- receivedNs
    most = daemonUs &* 1_000 &+ 999 &- sentNs
  }

  /// What both leave possible; where that is nothing the clock was moved, and the newer one counts.
  func narrowed(by newer: ClockMap) -> ClockMap {
    var both = newer
    (both.least, both.most) = (max(least, newer.least), min(most, newer.most))
    return both.least <= both.most ? both : newer
  }

  /// What is to be added to this program's clock to have the daemon's, in microseconds: the middle of what is possible.
  public var offsetUs: Int64 {
    let middle = least &+ halfWidthNs
    let (quotient, remainder) = middle.quotientAndRemainder(dividingBy: 1_000)
    return quotient + (remainder >= 500 ? 1 : remainder < -500 ? -1 : 0)
  }

  /// How far `offsetUs` can be from the truth: half the shortest round trip, and what rounding adds.
  public var errorUs: Int64 { (halfWidthNs &+ 500) / 1_000 + 1 }

  private var halfWidthNs: Int64 { (most &- least) / 2 }

  /// The daemon's instant at one of this program's clock, in microseconds.
  public func daemonUs(atLocalUs instant: Int64) -> Int64 { instant &+ offsetUs }

  /// This program's instant at one of the daemon's clock, in microseconds.
  public func localUs(atDaemonUs instant: Int64) -> Int64 { instant &- offsetUs }

  /// This program's CLOCK_MONOTONIC in microseconds.
  public static var localUs: Int64 { monotonicNs() / 1_000 }
}
