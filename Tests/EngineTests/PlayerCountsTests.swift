// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing
import Timing

@testable import Engine

@Suite struct PlayerCountsTests {
  /// Players that come, are left and end in any order, against a list that is gone through anew each time.
  @Test func whatIsSharedIsWhatAListOfAllSays() throws {
    try search(upTo: 40) { random in
      var counts = PlayerCounts()
      var all: [(cause: Cause, hasLeft: Bool)] = []
      for _ in 0..<200 {
        switch random.next(below: 4) {
        case 0, 1:
          let client = UInt64(random.next(below: 6))
          let cause = Cause(
            client: client == 0 ? .daemon : ClientID(rawValue: client), user: UInt32(client % 3), line: 1)
          counts.add(cause)
          all.append((cause, false))
        case 2:
          let present = all.indices.filter { !all[$0].hasLeft && all[$0].cause.client != .daemon }
          guard let place = present.isEmpty ? nil : random.pick(present) else { continue }
          counts.noteLeft(all[place].cause)
          all[place].hasLeft = true
        default:
          guard !all.isEmpty else { continue }
          let place = random.next(below: all.count)
          counts.remove(all[place].cause, hasLeft: all[place].hasLeft)
          all.remove(at: place)
        }
        // Of each client that is there one is its own, and all others of clients are shared.
        let shared = counts.shared
        for user in 0..<3 as Range<UInt32> {
          let ofUser = all.filter { $0.cause.client != .daemon && $0.cause.user == user }
          let own = Set(ofUser.filter { !$0.hasLeft }.map(\.cause.client)).count
          try #require(shared.ofUsers[user] ?? 0 == ofUser.count - own)
          try #require(shared.gone[user] ?? 0 == ofUser.count { $0.hasLeft })
        }
        try #require(shared.ofClients == shared.ofUsers.values.reduce(0, +))
        try #require(shared.ofTheDaemon == all.count { $0.cause.client == .daemon })
        for client in 1..<6 as Range<UInt64> {
          let present = all.count { $0.cause.client.rawValue == client && !$0.hasLeft }
          try #require(counts.count(of: ClientID(rawValue: client)) == present)
        }
      }
    }
  }
}
