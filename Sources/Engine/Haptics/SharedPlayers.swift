// SPDX-License-Identifier: Apache-2.0

import Haptics

/// How many haptic players there are beside those that are each client's own.
struct SharedPlayers {
  var ofUsers: [UInt32: Int] = [:]
  var ofClients = 0
  var ofTheDaemon = 0
  /// Of those of users, the ones whose clients have gone.
  var gone: [UInt32: Int] = [:]

  /// Takes room for one that goes on when its client has gone; false where there is none. All that have gone of a user are in
  /// this one client of it: beyond the first few they leave the last places to clients that are there.
  mutating func takeGone(of user: UInt32) -> Bool {
    let kept = gone[user, default: 0] < HapticBoard.fewPlayers ? 0 : HapticBoard.keptForFew
    guard ofUsers[user, default: 0] < HapticBoard.mostPlayersOfAUser - kept,
      ofClients < HapticBoard.mostPlayersOfClients - kept
    else { return false }
    ofUsers[user, default: 0] += 1
    ofClients += 1
    gone[user, default: 0] += 1
    return true
  }
}

extension HapticBoard {
  /// What is shared, without the players `left`.
  func sharedPlayers(but left: [HapticPlayerID] = []) -> SharedPlayers {
    var counts = counts
    for owner in left.compactMap({ owners[$0] }) { counts.remove(owner.cause, hasLeft: owner.hasLeft) }
    return counts.shared
  }

  /// The client of these players has gone; for which of those that would go on there is room, in the order of their starts.
  mutating func noteLeft(_ players: [HapticPlayerID], goingOn wanted: Set<HapticPlayerID>) -> Set<HapticPlayerID> {
    var shared = sharedPlayers(but: players)
    var going: Set<HapticPlayerID> = []
    for player in players {
      noteLeft(player)
      guard wanted.contains(player), let user = owners[player]?.cause.user else { continue }
      if shared.takeGone(of: user) { going.insert(player) }
    }
    return going
  }
}
