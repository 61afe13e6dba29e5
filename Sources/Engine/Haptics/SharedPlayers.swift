// SPDX-License-Identifier: Apache-2.0

import Haptics

/// How many haptic players there are beside those that are each client's own.
struct SharedPlayers {
  var ofUsers: [UInt32: Int] = [:]
  var ofClients = 0
  var ofTheDaemon = 0
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
      }
    }
    return shared
  }
}
