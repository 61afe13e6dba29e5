// SPDX-License-Identifier: Apache-2.0

import Engine
import Host
import Timing

/// Errands that wait, at most one of each client: whose has cost the least is next, as with lines (`FairShare`), so that
/// who leaves one now and then waits for the one being done and not for those of all who leave one after another.
///
/// Knows no clock: costs are passed in.
struct ErrandQueue {
  // There are no turns: one errand is done after another.
  private var shares = FairShare(turn: Interval(nanoseconds: .max))
  private var waiting: [ClientID: Errand] = [:]

  /// Has `errand` wait, of a client of `peer`.
  mutating func add(_ errand: Errand, of client: ClientID, _ peer: Peer) {
    if waiting.updateValue(errand, forKey: client) == nil, !shares.has(client) { shares.add(client, of: peer) }
  }

  /// The next, which waits no more; nil where none waits.
  mutating func next() -> (client: ClientID, errand: Errand)? {
    shares.beginTurn()
    guard let client = shares.next({ waiting[$0] != nil }), let errand = waiting.removeValue(forKey: client) else {
      return nil
    }
    return (client, errand)
  }

  /// What an errand of `client` has cost.
  mutating func charge(_ cost: Interval, to client: ClientID) { shares.charge(cost, to: client) }

  /// A client has gone: nobody waits for its errand.
  mutating func remove(_ client: ClientID) {
    waiting[client] = nil
    shares.remove(client)
  }
}
