// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import StarlightClient
import Testing
import Wire

/// `starlight latency` against a live daemon.
@Suite struct LatencyTests {
  private struct Row: Decodable {
    var what: String
    var count: Int
  }

  /// A pack of two chapters, the longer one behind the shorter, to music that goes on without an end.
  private static func pack(in directory: String) throws -> String {
    let pack = directory + "/packs/short"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    try WaveFile.write(pack + "/track.wav", seconds: 3) { _ in 0.25 }
    let manifest = """
      {"name": "short", "title": "Short", "version": "1",
       "tracks": {"track": {"file": "track.wav", "bpm": 120, "loop": true}},
       "sounds": {}, "patterns": {}, "cues": {},
       "chapters": {
         "a": {"title": "A", "track": "track", "length": 0.3, "spawnLead": 0, "beats": [{"at": 0.1}]},
         "b": {"title": "B", "track": "track", "length": 0.5, "spawnLead": 0,
               "beats": [{"at": 0.1}, {"at": 0.2}, {"at": 0.3}]}}}
      """
    try Data(manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    return directory + "/packs"
  }

  @Test func aChapterShorterThanAskedForIsMeasuredToItsEndAndItsMusicStopped() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: Self.pack(in: directory))
    let run = try runTool(
      ["latency", "--count", "10", "--seconds", "60", "--json"], keeping: .output, socket: daemon.socketPath)
    #expect(run.code == 0, "\(run.text)")
    let rows = try JSONDecoder().decode([Row].self, from: Data(run.text.utf8))
    #expect(rows.map(\.what) == ["round trip", "beat to event", "tap to verdict"])
    #expect(rows.first { $0.what == "beat to event" }?.count == 3)
    let connection = try daemon.connect()
    // The fade may go on; the track is let go of as its stop is told.
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.music]))
    while try connection.call(MusicStatus.self, Empty()).state != .stopped {
      guard try connection.nextNotification(timeoutUs: 20_000_000) != nil else {
        Issue.record("the music goes on")
        return
      }
    }
    let status = try connection.call(RhythmStatus.self, Empty())
    #expect(!status.running && status.chapter == nil, "measuring left a chapter behind")
  }

  /// However long the song is in coming to it.
  @Test func timeIsCountedFromTheFirstBeat() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let packs = try Self.pack(in: directory)
    let manifest = packs + "/short/pack.json"
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    try Data(
      text.replacing(#""length": 0.5"#, with: #""length": 2.5"#).replacing(
        #"{"at": 0.1}, {"at": 0.2}"#, with: #"{"at": 1}"#
      )
      .replacing(#"{"at": 0.3}"#, with: #"{"at": 1.1}"#).utf8
    ).write(to: URL(filePath: manifest))
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: packs)
    let run = try runTool(
      ["latency", "--count", "10", "--seconds", "0.5", "--json"], keeping: .output, socket: daemon.socketPath)
    let rows = try JSONDecoder().decode([Row].self, from: Data(run.text.utf8))
    #expect(rows.first { $0.what == "beat to event" }?.count == 2, "\(run.text)")
  }

  @Test func whatAMeasurementLeavesOutIsToldBesideItsJSONToo() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: directory)
    let arguments = ["latency", "--count", "10", "--seconds", "0"]
    let plain = try runTool(arguments, keeping: .output, socket: daemon.socketPath).text.split(separator: "\n")
    let notes = plain.filter { $0.hasPrefix("Note: ") }.map { $0.dropFirst("Note: ".count).dropLast() }
    #expect(notes.count == 3, "\(plain)")
    // Each is one line, however long, and so is what is not seen.
    #expect(plain.last?.hasPrefix("Not seen from here: ") == true && plain.last?.hasSuffix("the game.") == true)
    struct Note: Decodable {
      var level: String
      var message: String
    }
    let told = try runTool(arguments + ["--json"], keeping: .errors, socket: daemon.socketPath).text
    let read = try told.split(separator: "\n").map { try JSONDecoder().decode(Note.self, from: Data($0.utf8)) }
    #expect(read.map(\.message) == notes.map(String.init))
    #expect(read.allSatisfy { $0.level == "note" })
  }
}
