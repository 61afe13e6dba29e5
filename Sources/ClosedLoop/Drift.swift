// SPDX-License-Identifier: Apache-2.0

import Timing

/// How a difference moves over a run, as a straight line that a few wrong points do not bend (Theil and Sen).
public struct Drift: Equatable, Sendable {
  /// Parts in a million: microseconds a second.
  public var partsPerMillion: Double

  /// The median of the slopes between points half a run apart, of `differences` at their instants in rising order; nil for
  /// fewer than ten, or all of one instant.
  public init?(_ differences: [(at: Instant, difference: Interval)]) {
    guard differences.count >= 10 else { return nil }
    let half = differences.count / 2
    // Each with the one half a run later: of all pairs those that tell the most.
    let slopes = (0..<(differences.count - half)).compactMap { index -> Double? in
      let (early, late) = (differences[index], differences[index + half])
      let apart = (late.at - early.at).nanoseconds
      guard apart > 0 else { return nil }
      return Double((late.difference - early.difference).nanoseconds) / Double(apart) * 1e6
    }
    .sorted()
    guard !slopes.isEmpty else { return nil }
    let middle = slopes.count / 2
    partsPerMillion = slopes.count.isMultiple(of: 2) ? (slopes[middle - 1] + slopes[middle]) / 2 : slopes[middle]
  }
}
