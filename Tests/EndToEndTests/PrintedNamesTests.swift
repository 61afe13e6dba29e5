// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import Testing

/// Titles, names and folders come from whoever made a pack or a file: printed, they act on no terminal.
@Suite(.serialized) struct PrintedNamesTests {
  /// Hides what follows, begins lines of its own, and turns the direction of text.
  private static let hiding = "\u{1B}[8mhidden\u{1B}[31m\nfalse: a\rfalse: b\u{2028}false: c\u{202E}d\u{2066}e\u{200F}"

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
    let title = Self.hiding.unicodeScalars.map {
      $0.value < 32 ? "\\u00" + ($0.value < 16 ? "0" : "") + String($0.value, radix: 16) : String($0)
    }.joined()
    let manifest =
      #"{"name":"plain","title":"\#(title)","version":"1","patterns":{"tap":{"file":"tap.ahap"}},"cues":{}}"#
    try Data(manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    return (packs, folder, pattern)
  }

  /// What of an output would move, hide, turn or forge something.
  private static func acts(in output: String) -> [String] {
    let turning: Set<Unicode.Scalar> = ["\u{1B}", "\r", "\u{2028}", "\u{202E}", "\u{2066}", "\u{200F}"]
    let scalars = output.unicodeScalars.filter(turning.contains).map { "U+" + String($0.value, radix: 16) }
    return scalars
      + output.unicodeScalars.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter {
        $0.hasPrefix("false:")
      }
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
      #expect(Self.acts(in: served.output) == [], "\(command)")
      let own = try runTool(command, in: directory, environment: ["STARLIGHT_PACKS=" + packs])
      #expect(Self.acts(in: own.output) == [], "\(command), without a daemon")
    }
  }
}
