// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing

/// Whose line is served next: start-time fair queueing (Goyal, Vin and Cheng, 1996) among the users that have lines waiting,
/// among the processes of the one that is next, and among the clients of that process. So a process has one share, however
/// many sockets it opens. How each of the three goes is `FairNode`'s.
///
/// A dear line is paid off while others are served. A turn serves a bounded cost in all (and at most one line more), and the
/// next turn goes on where it ended. Knows no clock: costs are passed in.
struct FairShare {
  private let turn: Int64
  private var all = FairNode()
  /// User, process and client.
  private var paths: [ClientID: [UInt64]] = [:]
  /// Who is being served, and whether it has gone meanwhile: it stays until that is charged.
  private var served: (client: ClientID, hasGone: Bool)?
  private var left: Int64 = 0

  /// `turn` is what all together may cost in a turn.
  init(turn: Interval = .milliseconds(4)) { self.turn = turn.nanoseconds }

  /// A client of `peer` came: it owes nothing, and is behind those that wait and owe nothing.
  mutating func add(_ client: ClientID, of peer: Peer) {
    let path = Self.path(of: peer) + [client.rawValue]
    paths[client] = path
    all.add(path[...])
  }

  /// Whether it knows a client.
  func has(_ client: ClientID) -> Bool { paths[client] != nil }

  /// A client has gone. What it owes goes with it; what its process and its user owe stays theirs.
  mutating func remove(_ client: ClientID) {
    if served?.client == client {
      served?.hasGone = true
    } else if let path = paths.removeValue(forKey: client) {
      all.remove(path[...])
    }
  }

  /// What all together may cost until the next call, `spent` on other things included; without a value as always. A quarter of it is
  /// for lines whatever was spent, and one line at least, or nobody would be served any more; where the turn is for telling it is one.
  mutating func beginTurn(_ cost: Interval? = nil, spent: Interval = .zero, isForTelling: Bool = false) {
    let whole = cost?.nanoseconds ?? turn
    left = isForTelling ? 1 : max(whole - spent.nanoseconds, whole / 4, 1)
  }

  /// That a client of `peer` came, or went, has cost so much beside all lines: its process owes that, whether any client of it is
  /// still there or not.
  mutating func chargePassing(_ cost: Interval, to peer: Peer) {
    all.chargeGroup(cost.nanoseconds, Self.path(of: peer)[...])
  }

  private static func path(of peer: Peer) -> [UInt64] {
    [UInt64(peer.user), UInt64(UInt32(bitPattern: peer.process))]
  }

  /// Whose line to serve now, to be charged before the next is asked for; nil when nobody's waits, or the turn is over and none is `due`
  /// however little is left.
  mutating func next(isDue: Bool = false, _ hasLines: (ClientID) -> Bool) -> ClientID? {
    endServing()
    guard left > 0 || isDue, all.look({ hasLines(ClientID(rawValue: $0)) }) else { return nil }
    let client = ClientID(rawValue: all.next())
    served = (client, false)
    return client
  }

  /// What serving a line of `client` has cost. `besides` is what the turn did meanwhile, which nobody owes.
  mutating func charge(_ cost: Interval, to client: ClientID, besides: Interval = .zero) {
    left -= cost.nanoseconds + besides.nanoseconds
    if let path = paths[client] { all.charge(cost.nanoseconds, to: path[...]) }
    endServing()
  }

  /// The turn of the client that is next was for telling, which has cost so much: those owe that whose lines it goes back to. It has
  /// had its turn even so, and is behind those who owe as much.
  mutating func tell(_ client: ClientID, for cost: Interval) { charge(.zero, to: client, besides: cost) }

  /// Whether the turn has room left: without, it is for one line yet, where none was served.
  var hasRoom: Bool { left > 0 }

  /// What telling others has cost: its client owes that, or where it has gone its process.
  mutating func chargeTelling(_ cost: Interval, to payer: ToldLog.Entry.Payer) {
    let path = paths[payer.client] ?? Self.path(of: payer.peer)
    all.owe(cost.nanoseconds, path[...], isGroup: path.count == 2)
  }

  private mutating func endServing() {
    guard let ended = served else { return }
    served = nil
    if ended.hasGone { remove(ended.client) }
  }
}
