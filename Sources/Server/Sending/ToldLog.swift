// SPDX-License-Identifier: Apache-2.0

import Engine
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
    /// Who owes for telling it; nil for what the daemon tells by itself.
    let payer: Payer?

    /// The client whose line it goes back to, which may have gone, and its process.
    struct Payer: Hashable {
      let client: ClientID
      let peer: Peer
    }
  }

  private var entries: [Entry] = []
  /// The number of the first entry that is kept: they are counted from 0 on, and no number is used twice.
  private var first = 0
  /// How many of the entries go back to each client.
  private var counts: [ClientID: Int] = [:]

  /// The number that the next entry gets.
  var end: Int { first + entries.count }

  /// How many entries somebody is still to be told of.
  var count: Int { entries.count }

  /// Whether all have been told of all.
  var isEmpty: Bool { entries.isEmpty }

  /// How many entries that go back to `client` somebody is still to be told of.
  func count(of client: ClientID) -> Int { entries.isEmpty ? 0 : counts[client] ?? 0 }

  /// Whose telling is next: that of the client whose line the first entry goes back to.
  var nextPayer: ClientID? { entries.first?.payer?.client }

  /// Puts one behind all others.
  mutating func append(_ notification: OutgoingNotification, at instant: Instant, by payer: Entry.Payer? = nil) {
    entries.append(Entry(notification: notification, at: instant, payer: payer))
    if let payer { counts[payer.client, default: 0] += 1 }
  }

  /// The entry of that number, which is below `end` and was not forgotten.
  subscript(number: Int) -> Entry { entries[number - first] }

  /// Everybody has been told of those before `number`.
  mutating func forget(before number: Int) {
    let count = min(max(number - first, 0), entries.count)
    first += count
    if count == entries.count {
      counts.removeAll(keepingCapacity: true)
      // So in nearly every turn: the room for a few is kept.
      return entries.removeAll(keepingCapacity: count <= Self.mostRoomKept)
    }
    for entry in entries[..<count] {
      guard let client = entry.payer?.client, let known = counts[client] else { continue }
      counts[client] = known > 1 ? known - 1 : nil
    }
    entries.removeFirst(count)
  }

  private static let mostRoomKept = 256
}
