// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import Testing

/// Titles, names and folders come from whoever made a pack or a file: printed, they act on no terminal.
@Suite(.serialized) struct PrintedNamesTests {
  private static let hiding = "\u{1B}[8mhidden\u{1B}[31m"

  /// A pack with such a title and such a name in its cues, and a pattern in such a folder.
  private func make(in directory: String) throws -> (packs: String, folder: String, pattern: String) {
    let packs = directory + "/packs"
    let pack = packs + "/plain"
    let folder = directory + "/fold" + Self.hiding
    for path in [pack, folder] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let pattern = folder + "/x" + Self.hiding + ".ahap"
    let tap =
      #"{"Version":1,"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient","EventParameters":[]}}]}"#
    try Data(tap.utf8).write(to: URL(filePath: pattern))
    try Data(tap.utf8).write(to: URL(filePath: pack + "/tap.ahap"))
    let title = Self.hiding.replacing("\u{1B}", with: "\\u001b")
    let manifest =
      #"{"name":"plain","title":"\#(title)","version":"1","patterns":{"tap":{"file":"tap.ahap"}},"cues":{}}"#
    try Data(manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    return (packs, folder, pattern)
  }

  @Test func noCommandPrintsWhatActsOnATerminal() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let (packs, folder, pattern) = try make(in: directory)
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: packs)
    let commands: [[String]] = [
      ["list"], ["pack", "show", "plain"], ["pack", "check", packs + "/plain"], ["pack", "check", folder],
      ["pack", "load", folder], ["lint", pattern], ["lint", folder], ["audition", pattern, "--draw"],
      ["diff", pattern, "tap"], ["haptics", "play", pattern], ["sound", "play", Self.hiding], ["call", Self.hiding],
      ["status"], [Self.hiding], ["watch", "--" + Self.hiding],
    ]
    for command in commands {
      let served = try runTool(command, socket: daemon.socketPath)
      #expect(!served.output.contains("\u{1B}"), "\(command)")
      let own = try runTool(command, in: directory, environment: ["STARLIGHT_PACKS=" + packs])
      #expect(!own.output.contains("\u{1B}"), "\(command), without a daemon")
    }
  }
}
