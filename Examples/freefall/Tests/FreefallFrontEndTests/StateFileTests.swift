// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallFrontEnd
import Glibc
import Testing

/// Where a player is kept, and that what is kept is whole.
@Suite struct StateFileTests {
  /// A folder that is gone after the test.
  final class Folder {
    let path: String

    init() {
      var template = Array("/tmp/freefall-test-XXXXXX".utf8CString)
      precondition(mkdtemp(&template) != nil)
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
  }

  @Test func itLiesWhereStateBelongs() {
    #expect(
      StateFile(environment: ["XDG_STATE_HOME": "/state", "HOME": "/home/a"])?.path == "/state/freefall/progress.json")
    let atHome = "/home/a/.local/state/freefall/progress.json"
    #expect(StateFile(environment: ["HOME": "/home/a"])?.path == atHome)
    #expect(StateFile(environment: ["XDG_STATE_HOME": "", "HOME": "/home/a"])?.path == atHome)
    #expect(StateFile(environment: ["XDG_STATE_HOME": "state", "HOME": "/home/a"])?.path == atHome)
    #expect(StateFile(environment: [:]) == nil)
  }

  @Test func whatIsWrittenIsReadAndNothingIsLeftBeside() throws {
    let folder = Folder()
    let file = StateFile(path: folder.path + "/a/b/progress.json")
    #expect(file.read() == nil)
    try file.write(Data("one".utf8))
    try file.write(Data("two, longer".utf8))
    try file.write(Data("3".utf8))
    #expect(file.read() == Data("3".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b") == ["progress.json"])
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func whatWasThereStaysWhereTheNewCannotBeWritten() throws {
    let folder = Folder()
    let file = StateFile(path: folder.path + "/progress.json")
    try file.write(Data("kept".utf8))
    // A folder stands where the new file would be made.
    let new = "\(file.path).\(getpid())"
    try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: false)
    let problem = #expect(throws: StateFileProblem.self) { try file.write(Data("lost".utf8)) }
    #expect(problem?.description.contains(file.path) == true)
    #expect(problem?.description.contains("XDG_STATE_HOME") == true)
    #expect(file.read() == Data("kept".utf8))
    rmdir(new)
    // One stands in its own place: the name cannot be taken, and nothing is left beside.
    let blocked = StateFile(path: folder.path + "/blocked")
    try FileManager.default.createDirectory(atPath: blocked.path + "/full", withIntermediateDirectories: true)
    #expect(throws: StateFileProblem.self) { try blocked.write(Data("lost".utf8)) }
    #expect(folder.names == ["blocked", "progress.json"])
  }

  @Test func aFolderThatCannotBeMadeIsNamed() throws {
    let folder = Folder()
    try StateFile(path: folder.path + "/file").write(Data())
    let problem = #expect(throws: StateFileProblem.self) {
      try StateFile(path: folder.path + "/file/freefall/progress.json").write(Data("a".utf8))
    }
    #expect(problem?.path == folder.path + "/file/freefall")
  }

  /// Nil would be a first start, of which nothing is said.
  @Test func whatIsNoSmallFileGivesBytesThatNobodyTakesForProgress() throws {
    let folder = Folder()
    #expect(StateFile(path: folder.path).read() == Data())
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(StateFile(path: pipe).read() == Data())
    let large = StateFile(path: folder.path + "/large")
    try large.write(Data(repeating: 32, count: 16 * 1024 + 1))
    #expect(large.read() == Data())
    try large.write(Data(repeating: 32, count: 16 * 1024))
    #expect(large.read()?.count == 16 * 1024)
    #expect(StateFile(path: large.path + "/under").read() == Data())
  }
}
