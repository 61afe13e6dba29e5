// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// `starlight lint` given what is no pattern, but of a game pack.
@Suite struct LintManifestTests {
  private static let manifest = #"{"name": "game", "title": "Game", "version": "1"}"#

  @Test func aManifestIsToldAsOne() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let file = directory + "/pack.json"
    try Data(Self.manifest.utf8).write(to: URL(filePath: file))
    for arguments in [["lint", file], ["lint", "--fix", file]] {
      let run = try runTool(arguments, socket: "/nonexistent")
      #expect(run.code == 1)
      #expect(
        run.output == """
          \(file):1:1: error: this looks like a game pack's manifest, not a pattern [pack-manifest]
              fix: lint its folder: `starlight lint \(directory)`

          """)
    }
    let piped = try runTool(["lint", "-"], input: file, socket: "/nonexistent")
    #expect(piped.output.contains("fix: lint the folder it is in\n"))
    // What has not all that a manifest has is a pattern without its Pattern.
    try Data(#"{"name": "game"}"#.utf8).write(to: URL(filePath: file))
    #expect(try runTool(["lint", file], socket: "/nonexistent").output.contains("there is no Pattern"))
  }

  @Test func theHelpOfConvertSaysWhatAWaveFileNeeds() throws {
    let help = try runTool(["convert", "--help"], socket: "/nonexistent").output
    #expect(help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("which a WAV file needs"))
  }
}
