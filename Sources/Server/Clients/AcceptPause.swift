// SPDX-License-Identifier: Apache-2.0

import Timing

/// When clients are accepted again after descriptors ran out: soon at first, for what runs them out is mostly a crowd that is
/// refused and closed within moments, and each pass takes only as many of it as descriptors are free.
struct AcceptPause {
  /// How long the first pause is, and the longest.
  static let shortest = Interval.milliseconds(5)
  static let longest = Interval.milliseconds(1_000)

  /// When to accept again; nil while clients are accepted.
  private(set) var until: Instant?
  private var next = AcceptPause.shortest
  private var toldAt = Instant.distantPast

  /// Descriptors ran out; whether it is time to say so, once a second at most.
  mutating func begin(at now: Instant) -> Bool {
    until = now + next
    next = min(next + next, Self.longest)
    guard toldAt == .distantPast || now - toldAt >= Self.longest else { return false }
    toldAt = now
    return true
  }

  /// A client was accepted: there are descriptors, so the next pause is short.
  mutating func noteAccepted() { next = Self.shortest }

  /// Whether it is time to accept again; that ends the pause.
  mutating func isOver(at now: Instant) -> Bool {
    guard let until, now >= until else { return false }
    self.until = nil
    return true
  }
}
