// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// Notifications that wait for their instant, in order of it; those of one instant in order of arrival.
struct TimedQueue {
  private var waiting: [(at: Instant, notification: OutgoingNotification)] = []

  /// When the first is due.
  var next: Instant? { waiting.first?.at }

  /// The first that is due.
  var first: OutgoingNotification? { waiting.first?.notification }

  /// Puts one in its place.
  mutating func insert(_ notification: OutgoingNotification, at instant: Instant) {
    // Nearly always the last: the search begins at the end.
    let index = waiting.lastIndex { $0.at <= instant }.map { $0 + 1 } ?? 0
    waiting.insert((instant, notification), at: index)
  }

  /// Takes out what of a group was to be told at `instant` or later, and is not any more.
  mutating func recall(_ group: String, from instant: Instant = .distantPast) {
    waiting.removeAll { $0.notification.group == group && $0.at >= instant }
  }

  /// Takes out what is due at `instant` or later, in order.
  mutating func take(from instant: Instant) -> [OutgoingNotification] {
    let count = waiting.firstIndex { $0.at >= instant } ?? waiting.count
    defer { waiting.removeSubrange(count...) }
    return waiting[count...].map(\.notification)
  }

  /// Takes out what is due at `now`.
  mutating func take(dueAt now: Instant) -> [OutgoingNotification] {
    let count = waiting.firstIndex { $0.at > now } ?? waiting.count
    defer { waiting.removeFirst(count) }
    return waiting[..<count].map(\.notification)
  }

  /// Takes out what is due at `now`, and drops of it what has become useless meanwhile.
  mutating func takeFresh(dueAt now: Instant) -> [OutgoingNotification] {
    take(dueAt: now).filter { notification in notification.uselessAfterUs.map { now.microseconds <= $0 } ?? true }
  }
}
