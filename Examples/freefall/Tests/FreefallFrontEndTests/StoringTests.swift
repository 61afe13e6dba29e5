// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallLevels
import FreefallRules
import Glibc
import RulesUnderTest
import SeededNumbers
import StarlightClient
import Testing

@testable import FreefallFrontEnd

/// A disk that does not answer holds up neither what the player does nor what is heard of it.
@Suite(.timeLimit(.minutes(2))) struct StoringTests {
  private let folder = StateFileTests.Folder()
  private let disk = HeldDisk()

  private func frontEnd(
    _ starlight: Starlight? = nil, patience: Duration = .seconds(3_600)
  ) throws -> FrontEnd<Seeded> {
    let writer = StateWriter(path: "/state", patience: patience) { [disk] bytes throws(StateFileProblem) in
      try disk.write(bytes)
    }
    let nobody = try Starlight(pack: "freefall", path: folder.path + "/nobody.sock")
    return FrontEnd(
      starlight ?? nobody, rules: .underTest, levels: [:], stored: nil, writer: writer, chance: Seeded(seed: 1))
  }

  @Test func aButtonIsHeardAndTheGameGoesOnWhileTheDiskIsBusy() async throws {
    let daemon = try StandInDaemon(path: folder.path + "/socket")
    let starlight = try Starlight(pack: "freefall", path: folder.path + "/socket")
    var frontEnd = try frontEnd(starlight)
    var connections = starlight.events(of: []).makeAsyncIterator()
    while case .disconnected? = await connections.next() {}
    frontEnd.press(.toggle(.music), atUs: 2_000)
    #expect(disk.waitForWrite())
    frontEnd.press(.toggle(.music), atUs: 3_000)
    frontEnd.press(.play, atUs: 4_000)
    #expect(daemon.wait(for: "settings.set"))
    #expect(daemon.wait(for: "cue.fire"))
    #expect(frontEnd.game.screen == .worlds)
    #expect(frontEnd.takeNotices() == [])
    #expect(disk.written == [])
    disk.release(2)
    #expect(isStored(&frontEnd))
  }

  @Test func aRefusalIsSaidOnceInALaterFrameAndThatItIsStoredAgain() throws {
    let full = StateFileProblem(path: "/state", reason: "full")
    var frontEnd = try frontEnd()
    frontEnd.press(.toggle(.music), atUs: 1)
    #expect(disk.waitForWrite())
    #expect(frontEnd.takeNotices() == [])
    frontEnd.press(.toggle(.music), atUs: 2)
    disk.release(2, refusing: full)
    #expect(!isStored(&frontEnd))
    #expect(
      frontEnd.takeNotices() == [
        "Progress is not stored: /state: full. Make room there or set XDG_STATE_HOME to a folder that you may write to."
      ])
    frontEnd.press(.toggle(.effects), atUs: 3)
    disk.release(refusing: full)
    #expect(!isStored(&frontEnd))
    #expect(frontEnd.takeNotices() == [])
    frontEnd.press(.toggle(.effects), atUs: 4)
    disk.release()
    #expect(isStored(&frontEnd))
    #expect(frontEnd.takeNotices() == ["Progress is stored again."])
  }

  @Test func aDiskThatHangsIsToldInAFrameAndAtTheEnd() throws {
    var frontEnd = try frontEnd(patience: .zero)
    frontEnd.press(.toggle(.music), atUs: 1)
    frontEnd.advance(toUs: 2)
    let notices = frontEnd.takeNotices()
    #expect(notices.count == 1 && notices[0].hasPrefix("Progress is not stored: /state: it was not written within "))
    #expect(!isStored(&frontEnd, within: .zero))
    #expect(frontEnd.takeNotices() == [])
    disk.release()
    #expect(isStored(&frontEnd))
    #expect(frontEnd.takeNotices() == ["Progress is stored again."])
  }

  @Test func ofManyTurnsOfASwitchTheLastIsStoredAtTheEnd() throws {
    var frontEnd = try frontEnd()
    for us in 1...5 { frontEnd.press(.toggle(.music), atUs: Int64(us)) }
    #expect(disk.waitForWrite())
    disk.release(5)
    #expect(isStored(&frontEnd))
    #expect(disk.written.last?.contains(#""music":false"#) == true)
    #expect(disk.written.count <= 5)
  }
}
