// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Engine

@Suite struct SharesTests {
  @Test func whatIsGivenBackOfManyAtOnceIsWhatEachWouldGive() throws {
    let causes = ([(1, 10), (2, 10), (3, 20)] as [(UInt64, UInt32)]).map { client, user in
      Cause(client: ClientID(rawValue: client), user: user, line: 1)
    }
    var (atOnce, oneByOne) = (Shares(), Shares())
    for cause in causes + [.daemon] {
      try atOnce.take(5, for: cause)
      try oneByOne.take(5, for: cause)
    }
    let given = [0, 1, 0, 2, 1, 0, 0, 0].map { causes[$0] } + [.daemon]
    atOnce.giveOne(forEach: given)
    for cause in given { oneByOne.give(1, for: cause) }
    for client in (causes + [.daemon]).map(\.client) {
      #expect(atOnce.count(of: client) == oneByOne.count(of: client))
    }
    #expect(atOnce.count == oneByOne.count && atOnce.count == 11)
  }
}
