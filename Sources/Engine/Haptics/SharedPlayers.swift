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
  /// What is shared, without the players `left`. What goes on when its client has gone is, or a program that comes anew for each
  /// of its players would have a part for each.
  func sharedPlayers(but left: Set<HapticPlayerID> = []) -> SharedPlayers {
    var shared = SharedPlayers()
    var own: [ClientID: Int] = [:]
    for (player, owner) in owners where !left.contains(player) {
      if owner.cause.client == .daemon {
        shared.ofTheDaemon += 1
        continue
      }
      if !owner.hasLeft && own[owner.cause.client, default: 0] < HapticBoard.ownOfAClient {
        own[owner.cause.client, default: 0] += 1
      } else {
        shared.ofUsers[owner.cause.user, default: 0] += 1
        shared.ofClients += 1
        if owner.hasLeft { shared.gone[owner.cause.user, default: 0] += 1 }
      }
    }
    return shared
  }

  /// The client of these players has gone; for which of those that would go on there is room, in the order of their starts.
  mutating func noteLeft(_ players: [HapticPlayerID], goingOn wanted: Set<HapticPlayerID>) -> Set<HapticPlayerID> {
    var shared = sharedPlayers(but: Set(players))
    var going: Set<HapticPlayerID> = []
    for player in players {
      noteLeft(player)
      guard wanted.contains(player), let user = owners[player]?.cause.user else { continue }
      if shared.takeGone(of: user) { going.insert(player) }
    }
    return going
  }
}
