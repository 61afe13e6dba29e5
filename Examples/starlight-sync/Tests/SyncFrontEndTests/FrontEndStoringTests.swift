// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import SyncRules
import Testing

@testable import SyncFrontEnd

/// A disk that does not answer holds up neither what the player does nor what is heard of it. The daemon is a real one.
@Suite(.timeLimit(.minutes(2))) struct FrontEndStoringTests {
  private let folder = TemporaryFolder()
  private let disk = HeldDisk()

  /// A game at a daemon, whose player's progress could not be read: it is stored anew as the story begins.
  private func begun(
    _ daemon: RealDaemon, patience: Duration = .seconds(3_600)
  ) async throws -> (FrontEnd, Starlight, us: Int64) {
    let starlight = try Starlight(pack: "starlight-sync", path: daemon.socket)
    var connections = starlight.events(of: []).makeAsyncIterator()
    let writer = StateWriter(path: "/state", patience: patience) { [disk] bytes throws(StateFile.Failure) in
      try disk.write(bytes)
    }
    let frontEnd = FrontEnd(starlight, stored: [], writer: writer)
    while case .disconnected? = await connections.next() {}
    let us = try await starlight.request(ClockStep.self, .init(toUs: starlight.nowUs + 1_000_000)).nowUs
    frontEnd.advance(toUs: us)
    #expect(disk.waitForWrite())
    return (frontEnd, starlight, us)
  }

  /// But that there was no daemon yet.
  private func notices(_ frontEnd: FrontEnd) -> [FrontEnd.Notice] {
    frontEnd.takeNotices().filter { if case .away = $0 { false } else { true } }
  }

  @Test func anActIsFeltAndTheStoryGoesOnWhileTheDiskIsBusy() async throws {
    let daemon = try RealDaemon(cues: ["press", "snap"], in: folder)
    let (frontEnd, starlight, us) = try await begun(daemon)
    let told = starlight.events(of: [.cue])
    #expect(notices(frontEnd) == [.reset])
    frontEnd.act(.press, atUs: us)
    let laterUs = try await starlight.request(ClockStep.self, .init(toUs: us + 100_000)).nowUs
    let fired = told.takeAll().compactMap { event in
      if case .told(.cueFired(let fired), tUs: _) = event { fired.cue } else { nil }
    }
    #expect(fired == ["starlight-sync:press"])
    frontEnd.advance(toUs: laterUs)
    #expect(notices(frontEnd) == [])
    #expect(disk.written == [])
    disk.release()
    #expect(frontEnd.finish(within: .seconds(60)))
    #expect(disk.written == ["highestUnlockedChapter=0\n"])
    daemon.end()
  }

  @Test func aRefusalIsSaidInALaterFrameAndThatItIsStoredAgain() async throws {
    let daemon = try RealDaemon(cues: ["press", "snap"], in: folder)
    let (frontEnd, starlight, us) = try await begun(daemon)
    #expect(notices(frontEnd) == [.reset])
    disk.release(refusing: StateFile.Failure("full"))
    #expect(!frontEnd.finish(within: .seconds(60)))
    let sentence =
      "progress is not kept: full (make its folder writable, or set XDG_STATE_HOME to one that is)"
    #expect(notices(frontEnd) == [.problem(sentence)])
    // A chapter that is completed is stored, for which it is tried again.
    frontEnd.act(.press, atUs: us)
    frontEnd.advance(toUs: try await starlight.request(ClockStep.self, .init(toUs: us + 3_100_000)).nowUs)
    #expect(disk.waitForWrite())
    disk.release()
    #expect(frontEnd.finish(within: .seconds(60)))
    #expect(notices(frontEnd).contains(.storedAgain))
    #expect(disk.written == ["highestUnlockedChapter=1\n"])
    daemon.end()
  }

  @Test func aDiskThatHangsIsToldInAFrameAndAtTheEnd() async throws {
    let daemon = try RealDaemon(cues: ["press", "snap"], in: folder)
    let (frontEnd, _, us) = try await begun(daemon, patience: .zero)
    frontEnd.advance(toUs: us)
    let told = notices(frontEnd)
    #expect(told.count == 2 && told.first == .reset)
    guard case .problem(let sentence)? = told.last else {
      Issue.record("it is not told that the disk hangs: \(told)")
      return
    }
    #expect(sentence.hasPrefix("progress is not kept: /state was not written within "))
    #expect(!frontEnd.finish(within: .zero))
    #expect(notices(frontEnd) == [])
    disk.release()
    #expect(frontEnd.finish(within: .seconds(60)))
    #expect(notices(frontEnd) == [.storedAgain])
    daemon.end()
  }
}
