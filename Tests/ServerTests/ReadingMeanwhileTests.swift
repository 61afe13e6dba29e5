// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing

@testable import Server

/// Who sends while others are served.
@Suite struct ReadingMeanwhileTests {
  private static let tap = #"{"id":1,"method":"rhythm.stop"}"# + "\n"

  /// Clients of two, in the order in which their lines are served, where the second sends while the first of the other's is.
  private func served(lasting length: Interval) throws -> [UInt64] {
    let rig = try Rig(clock: .live)
    let (first, second) = (try rig.connect(), try rig.connect())
    first.send(String(repeating: Self.tap, count: 3))
    let host = rig.host
    host.onTap = { [unowned host] in
      host.onTap = nil
      second.send(Self.tap)
      // Time passes for the server as for everybody.
      let end = host.now + length
      while host.now < end {}
    }
    rig.settle()
    return host.taps.map(\.cause.client.rawValue)
  }

  @Test func whoAsksSeldomIsServedInTheTurnThatGoesOn() throws {
    let order = try served(lasting: .milliseconds(1))
    #expect(order == [1, 2, 1, 1])
  }
}
