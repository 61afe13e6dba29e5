// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Wire

@testable import Server

@Suite struct EndingTests {
  private let subscribe = #"{"id":1,"method":"events.subscribe","params":{"topics":["music"]}}"# + "\n"

  @Test func aTerminationSignalEndsTheServerAndRemovesItsSocket() throws {
    let rig = try Rig()
    #expect(rig.server.turn(waiting: false))
    pthread_kill(pthread_self(), SIGTERM)
    #expect(rig.server.run() == 0)
    #expect(rig.host.stopped)
    #expect(rig.folder.mode("run/starlightd.sock") == nil)
  }

  @Test func theExitCodeTellsOfAFileThatIsNotWhole() throws {
    let rig = try Rig()
    rig.host.hasIncompleteFile = true
    rig.server.requestEnd()
    #expect(rig.server.run() == 1)
  }

  @Test func clientsAreToldOfTheEndAndThenClosed() throws {
    let rig = try Rig()
    let client = try rig.connect()
    _ = rig.exchange(client, subscribe)
    rig.server.requestEnd()
    #expect(TestClient(path: rig.path) == nil)
    #expect(!rig.server.turn(waiting: false))
    #expect(
      client.lines() == [#"{"jsonrpc":"2.0","method":"music.changed","params":{"seq":1,"tUs":0,"change":"stopped"}}"#])
    #expect(client.isClosed)
  }

  @Test func clientsAreServedUntilTheFadeIsOver() throws {
    let rig = try Rig(clock: .live)
    rig.host.fadeNs = 3_600_000_000_000
    let client = try rig.connect()
    rig.server.requestEnd()
    let answers = rig.exchange(client, #"{"id":1,"method":"settings.get"}"# + "\n")
    #expect(answers.count == 1)
    #expect(!rig.host.stopped)
    // Asked twice, it ends at once.
    rig.server.requestEnd()
    #expect(!rig.server.turn(waiting: false))
    #expect(rig.host.stopped)
  }
}
