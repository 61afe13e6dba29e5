// SPDX-License-Identifier: Apache-2.0

/// How many haptic players there are, by whose they are: counted as they come and go, for each start asks for it.
struct PlayerCounts: Equatable {
  private struct OfAClient: Equatable {
    var user: UInt32
    var players = 0
  }

  /// Of clients that are there.
  private var clients: [ClientID: OfAClient] = [:]
  /// Of those that have gone, by user.
  private var gone: [UInt32: Int] = [:]
  private var ofTheDaemon = 0

  /// How many a client has that is there.
  func count(of client: ClientID) -> Int { client == .daemon ? ofTheDaemon : clients[client]?.players ?? 0 }

  /// One was started.
  mutating func add(_ cause: Cause) {
    if cause.client == .daemon {
      ofTheDaemon += 1
      return
    }
    clients[cause.client, default: OfAClient(user: cause.user)].players += 1
  }

  /// One is over, of a client that `hasLeft` or not.
  mutating func remove(_ cause: Cause, hasLeft: Bool) {
    if hasLeft {
      let rest = (gone[cause.user] ?? 0) - 1
      gone[cause.user] = rest > 0 ? rest : nil
    } else if cause.client == .daemon {
      ofTheDaemon -= 1
    } else if let place = clients.index(forKey: cause.client) {
      clients.values[place].players -= 1
      if clients.values[place].players == 0 { clients.remove(at: place) }
    }
  }

  /// The client of one has gone.
  mutating func noteLeft(_ cause: Cause) {
    remove(cause, hasLeft: false)
    gone[cause.user, default: 0] += 1
  }

  /// What is shared. What goes on when its client has gone is, or a program that comes anew for each of its players would have a
  /// part for each.
  var shared: SharedPlayers {
    var shared = SharedPlayers(
      ofUsers: gone, ofClients: gone.values.reduce(0, +), ofTheDaemon: ofTheDaemon, gone: gone)
    for client in clients.values where client.players > HapticBoard.ownOfAClient {
      shared.ofUsers[client.user, default: 0] += client.players - HapticBoard.ownOfAClient
      shared.ofClients += client.players - HapticBoard.ownOfAClient
    }
    return shared
  }
}
