// SPDX-License-Identifier: Apache-2.0

import Engine

/// Who clients are, those that have gone included: what they had planned is told of later, and their process owes for that.
struct KnownPeers {
  /// So many that have gone are known; who went first is forgotten for more.
  static let mostGone = 1_024

  private var peers: [ClientID: Peer] = [:]
  private var gone: [ClientID] = []
  private var forgotten = 0

  /// Who that client is, or was.
  subscript(client: ClientID) -> Peer? { peers[client] }

  /// A client came.
  mutating func add(_ client: ClientID, _ peer: Peer) { peers[client] = peer }

  /// A client has gone.
  mutating func leave(_ client: ClientID) {
    guard peers[client] != nil else { return }
    gone.append(client)
    if gone.count - forgotten > Self.mostGone {
      peers[gone[forgotten]] = nil
      forgotten += 1
    }
    // By halves, so that none is moved more than once.
    if forgotten > Self.mostGone {
      gone.removeFirst(forgotten)
      forgotten = 0
    }
  }
}
