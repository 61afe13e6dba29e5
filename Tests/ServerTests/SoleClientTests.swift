// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing

@testable import Server

/// Who alone has woken a turn owes what that did until its line was served.
@Suite struct SoleClientTests {
  private let act = #"{"id":1,"method":"rhythm.stop"}"# + "\n"

  @Test(arguments: [false, true])
  func itOwesTheWholeTurn(isSole: Bool) throws {
    let rig = try Rig(clock: .live)
    let (first, second) = (try rig.connect(), try rig.connect())
    // So that nobody has asked for less of late.
    for client in [first, second] { _ = rig.exchange(client, act) }
    first.send(act)
    rig.readLines(of: [1])
    // It began a second of the processor ago.
    rig.server.turnBeganWith = rig.server.processorUsed() - 1_000_000_000
    rig.server.serve(sole: isSole ? ClientID(rawValue: 1) : nil)
    let before = rig.host.taps.count
    for client in [first, second] { client.send(String(repeating: act, count: 3)) }
    rig.readLines(of: [1, 2])
    while rig.host.taps.count < before + 6 { rig.server.serve() }
    let order = rig.host.taps.dropFirst(before).map(\.cause.client.rawValue)
    // The other's three cost far less than that; else they take turns.
    if isSole { #expect(order == [2, 2, 2, 1, 1, 1]) } else { #expect(Set(order.prefix(4)) == [1, 2]) }
  }
}
