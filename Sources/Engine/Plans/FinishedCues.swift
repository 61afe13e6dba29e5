// SPDX-License-Identifier: Apache-2.0

import Timing

/// Firings that are over: what of them has happened can still be asked for, of the latest of each client while it is here.
struct FinishedCues {
  /// How many are remembered of one client.
  static let mostOfAClient = 64

  /// One that is over.
  struct Finished {
    var id: PlanID
    var done: [String]
    /// What came to nothing, and was not told with it as skipped.
    var undone: [String]
    /// What others are counted from.
    var begins: Instant
    var tag: String?
  }

  /// Of each client, in the order in which they ended.
  private var finished: [ClientID: [Finished]] = [:]

  /// How many are remembered.
  var count: Int { finished.values.reduce(0) { $0 + $1.count } }

  /// A firing that is over; nil where it is not remembered.
  func firing(_ id: PlanID) -> Finished? {
    for remembered in finished.values {
      if let cue = remembered.last(where: { $0.id == id }) { return cue }
    }
    return nil
  }

  /// From when others are counted that come behind a firing; nil where it is not remembered of this client.
  func begins(of id: PlanID, of client: ClientID) -> Instant? {
    finished[client]?.last { $0.id == id }?.begins
  }

  /// Remembers one; answers the one that is forgotten for it.
  mutating func remember(_ cue: Finished, of client: ClientID) -> Finished? {
    finished[client, default: []].append(cue)
    return finished[client, default: []].count > Self.mostOfAClient ? finished[client]?.removeFirst() : nil
  }

  /// A client has gone, and what is remembered of its firings with it.
  mutating func forget(_ client: ClientID) { finished[client] = nil }
}
