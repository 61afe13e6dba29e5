// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Testing

@testable import CommandLineTool

/// What commands say that write files by name, where something is there already.
@Suite struct TakenPlacesTests {
  private func refusal(_ paths: [String], replaces: Bool = false) -> ToolFailure? {
    do throws(ToolFailure) {
      try checkPlaces(paths, replaces: replaces)
      return nil
    } catch { return error }
  }

  @Test func whatIsThereIsReplacedByWordAlone() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-taken-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (one, two) = (folder + "/one", folder + "/two")
    for file in [one, two] { try "x".write(toFile: file, atomically: true, encoding: .utf8) }
    #expect(refusal([folder + "/none"]) == nil)
    #expect(refusal([one])?.message == "\(one) is there already" && refusal([one])?.hint == "--force replaces it")
    let both = refusal([folder + "/none", one, two])
    #expect(both?.message == "\(one) is there already, and 1 more" && both?.hint == "--force replaces them")
    #expect(refusal([folder])?.message == "\(folder) is there already")
    #expect(refusal([one, two], replaces: true) == nil)
  }

  @Test func whatIsNoFileIsWrittenTo() {
    #expect(refusal(["-", "/dev/null"]) == nil)
  }
}
