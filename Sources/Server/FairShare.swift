// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing

/// Whose line is served next: start-time fair queueing (Goyal, Vin and Cheng, 1996) among the clients that have lines waiting.
///
/// Each client has a tag: what it has cost so far, on a scale on which all clients that wait advance alike. The least tag is
/// served next, and moved on by what its line cost, which is known only then: so a dear line is paid off while others are
/// served. Who asks again after a while begins where the scale is by now. Nothing is saved up, and who asks seldom goes before
/// all who have lines without end, however many those are. A turn serves a bounded cost in all (and at most one line more),
/// and the next turn goes on where it ended. Knows no clock: costs are passed in.
struct FairShare {
  private struct Client {
    var id: ClientID
    /// Where on the scale its next line begins, in nanoseconds.
    var tag: Int64
    /// When it was served last, counted in lines: of equals the one that has waited longest goes first.
    var served: UInt64 = 0

    func precedes(_ other: Client) -> Bool { (tag, served) < (other.tag, other.served) }
  }

  private let turn: Int64
  private var clients: [Client] = []
  /// Where the scale is: the tag of what was served last.
  private var now: Int64 = 0
  private var lines: UInt64 = 0
  private var left: Int64 = 0

  /// `turn` is what all together may cost in a turn.
  init(turn: Interval = .milliseconds(4)) { self.turn = turn.nanoseconds }

  /// A client came: it owes nothing, and is behind those of the same tag.
  mutating func add(_ client: ClientID) { clients.append(Client(id: client, tag: now, served: lines)) }

  /// Whether it knows a client.
  func has(_ client: ClientID) -> Bool { clients.contains { $0.id == client } }

  /// A client has gone, and with it what it owes.
  mutating func remove(_ client: ClientID) { clients.removeAll { $0.id == client } }

  /// What all together may cost until the next call; without a value as always.
  mutating func beginTurn(_ cost: Interval? = nil) { left = cost?.nanoseconds ?? turn }

  /// Whose line to serve now; nil when nobody's waits, or the turn is over.
  mutating func next(_ hasLines: (ClientID) -> Bool) -> ClientID? {
    guard left > 0 else { return nil }
    var first: Int?
    for index in clients.indices where hasLines(clients[index].id) {
      clients[index].tag = max(clients[index].tag, now)
      if first.map({ clients[index].precedes(clients[$0]) }) ?? true { first = index }
    }
    guard let first else {
      // Nobody waits: what was owed is owed to nobody.
      now = clients.reduce(now) { max($0, $1.tag) }
      return nil
    }
    now = clients[first].tag
    return clients[first].id
  }

  /// What serving a line of `client` has cost.
  mutating func charge(_ cost: Interval, to client: ClientID) {
    left -= cost.nanoseconds
    guard let index = clients.firstIndex(where: { $0.id == client }) else { return }
    lines += 1
    clients[index].served = lines
    clients[index].tag += cost.nanoseconds
  }
}
