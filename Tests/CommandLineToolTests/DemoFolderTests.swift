// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import CommandLineTool

@Suite struct DemoFolderTests {
  private let directory =
    FileManager.default.temporaryDirectory.path + "/starlight-demo-test-\(UInt64.random(in: 0 ... .max))"

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: directory + "/" + name))
  }

  private func files() throws -> [String: String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).reduce(into: [:]) {
      $0[$1] = try String(contentsOfFile: directory + "/" + $1, encoding: .utf8)
    }
  }

  @Test func theFilesHaveTheirNamesWhileTheyAreWritten() throws {
    var folder = try DemoFolder(directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    #expect(folder.arguments(device: nil).contains(directory + "/haptics.ndjson"))
    #expect(folder.arguments(device: nil).contains(directory + "/demo.wav"))
    folder.begin()
    try write("felt", "haptics.ndjson")
    folder.leave()
    #expect(try files() == ["haptics.ndjson": "felt"])
  }

  @Test func allThatWasWrittenIsListed() throws {
    let folder = try DemoFolder(directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try write("said", "starlightd.log")
    let written = folder.written()
    #expect(written.map(\.path) == ["demo.wav", "haptics.ndjson", "starlightd.log"].map { directory + "/" + $0 })
    #expect(written.map(\.bytes) == [0, 0, 4])
  }

  @Test func aRunThatBeginsTakesThePlaceOfAnEarlierOne() throws {
    var folder = try DemoFolder(directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    folder.begin()
    try write("earlier", "demo.wav")
    folder.leave()
    folder = try DemoFolder(directory)
    try write("later", "demo.wav")
    folder.begin()
    folder.leave()
    #expect(try files() == ["demo.wav": "later"])
  }

  @Test func aRunThatNeverBeginsLeavesTheEarlierOnesFiles() throws {
    var folder = try DemoFolder(directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    folder.begin()
    try write("earlier", "demo.wav")
    folder.leave()
    // One that is killed, and one that fails: neither has begun.
    let killed = try DemoFolder(directory)
    try write("broken off", "demo.wav")
    defer { killed.leave() }
    let failed = try DemoFolder(directory)
    try write("broken off too", "demo.wav")
    failed.leave()
    #expect(try files() == ["demo.wav": "earlier"])
  }
}
