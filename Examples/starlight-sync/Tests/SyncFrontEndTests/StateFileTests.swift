// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncRules
import Testing

@testable import SyncFrontEnd

/// The file that keeps the player: whole at every instant, and its loss told once.
@Suite struct StateFileTests {
  private let folder = TemporaryFolder()

  private func story(_ file: StateFile) -> Story { Story(rules: .designed, stored: file.read()) }

  @Test func whatIsStoredIsThereAtTheNextStart() throws {
    let file = StateFile(folder: folder.path + "/deep/er")
    #expect(file.read() == nil)
    try file.write(Checkpoint.bytes(.cipher))
    #expect(story(file).flow.highestUnlockedChapter == .cipher)
    try file.write(Checkpoint.bytes(.firewall))
    #expect(file.read() == Array("highestUnlockedChapter=3\n".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep/er") == ["progress"])
  }

  @Test func whoReadsFindsTheOldOrTheNewWhateverIsBeingWritten() async throws {
    let file = StateFile(folder: folder.path)
    let texts = [Checkpoint.bytes(.cipher), Array(repeating: UInt8(ascii: "x"), count: 4_000)]
    try file.write(texts[0])
    let reader = Task.detached {
      var seen: Set<[UInt8]?> = []
      while !Task.isCancelled { seen.insert(file.read()) }
      return seen
    }
    for turn in 0..<300 { try file.write(texts[turn % 2]) }
    reader.cancel()
    #expect(await reader.value.isSubset(of: Set(texts)))
  }

  /// As a program leaves it that is killed while it writes.
  @Test func aHalfWrittenFileBesideItIsNobodysProgress() throws {
    let file = StateFile(folder: folder.path)
    try file.write(Checkpoint.bytes(.cipher))
    try Data("highest".utf8).write(to: URL(filePath: file.path + ".\(getpid()).new"))
    #expect(story(file).flow.highestUnlockedChapter == .cipher)
    try file.write(Checkpoint.bytes(.firewall))
    #expect(story(file).flow.highestUnlockedChapter == .firewall)
  }

  @Test(arguments: ["", "highestUnlockedChapter=9\n", "highestUnlockedChapter=3", "\u{0}\u{0}\u{0}", "=3\n"])
  func whatCannotBeReadResetsAndSaysSoOnce(text: String) throws {
    let file = StateFile(folder: folder.path)
    try file.write(Array(text.utf8))
    var game = story(file)
    var chance = Chance(seed: 1)
    let outcomes = game.start(atUs: 0, using: &chance)
    #expect(outcomes.filter { $0 == .saidReset }.count == 1)
    #expect(outcomes.contains(.store(.handshake)))
    #expect(!game.start(atUs: 1, using: &chance).contains(.saidReset))
    try file.write(Checkpoint.bytes(.handshake))
    var next = story(file)
    #expect(!next.start(atUs: 0, using: &chance).contains(.saidReset))
  }

  @Test func whatIsNoFileAtAllResetsToo() throws {
    let file = StateFile(folder: folder.path)
    try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
    #expect(file.read() == [])
    var chance = Chance(seed: 1)
    var game = story(file)
    #expect(game.start(atUs: 0, using: &chance).contains(.saidReset))
    let failure = #expect(throws: StateFile.Failure.self) { try file.write(Checkpoint.bytes(.cipher)) }
    #expect(failure?.description.contains("cannot replace") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["progress"])
  }

  @Test func whatWasStoredStaysWhereTheNewCannotBeWritten() throws {
    let file = StateFile(folder: folder.path)
    try file.write(Checkpoint.bytes(.cipher))
    // A folder stands where the new file would be made.
    try FileManager.default.createDirectory(atPath: file.path + ".\(getpid()).new", withIntermediateDirectories: false)
    let failure = #expect(throws: StateFile.Failure.self) { try file.write(Checkpoint.bytes(.firewall)) }
    #expect(failure?.description.contains("cannot create") == true)
    #expect(story(file).flow.highestUnlockedChapter == .cipher)
  }

  @Test func whereNothingCanBeWrittenThatIsSaidWithItsRemedy() throws {
    try Data().write(to: URL(filePath: folder.path + "/file"))
    let file = StateFile(folder: folder.path + "/file/folder")
    let failure = #expect(throws: StateFile.Failure.self) { try file.write(Checkpoint.bytes(.cipher)) }
    #expect(failure?.description.contains("XDG_STATE_HOME") == true)
    #expect(failure?.description.contains("cannot create the folder") == true)
  }

  @Test func itsFolderIsTheOneForState() {
    #expect(StateFile.folder { ["XDG_STATE_HOME": "/s", "HOME": "/h"][$0] } == "/s/starlight-sync")
    #expect(StateFile.folder { ["HOME": "/h"][$0] } == "/h/.local/state/starlight-sync")
    // A path that is not absolute is to be passed over.
    #expect(StateFile.folder { ["XDG_STATE_HOME": "s", "HOME": "/h"][$0] } == "/h/.local/state/starlight-sync")
    #expect(StateFile.folder { _ in nil } == nil)
  }
}
