// SPDX-License-Identifier: Apache-2.0

import Engine
import Host
import SeededNumbers
import Testing
import Timing

@testable import Server

/// Clients that come, ask one dear thing, go, and come again as another, as fast as they are served.
@Suite struct NewcomersTests {
  /// Who it is that comes again and again.
  enum Kind: CaseIterable {
    /// One process that opens sockets.
    case sockets
    /// A process for each.
    case processes
    /// A process for each, which asks something cheap to be known, and then the dear thing.
    case twoFaced
  }

  private let places = 45
  private let honest = (client: ClientID(rawValue: 1), peer: Peer(user: 1_000, process: 1))

  /// The queue before many who come anew, and what they cost.
  private struct Crowd {
    var queue = ErrandQueue()
    let kind: Kind
    var random: SeededRandom
    /// Those that wait, with how much they will cost, and those that have yet to ask for the dear thing.
    var costs: [ClientID: Interval] = [:]
    var isKnown: [ClientID: Bool] = [:]
    /// How many errands were done when each came.
    var came: [ClientID: Int] = [:]
    var done = 0
    private var last: UInt64 = 1

    init(_ kind: Kind, seed: UInt64) { (self.kind, random) = (kind, SeededRandom(seed: seed)) }

    private func peer(_ client: ClientID) -> Peer {
      Peer(user: 1_000, process: kind == .sockets ? 2 : Int32(client.rawValue))
    }

    mutating func come() {
      last += 1
      let client = ClientID(rawValue: last)
      came[client] = done
      ask(client, kind == .twoFaced ? .microseconds(10) : dear())
    }

    /// 1 to 100 ms.
    mutating func dear() -> Interval { .milliseconds(1 + Int64(random.next(below: 100))) }

    private mutating func ask(_ client: ClientID, _ cost: Interval) {
      costs[client] = cost
      queue.add(Errand(), of: client, peer(client))
    }

    /// Its errand is done: it goes, and another comes; or it asks again.
    mutating func end(_ client: ClientID) {
      guard kind != .twoFaced || isKnown[client] == true else {
        isKnown[client] = true
        return ask(client, dear())
      }
      (costs[client], isKnown[client]) = (nil, nil)
      queue.remove(client)
      come()
    }
  }

  @Test(arguments: Kind.allCases, [1, 2, 3, 4] as [UInt64])
  func whoHasWaitedGoesBeforeThoseWhoCameSinceHoweverManyCome(kind: Kind, seed: UInt64) throws {
    var crowd = Crowd(kind, seed: seed)
    for _ in 0..<places { crowd.come() }
    var (owed, waited, passedBy, pause) = (Interval.zero, 0, Interval.zero, 0)
    var (lastServed, isWaiting, isDone) = (Int.max, false, 0)
    for _ in 0..<3_000 {
      if !isWaiting, pause == 0 {
        crowd.queue.add(Errand(), of: honest.client, honest.peer)
        (isWaiting, waited) = (true, 0)
      }
      pause = max(pause - 1, 0)
      let next = try #require(crowd.queue.next()?.client)
      if next == honest.client {
        let cost = crowd.dear()
        crowd.queue.charge(cost, to: next)
        crowd.done += 1
        (isWaiting, owed, passedBy, lastServed) = (false, cost, .zero, crowd.done)
        (isDone, pause) = (isDone + 1, crowd.random.next(below: 3))
        continue
      }
      let cost = try #require(crowd.costs[next])
      crowd.queue.charge(cost, to: next)
      crowd.done += 1
      // Before it has been served once it is one of them, and has its place among those who wait.
      if isWaiting, lastServed < .max {
        waited += 1
        if kind == .sockets || (crowd.came[next] ?? 0) >= lastServed { passedBy += cost }
        // What it cost last itself, and one more, of those who came since; and of those who waited before it each one.
        #expect(passedBy <= owed + .milliseconds(100))
        if kind != .sockets { #expect(waited <= 4 * places) }
      }
      crowd.end(next)
    }
    // One process has no more than half.
    #expect(isDone > (kind == .sockets ? 900 : 20))
  }

  @Test(arguments: Kind.allCases) func whoAsksSeldomIsNextHoweverManyCome(kind: Kind) throws {
    var crowd = Crowd(kind, seed: 5)
    for _ in 0..<places { crowd.come() }
    var pauses: [Int] = []
    for _ in 0..<10 {
      // Those that wait are served meanwhile, each at most twice, and as many that come in their place.
      for _ in 0..<200 {
        let next = try #require(crowd.queue.next()?.client)
        crowd.queue.charge(try #require(crowd.costs[next]), to: next)
        crowd.end(next)
      }
      crowd.queue.add(Errand(), of: honest.client, honest.peer)
      var waited = 0
      while let next = crowd.queue.next()?.client {
        let isHonest = next == honest.client
        crowd.queue.charge(isHonest ? .milliseconds(100) : try #require(crowd.costs[next]), to: next)
        if isHonest { break }
        waited += 1
        crowd.end(next)
      }
      pauses.append(waited)
    }
    // The first time it comes anew itself.
    #expect(pauses.dropFirst().allSatisfy { $0 == 0 })
  }

  /// It is a process that was not there before, too.
  @Test func whoComesForTheFirstTimeIsNextBeforeAProcessOfManySockets() throws {
    var crowd = Crowd(.sockets, seed: 1)
    for _ in 0..<places { crowd.come() }
    for round: UInt64 in 0..<100 {
      for _ in 0..<3 {
        let next = try #require(crowd.queue.next()?.client)
        crowd.queue.charge(try #require(crowd.costs[next]), to: next)
        crowd.end(next)
      }
      let client = ClientID(rawValue: 1_000_000 + round)
      crowd.queue.add(Errand(), of: client, Peer(user: 1_000, process: Int32(1_000 + round)))
      #expect(crowd.queue.next()?.client == client)
      crowd.queue.charge(.milliseconds(20), to: client)
      crowd.queue.remove(client)
    }
  }
}
