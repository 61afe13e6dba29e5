// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// What clients are told, in order, until each has been told of it: written once for all, and each client reads on at its own
/// place (`Connection.told`). So a client waits for what it is told itself, and never for what others are.
struct ToldLog {
  /// One that is told.
  struct Entry {
    let notification: OutgoingNotification
    /// As of when it is told on a clock that does not run by itself.
    let at: Instant
  }

  private var entries: [Entry] = []
  /// The number of the first entry that is kept: they are counted from 0 on, and no number is used twice.
  private var first = 0

  /// The number that the next entry gets.
  var end: Int { first + entries.count }

  /// How many entries somebody is still to be told of.
  var count: Int { entries.count }

  /// Whether all have been told of all.
  var isEmpty: Bool { entries.isEmpty }

  /// Puts one behind all others.
  mutating func append(_ notification: OutgoingNotification, at instant: Instant) {
    entries.append(Entry(notification: notification, at: instant))
  }

  /// The entry of that number, which is below `end` and was not forgotten.
  subscript(number: Int) -> Entry { entries[number - first] }

  /// Everybody has been told of those before `number`.
  mutating func forget(before number: Int) {
    let count = min(max(number - first, 0), entries.count)
    first += count
    if count < entries.count { return entries.removeFirst(count) }
    // So in nearly every turn: the room for a few is kept.
    entries.removeAll(keepingCapacity: count <= Self.mostRoomKept)
  }

  private static let mostRoomKept = 256
}
