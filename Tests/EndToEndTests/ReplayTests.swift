// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// Runs of the real daemon on its live clock, done again by the real tool: the same whatever the machine was at.
@Suite struct ReplayTests {
  @Test func aLiveRunIsTheSameAgain() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let (pack, journal) = (directory + "/pack", directory + "/run.journal")
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    try WaveFile.write(pack + "/track.wav", seconds: 4) { 0.3 * Double($0 % 97) / 97 }
    try WaveFile.write(pack + "/click.wav", seconds: 0.1) { 0.3 * Double($0 % 31) / 31 }
    let manifest = """
      {"name": "game", "title": "Game", "version": "1", "tracks": {"track": {"file": "track.wav"}},
       "sounds": {"click": {"file": "click.wav"}},
       "chapters": {"a": {"title": "A", "track": "track", "length": 1, "spawnLead": 0,
                          "beats": [{"at": 0.2}, {"at": 0.5}, {"at": 0.8}]}}}
      """
    try Data(manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptics", "none", "--haptic-log", directory + "/felt.ndjson", "--journal", journal],
      packs: pack)
    let client = try daemon.connect()
    _ = try client.call(RhythmStart.self, RhythmStart.Params(chapter: "a"))
    // As fast as it answers, to the chapter's end.
    var isRunning = true
    while isRunning {
      _ = try? client.call(RhythmTap.self, RhythmTap.Params())
      _ = try? client.call(SoundPlay.self, SoundPlay.Params(sound: "click", gain: 0.2))
      _ = try? client.call(HapticsTransient.self, HapticsTransient.Params(intensity: 0.5, sharpness: 0.5))
      isRunning = try client.call(RhythmStatus.self, Empty()).running
    }
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    let tool = try runTool(["replay", journal, "--json"], socket: daemon.socketPath)
    #expect(tool.code == 0, "\(tool.output)")
    #expect(tool.output.contains(#""end":"whole""#) && tool.output.contains(#""same":true"#), "\(tool.output)")
    // What is to be written of it and cannot be is told, and the exit code says so.
    let full = try runTool(["replay", journal, "--record", "/dev/full"], socket: daemon.socketPath)
    #expect(full.code == 1 && full.output.contains("It is the same again."), "\(full.output)")
    #expect(full.output.contains("cannot write the recording /dev/full: No space left on device"), "\(full.output)")
  }
}
