// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallFrontEnd
import FreefallLevels
import FreefallRules
import RulesUnderTest
import SeededNumbers
import StarlightClient
import Testing

/// The game where no daemon is: it can be played, and its player is kept.
@Suite struct FrontEndTests {
  let folder = StateFileTests.Folder()
  var file: StateFile { StateFile(path: folder.path + "/freefall/progress.json") }

  func frontEnd() throws -> FrontEnd<Seeded> {
    FrontEnd(
      try Starlight(pack: "freefall", path: folder.path + "/nobody.sock"), rules: .underTest, levels: [:], state: file,
      chance: Seeded(seed: 1))
  }

  @Test func aSwitchIsStoredAndIsThereAgain() throws {
    var first = try frontEnd()
    first.press(.toggle(.effects), atUs: 5)
    #expect(isStored(&first))
    #expect(first.takeNotices() == [])
    let second = try frontEnd()
    #expect(second.game.progress.switches == Switches(areEffectsOn: false))
  }

  @Test func whatCannotBeReadBeginsAnewAndIsSaidOnce() throws {
    try file.write(Data("{".utf8))
    var first = try frontEnd()
    #expect(first.game.progress.completed.isEmpty)
    #expect(first.takeNotices() == ["What was stored of Freefall could not be read; it begins anew."])
    #expect(isStored(&first))
    #expect(first.takeNotices() == [])
    var second = try frontEnd()
    #expect(second.takeNotices() == [])
  }

  @Test func whatCannotBeStoredIsSaidOnceUntilItCan() throws {
    var frontEnd = try frontEnd()
    try Data().write(to: URL(filePath: folder.path + "/freefall"))
    frontEnd.press(.toggle(.music), atUs: 1)
    #expect(!isStored(&frontEnd))
    frontEnd.press(.toggle(.music), atUs: 2)
    #expect(!isStored(&frontEnd))
    let notices = frontEnd.takeNotices()
    #expect(notices.count == 1 && notices[0].hasPrefix("Progress is not stored: "))
    #expect(frontEnd.game.progress.switches.isMusicOn)
    try FileManager.default.removeItem(atPath: folder.path + "/freefall")
    frontEnd.press(.toggle(.music), atUs: 3)
    #expect(isStored(&frontEnd))
    #expect(frontEnd.takeNotices() == ["Progress is stored again."])
    #expect(file.read() != nil)
    try FileManager.default.removeItem(atPath: folder.path + "/freefall")
    try Data().write(to: URL(filePath: folder.path + "/freefall"))
    frontEnd.press(.toggle(.music), atUs: 4)
    #expect(!isStored(&frontEnd))
    #expect(frontEnd.takeNotices().count == 1)
  }

  @Test func inAnInterruptionNothingCanBePressedAndNoTimePasses() throws {
    var frontEnd = try frontEnd()
    frontEnd.advance(toUs: 1_000)
    frontEnd.hold(atUs: 1_000)
    #expect(frontEnd.stands)
    frontEnd.press(.play, atUs: 2_000)
    #expect(frontEnd.game.screen == .menu)
    #expect(frontEnd.gameUs(atUs: 9_000) == 1_000)
    frontEnd.release(atUs: 10_000)
    frontEnd.press(.play, atUs: 11_000)
    #expect(frontEnd.game.screen == .worlds)
    #expect(frontEnd.gameUs(atUs: 11_000) == 2_000)
  }
}
