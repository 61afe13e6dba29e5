// SPDX-License-Identifier: Apache-2.0

import Engine
import Host
import Testing
import Timing

@testable import Server

@Suite struct ErrandQueueTests {
  private let dear = Interval.milliseconds(20)

  private func client(_ number: UInt64) -> ClientID { ClientID(rawValue: number) }

  /// Of one user; each client a process of its own, unless it is said which.
  private func peer(_ process: UInt64) -> Peer { Peer(user: 1_000, process: Int32(process)) }

  @Test func whoLeavesOneNowAndThenGoesBeforeThoseWhoLeaveOneAfterAnother() {
    var queue = ErrandQueue()
    for number: UInt64 in 1...40 { queue.add(Errand(), of: client(number), peer(number)) }
    // Each has had one done, and left another at once; no two take just as long.
    for number: Int64 in 1...40 {
      guard let next = queue.next() else { return #expect(Bool(false)) }
      queue.charge(dear + .microseconds(number), to: next.client)
      queue.add(Errand(), of: next.client, peer(next.client.rawValue))
    }
    let during = queue.next()
    #expect(during?.client == client(1))
    // While that is being done somebody else comes: it is next.
    queue.add(Errand(), of: client(99), peer(99))
    queue.charge(dear, to: client(1))
    #expect(queue.next()?.client == client(99))
    #expect(queue.next()?.client == client(2))
  }

  @Test func whoIsCheapIsServedMoreOften() {
    var queue = ErrandQueue()
    queue.add(Errand(), of: client(1), peer(1))
    queue.add(Errand(), of: client(2), peer(2))
    var done: [UInt64] = []
    for _ in 0..<9 {
      guard let next = queue.next() else { return #expect(Bool(false)) }
      done.append(next.client.rawValue)
      queue.charge(next.client == client(1) ? dear : .milliseconds(5), to: next.client)
      queue.add(Errand(), of: next.client, peer(next.client.rawValue))
    }
    #expect(done.count { $0 == 1 } == 2 && done.count { $0 == 2 } == 7)
  }

  @Test func whoHasGoneWaitsForNothing() {
    var queue = ErrandQueue()
    queue.add(Errand(), of: client(1), peer(1))
    queue.add(Errand(), of: client(2), peer(2))
    queue.remove(client(1))
    #expect(queue.next()?.client == client(2))
    #expect(queue.next() == nil)
  }
}
