// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// What was to be told at instants that a pause keeps from coming.
struct StandingNotifications {
  private var from: Instant?
  private var kept: [OutgoingNotification] = []

  /// The engine stands from `instant` on; `waiting` was to be told then or later.
  mutating func begin(_ instant: Instant, with waiting: [OutgoingNotification]) {
    from = instant
    kept += waiting
  }

  /// Whether it keeps one, which was to be told while the engine stands or later.
  mutating func keeps(_ notification: OutgoingNotification) -> Bool {
    guard let from, let sendAtUs = notification.sendAtUs, Instant(microseconds: sendAtUs) >= from else { return false }
    kept.append(notification)
    return true
  }

  /// Forgets what waits of a group for `instant` or later.
  mutating func recall(_ group: String, from instant: Instant = .distantPast) {
    kept.removeAll { kept in
      kept.group == group && kept.sendAtUs.map { Instant(microseconds: $0) >= instant } ?? true
    }
  }

  /// The engine goes on: what was kept, so many microseconds later.
  mutating func end(movedByUs length: Int64) -> [OutgoingNotification] {
    defer { (from, kept) = (nil, []) }
    return kept.map { $0.moved(byUs: length) }
  }
}
