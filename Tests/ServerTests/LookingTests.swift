// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Server

/// In which order clients are read.
@Suite struct LookingTests {
  // In the order in which the kernel tells of them.
  private let clients: [UInt64] = [50, 20, 70, 16, 33]

  @Test func whereALookComesToOneItIsEverybodysTurnInTheEnd() {
    var read: [UInt64] = [0]
    for _ in 0..<11 { read.append(Looking.order(clients, after: read.last!, by: \.self)[0]) }
    #expect(read == [0, 16, 20, 33, 50, 70, 16, 20, 33, 50, 70, 16])
  }

  @Test func aLookBeginsBehindWhoWasReadLastAndGoesRound() {
    #expect(Looking.order(clients, after: 33, by: \.self) == [50, 70, 16, 20, 33])
    #expect(Looking.order([20], after: 33, by: \.self) == [20])
    #expect(Looking.order([UInt64](), after: 33, by: \.self).isEmpty)
  }
}
