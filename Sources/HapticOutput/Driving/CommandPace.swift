// SPDX-License-Identifier: Apache-2.0

import Timing

/// How often a device's thread takes in what is asked of it: 32 times at once, and from then on once a millisecond, all that has come
/// meanwhile together. A client that asks without end would have a thread in real time do nothing else, before everybody's
/// programs. What is planned is done at its instant all the same.
struct CommandPace: Sendable {
  private static let price = Interval.milliseconds(1)
  private static let most = Interval.milliseconds(32)

  private var saved = most
  private var countedUntil = Instant.distantPast

  /// When commands may be taken in next, at `now`: nil for now.
  mutating func due(at now: Instant) -> Instant? {
    if now > countedUntil {
      saved = min(saved + (now - max(countedUntil, now - Self.most)), Self.most)
      countedUntil = now
    }
    return saved >= Self.price ? nil : now + (Self.price - saved)
  }

  /// Some were taken in.
  mutating func spend() { saved -= Self.price }
}
