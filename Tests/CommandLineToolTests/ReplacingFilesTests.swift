// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Testing

@testable import CommandLineTool

/// What is written takes the place of a file's content, and of nothing else.
@Suite struct ReplacingFilesTests {
  private let folder =
    FileManager.default.temporaryDirectory.path + "/starlight-replacing-\(UInt64.random(in: 0 ... .max))"

  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body()
  }

  @Test func aLinkStaysALinkToTheNewContent() throws {
    try inFolder {
      try "old".write(toFile: folder + "/file", atomically: true, encoding: .utf8)
      try #require(chmod(folder + "/file", 0o640) == 0)
      try #require(symlink("file", folder + "/link") == 0)
      try replaceFile(folder + "/link", with: Array("new".utf8))
      var status = stat()
      #expect(lstat(folder + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      #expect(lstat(folder + "/file", &status) == 0 && status.st_mode & 0o777 == 0o640)
      #expect(try String(contentsOfFile: folder + "/file", encoding: .utf8) == "new")
    }
  }

  @Test func permissionsStayWhateverTheUmask() throws {
    try inFolder {
      try "old".write(toFile: folder + "/file", atomically: true, encoding: .utf8)
      try #require(chmod(folder + "/file", 0o666) == 0)
      try replaceFile(folder + "/file", with: Array("new".utf8))
      var status = stat()
      #expect(stat(folder + "/file", &status) == 0 && status.st_mode & 0o777 == 0o666)
    }
  }

  @Test func aPipeIsWrittenTo() throws {
    try inFolder {
      try #require(mkfifo(folder + "/pipe", 0o600) == 0)
      let reader = open(folder + "/pipe", O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      try replaceFile(folder + "/pipe", with: Array("new".utf8))
      var buffer = [UInt8](repeating: 0, count: 8)
      #expect(read(reader, &buffer, 8) == 3 && buffer.prefix(3) == [110, 101, 119])
    }
  }

  @Test func whatFailsHalfWayLeavesTheFileAsItWas() throws {
    try inFolder {
      try "old".write(toFile: folder + "/file", atomically: true, encoding: .utf8)
      let failure = #expect(throws: ToolFailure.self) {
        try replaceFile(folder + "/file") { path throws(ToolFailure) in
          try? "half".write(toFile: path, atomically: false, encoding: .utf8)
          throw ToolFailure("the disk is on fire")
        }
      }
      #expect(failure?.message == "cannot write \(folder)/file: the disk is on fire")
      #expect(try String(contentsOfFile: folder + "/file", encoding: .utf8) == "old")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }

  @Test func whatIsFullSaysSo() throws {
    let failure = #expect(throws: ToolFailure.self) { try replaceFile("/dev/full", with: [1]) }
    #expect(failure?.message == "cannot write to /dev/full: No space left on device")
  }
}
