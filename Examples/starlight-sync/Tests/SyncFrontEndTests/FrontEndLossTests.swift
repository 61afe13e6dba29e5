// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import SyncRules
import Testing

@testable import SyncFrontEnd

/// More is told than a front end that stands keeps: the oldest give way, be it that a daemon came.
@Suite(.timeLimit(.minutes(2))) struct FrontEndLossTests {
  private let folder = TemporaryFolder()

  @Test func whoDidNotHearThatADaemonCameBeginsAllTheSame() async throws {
    let daemon = try RealDaemon(cues: ["press", "snap"], in: folder)
    let starlight = try Starlight(pack: "starlight-sync", path: daemon.socket)
    let frontEnd = FrontEnd(starlight, state: nil)
    var connections = starlight.events(of: [], capacity: 4).makeAsyncIterator()
    while case .disconnected? = await connections.next() {}
    // Two thousand answers wait where a thousand events have room.
    for _ in 0..<100 {
      for _ in 0..<20 { try starlight.ask(ClockNow.self, Empty()) }
      _ = try await starlight.request(ClockNow.self)
    }
    frontEnd.advance(toUs: starlight.nowUs)
    #expect(frontEnd.isConnected)
    #expect(frontEnd.story.scene?.chapter == .handshake)
    let said = frontEnd.takeNotices().contains { notice in
      if case .problem(let text) = notice { text.hasPrefix("frames come too seldom to hear everything") } else { false }
    }
    #expect(said)
    daemon.end()
  }
}
