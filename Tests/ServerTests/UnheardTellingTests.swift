// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Wire

@testable import Server

/// What nobody subscribed to is not carried to anybody.
@Suite struct UnheardTellingTests {
  private func cue(_ id: Int64) -> OutgoingNotification {
    OutgoingNotification(CueFired(id: id, cue: "x", skipped: []), tUs: 0)
  }

  @Test func itIsKeptForThoseWhoHearItAlone() throws {
    let rig = try Rig()
    let (listener, other) = (try rig.connect(), try rig.connect())
    let before = rig.server.told.end
    rig.host.pending = [cue(1)]
    rig.settle()
    #expect(rig.server.told.end == before)
    _ = rig.exchange(listener, #"{"id":1,"method":"events.subscribe","params":{"topics":["cue"]}}"# + "\n")
    rig.host.pending = [cue(2)]
    rig.settle()
    #expect(rig.server.told.end == before + 1)
    #expect(listener.lines().filter { $0.contains("cue.fired") }.count == 1)
    #expect(other.lines().isEmpty)
    // The last that heard it goes.
    listener.leave()
    while rig.server.connections.count > 1 { rig.settle() }
    rig.host.pending = [cue(3)]
    rig.settle()
    #expect(rig.server.told.end == before + 1)
  }
}
