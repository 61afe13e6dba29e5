// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Server

/// In which order clients are read.
@Suite struct LookingTests {
  private func event(_ token: UInt64) -> EventLoop.Event {
    EventLoop.Event(token: token, isReadable: true, isWritable: false, hungUp: false)
  }

  @Test func whereALookComesToOneItIsEverybodysTurnInTheEnd() {
    var looking = Looking()
    // In the order in which the kernel tells of them each time.
    let events = [50, 20, 70, 16, 33].map { event($0) }
    var read: [UInt64] = []
    for _ in 0..<11 {
      looking.last = looking.inTurn(events)[0].token
      read.append(looking.last)
    }
    #expect(read == [16, 20, 33, 50, 70, 16, 20, 33, 50, 70, 16])
  }

  @Test func aLookBeginsBehindWhoWasReadLastAndGoesRound() {
    let looking = Looking(last: 33)
    #expect(looking.inTurn([50, 20, 70, 16, 33].map { event($0) }).map(\.token) == [50, 70, 16, 20, 33])
    #expect(looking.inTurn([event(20)]).map(\.token) == [20])
    #expect(looking.inTurn([]).isEmpty)
  }
}
