// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import SyncRules
import Testing

@testable import SyncFrontEnd

/// What a player does is asked for as it comes: nothing waits for a picture, nor for time to be told on. The daemon is a real one.
@Suite(.timeLimit(.minutes(2))) struct FrontEndInputTests {
  private let folder = TemporaryFolder()

  /// The names of cues that were fired up to now, with their tags and how long after an instant.
  private func fired(_ events: Events, since us: Int64) -> [String] {
    events.takeAll().compactMap { event in
      guard case .told(.cueFired(let fired), let tUs) = event else { return nil }
      return "\(fired.cue) \(fired.tag ?? "") \(tUs - us)"
    }
  }

  @Test func aFingerIsFeltAndLetGoOfBetweenTwoFrames() async throws {
    let daemon = try RealDaemon(cues: ["press", "snap"], in: folder)
    let starlight = try Starlight(pack: "starlight-sync", path: daemon.socket)
    let told = starlight.events(of: [.cue])
    var connections = starlight.events(of: []).makeAsyncIterator()
    while case .disconnected? = await connections.next() {}
    let frontEnd = FrontEnd(starlight, state: nil)
    let us = try await starlight.request(ClockStep.self, .init(toUs: starlight.nowUs + 1_000_000)).nowUs
    frontEnd.advance(toUs: us)
    _ = told.takeAll()

    frontEnd.act(.press, atUs: us)
    _ = try await starlight.request(ClockStep.self, .init(toUs: us + 5_000))
    let pressed = fired(told, since: us)
    #expect(pressed.count == 1 && pressed.first?.hasPrefix("starlight-sync:press press ") == true)
    // Before a frame brought any answer it is let go of: what was planned with it does not come.
    frontEnd.act(.release, atUs: us + 5_000)
    let laterUs = try await starlight.request(ClockStep.self, .init(toUs: us + 4_000_000)).nowUs
    #expect(fired(told, since: us) == [])
    // A refusal becomes a notice as it is heard.
    frontEnd.advance(toUs: laterUs)
    #expect(frontEnd.takeNotices() == [])

    // Held for as long as it takes, it comes, once.
    frontEnd.act(.press, atUs: laterUs)
    let heldUs = try await starlight.request(ClockStep.self, .init(toUs: laterUs + 3_100_000)).nowUs
    let held = fired(told, since: laterUs)
    #expect(held.map { $0.prefix { $0 != " " } } == ["starlight-sync:press", "starlight-sync:snap"])
    #expect(held.last?.hasPrefix("starlight-sync:snap snap 300") == true, "\(held)")
    frontEnd.advance(toUs: heldUs)
    #expect(frontEnd.takeNotices() == [])
    daemon.end()
  }
}
