// SPDX-License-Identifier: Apache-2.0

import Wire

/// Who may have how many of the places for clients: no user all of them, and the daemon's owner some at any time, which root leaves to
/// it as all others do, and root some, which the owner leaves to it as all others do.
struct Places {
  /// The most clients at once, of one user, and what is kept for the owner.
  let limits: Limits
  /// The daemon's own user.
  let owner: UInt32

  /// Refuses a client of `user` while those of `present` are connected, where there is no place for it.
  func check(_ user: UInt32, among present: some Sequence<UInt32>) throws(RPCError) {
    var (all, own, notOwners, notRoots, others) = (0, 0, 0, 0, 0)
    for other in present {
      all += 1
      if other == user { own += 1 }
      if other != owner { notOwners += 1 }
      if other != root { notRoots += 1 }
      if other != owner, other != root { others += 1 }
    }
    if all >= limits.clients {
      throw RPCError(
        .tooManyClients, "\(all) clients are connected, the most there may be", hint: "close one of them first")
    }
    if own >= limits.clientsOfAUser {
      throw RPCError(
        .tooManyClients, "user \(user) has \(own) clients connected, the most one may have",
        hint: "close one of them first")
    }
    let left = limits.clients - limits.clientsReserved
    if user != owner, notOwners >= left {
      throw RPCError(
        .tooManyClients, "\(notOwners) clients are connected; the places left are the daemon's owner's",
        hint: "close one of them first")
    }
    // Of a daemon of root's the owner's places are root's.
    if owner == root { return }
    if user != root, notRoots >= left {
      throw RPCError(
        .tooManyClients, "\(notRoots) clients are connected; the places left are root's",
        hint: "close one of them first")
    }
    if user != owner, user != root, others >= left - limits.clientsReserved {
      throw RPCError(
        .tooManyClients, "\(others) clients are connected; the places left are the daemon's owner's and root's",
        hint: "close one of them first")
    }
  }

  private var root: UInt32 { 0 }
}
