// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import Testing

/// `starlight list cues`: what a daemon would do, and not what is in a file by now.
@Suite struct ListCuesTests {
  private static func manifest(_ steps: String, more: String = "") -> String {
    """
    {"name": "game", "title": "Game", "version": "1", "sounds": {"bell": {"file": "bell.wav"}, "gong": {"file": "bell.wav"}},
     "cues": {"goal": {"steps": [\(steps)], "cooldown": 0.5}, "none": {"steps": []}\(more)}}
    """
  }

  @Test func asJSONThereIsWhatIsAskedForAndNoMore() throws {
    let folder = try makeTemporaryDirectory()
    defer { removeDirectory(folder) }
    try WaveFile.write(folder + "/bell.wav", seconds: 0.1) { _ in 0.1 }
    try Data(Self.manifest(#"{"sound": "bell"}"#).utf8).write(to: URL(filePath: folder + "/pack.json"))
    let environment = ["STARLIGHT_PACKS=" + folder]
    let sounds = try runTool(["list", "sounds", "--json"], in: folder, environment: environment)
    #expect(sounds.output.contains(#""cues":[]"#) && sounds.output.contains("game:bell"), "\(sounds.output)")
    let names = try runTool(["list", "sounds", "--names", "--json"], in: folder, environment: environment)
    #expect(names.code == 0 && names.output == #"["game:bell","game:gong"]"# + "\n", "\(names.output)")
    let drawn = try runTool(
      ["audition", "heartbeat", "--repeat-on-save", "--draw"], in: folder, environment: environment)
    #expect(
      drawn.code == 2 && drawn.output.contains("--repeat-on-save plays, and --draw only draws"), "\(drawn.output)")
  }

  @Test func whatACueHoldsIsWhatTheDaemonHolds() throws {
    let folder = try makeTemporaryDirectory()
    defer { removeDirectory(folder) }
    let file = folder + "/pack.json"
    try WaveFile.write(folder + "/bell.wav", seconds: 0.1) { _ in 0.1 }
    // More than are told at once.
    let tap = #"{"steps": [{"transient": {"intensity": 1, "sharpness": 1}}]}"#
    let more = (0..<150).map { #", "more-\#($0)": \#(tap)"# }.joined()
    let first = Self.manifest(#"{"sound": "bell"}, {"at": 0.05, "sound": "gong"}"#, more: more)
    try Data(first.utf8).write(to: URL(filePath: file))
    let daemon = try DaemonProcess(["--clock", "stepped"], packs: folder)
    let held = try runTool(["list", "cues"], socket: daemon.socketPath)
    #expect(
      held.code == 0 && held.output.contains("sound bell, after 50 ms sound gong, 500 ms apart at least\n"),
      "\(held.output)")
    #expect(
      held.output.contains("nothing\n") && held.output.split(separator: "\n").count { $0.hasSuffix("  tap") } == 150,
      "\(held.output)")
    // As without a daemon, but for the note that there is none.
    let onDisk = try runTool(["list", "cues"], in: folder, environment: ["STARLIGHT_PACKS=" + folder])
    #expect(onDisk.output.hasSuffix(held.output), "\(onDisk.output)")
    try Data(Self.manifest(#"{"sound": "gong"}"#).utf8).write(to: URL(filePath: file))
    #expect(try runTool(["list", "cues"], socket: daemon.socketPath).output == held.output)
    #expect(try runTool(["pack", "reload"], socket: daemon.socketPath).code == 0)
    let read = try runTool(["list", "cues"], socket: daemon.socketPath)
    #expect(read.output.contains("sound gong, 500 ms apart at least\n"), "\(read.output)")
  }
}
