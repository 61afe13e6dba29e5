// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing

/// Whose line is served next: deficit round robin among the clients that have lines waiting.
///
/// In each round a client is given a quantum. What its line cost is known, and charged, only after it was served, so a
/// dear line leaves a debt that the rounds to come pay off while others are served. A turn serves a bounded cost in all
/// (and at most one line more), and the next turn goes on where it ended. Where only one client has lines it waits for
/// nobody. Knows no clock: costs are passed in.
struct FairShare {
  private let quantum: Int64
  private let turn: Int64
  /// In the order of their rounds.
  private var clients: [(id: ClientID, credit: Int64)] = []
  /// The place of the one that is being served.
  private var place = 0
  private var left: Int64 = 0

  /// `quantum` is what a client may cost in a round, `turn` what all together may cost in a turn.
  init(quantum: Interval = .milliseconds(1), turn: Interval = .milliseconds(4)) {
    self.quantum = quantum.nanoseconds
    self.turn = turn.nanoseconds
  }

  /// A client came: its round is after all others'.
  mutating func add(_ client: ClientID) {
    clients.insert((client, 0), at: place)
    if clients.count > 1 { place += 1 }
  }

  /// A client has gone, and with it what it owes.
  mutating func remove(_ client: ClientID) {
    guard let index = clients.firstIndex(where: { $0.id == client }) else { return }
    clients.remove(at: index)
    if index <= place { place = place > 0 ? place - 1 : max(0, clients.count - 1) }
  }

  /// What all together may cost until the next call; without a value as always.
  mutating func beginTurn(_ cost: Interval? = nil) { left = cost?.nanoseconds ?? turn }

  /// Whose line to serve now; nil when nobody's waits, or the turn is over.
  mutating func next(_ hasLines: (ClientID) -> Bool) -> ClientID? {
    guard left > 0, !clients.isEmpty else { return nil }
    if hasLines(clients[place].id) {
      if clients[place].credit > 0 { return clients[place].id }
    } else {
      // Nothing is saved up.
      clients[place].credit = min(clients[place].credit, 0)
    }
    while true {
      var leastDebt: Int64?
      for _ in clients.indices {
        place = (place + 1) % clients.count
        clients[place].credit += quantum
        if !hasLines(clients[place].id) {
          clients[place].credit = min(clients[place].credit, 0)
        } else if clients[place].credit > 0 {
          return clients[place].id
        } else {
          leastDebt = min(leastDebt ?? .max, -clients[place].credit)
        }
      }
      // All that wait are in debt: the rounds that would serve nobody are passed over.
      guard let leastDebt else { return nil }
      let paid = leastDebt / quantum * quantum
      for index in clients.indices { clients[index].credit = min(clients[index].credit + paid, 0) }
    }
  }

  /// What serving a line of `client` has cost.
  mutating func charge(_ cost: Interval, to client: ClientID) {
    left -= cost.nanoseconds
    guard let index = clients.firstIndex(where: { $0.id == client }) else { return }
    clients[index].credit -= cost.nanoseconds
  }
}
