// SPDX-License-Identifier: Apache-2.0

/// A whole flight by flips that are known beforehand, as solutions are replayed.
public struct Flight: Equatable, Sendable {
  /// How it ended; nil where it still went on at its limit.
  public let end: Attempt.End?
  /// From launch to the end, or to the limit.
  public let lastedUs: Int64
  public let flips: Int
  public let isCollected: [Bool]

  /// Flies a level with flips at these instants after the launch, in rising order, for `limitUs` at most.
  public init(_ level: Level, rules: BallRules, flipsUs: [Int64], limitUs: Int64) {
    var attempt = Attempt(level: level, rules: rules, launchedUs: 0)
    var events: [Attempt.Event] = []
    for flipUs in flipsUs where flipUs <= limitUs { events += attempt.flip(atUs: flipUs).events }
    events += attempt.advance(toUs: limitUs)
    end = attempt.end
    flips = attempt.flips
    isCollected = attempt.isCollected
    var lastedUs = limitUs
    for case .ended(_, let atUs) in events { lastedUs = atUs }
    self.lastedUs = lastedUs
  }
}
