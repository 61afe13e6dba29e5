// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Files

@Suite struct KeptFileTests {
  @Test func whatIsKeptIsReadBackAndFoldersAreMade() throws {
    let folder = TemporaryFolder()
    let file = KeptFile(path: folder.path + "/state/starlight/settings.json", atMost: 100)
    #expect(try file.read() == nil)
    try file.replace(with: Array("one".utf8))
    #expect(try file.read() == Array("one".utf8))
    try file.replace(with: Array("two".utf8))
    #expect(try file.read() == Array("two".utf8))
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(access(file.path + ".\(getpid()).new", F_OK) != 0)
  }

  @Test func aRefusedWriteLeavesWhatIsThereAndSaysWhy() throws {
    let folder = TemporaryFolder()
    let file = KeptFile(path: folder.path + "/settings.json", atMost: 100)
    try file.replace(with: Array("kept".utf8))
    // Nothing can be created beside it: the name of what is written first is a folder's.
    #expect(mkdir(file.path + ".\(getpid()).new", 0o700) == 0)
    #expect(throws: WriteRefusal(path: file.path, code: EISDIR)) { try file.replace(with: Array("lost".utf8)) }
    #expect(try file.read() == Array("kept".utf8))
    #expect(WriteRefusal(path: "/a", code: ENOSPC).description == "/a cannot be written (No space left on device)")
  }

  @Test func whatIsTooLargeOrNoFileIsRefused() throws {
    let folder = TemporaryFolder()
    let file = KeptFile(path: folder.path + "/large", atMost: 3)
    try file.replace(with: Array("four".utf8))
    #expect(throws: FileRefusal(path: file.path, reason: .isLargerThan(3))) { try file.read() }
    #expect(throws: FileRefusal(path: folder.path, reason: .isFolder)) {
      try KeptFile(path: folder.path, atMost: 3).read()
    }
  }
}
