// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// What `starlight lint` says of a whole pack without a daemon, held against what the daemon says of it.
@Suite struct LintPackTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {
       "gone": {"file": "gone.wav"},
       "loud": {"file": "noise.wav"},
       "main": {"file": "main.wav", "bpm": 60, "firstBeat": 3, "loop": false,
         "markers": {"in": 1, "out": 2.5}},
       "over": {"file": "main.wav", "loop": {"start": 0,
         "end": 9}},
       "parts": {"file": "main.wav", "stems": {
         "bells": {"file": "short.wav"}, "choir": {"file": "gone.wav"}}}},
     "sounds": {
       "bell": {"gain": 1,
         "file": "bell.wav"}},
     "patterns": {
       "none": {"file": "none.ahap"},
       "odd": {"file": "odd.json"}},
     "chapters": {
       "late": {"title": "Late", "track": "main", "length": 9, "beats": [
         {"at": 1},
         {"at": 4}]}}}
    """

  private func makePack(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(Self.manifest.utf8).write(to: URL(filePath: folder + "/pack.json"))
    try WaveFile.write(folder + "/main.wav", seconds: 2) { _ in 0.1 }
    try WaveFile.write(folder + "/short.wav", seconds: 1) { _ in 0.1 }
    try Data("noise".utf8).write(to: URL(filePath: folder + "/noise.wav"))
    try Data("{\"Pattern\": [\n  {\"Event\" 1}]}".utf8).write(to: URL(filePath: folder + "/odd.json"))
  }

  @Test func whatIsWrongIsToldAtTheFieldThatNamesItAndAsTheDaemonTellsIt() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = directory + "/game"
    try makePack(pack)
    let run = try runTool(["lint", pack], socket: "/nonexistent")
    #expect(run.code == 1)
    for said in [
      "\(pack)/pack.json:3:21: error: track gone: tracks.gone.file: \(pack)/gone.wav does not exist [missing]",
      "\(pack)/pack.json:4:21: error: track loud: tracks.loud.file: \(pack)/noise.wav is not a sound file that can be read",
      "\(pack)/pack.json:5:57: error: track main: tracks.main.firstBeat: the first beat at 3.0 s is not inside the track, "
        + "which lasts 2.0 s [invalidValue]",
      "\(pack)/pack.json:6:34: error: track main: tracks.main.markers.out: marker out at 2.5 s is not inside the track, "
        + "which lasts 2.0 s [invalidValue]",
      "\(pack)/pack.json:7:41: error: track over: tracks.over.loop: \(pack)/main.wav: the loop from 0.0 s to 9.0 s leaves the file",
      "\(pack)/pack.json:10:24: error: track parts: tracks.parts.stems.bells.file: \(pack)/short.wav has 48000 frames at "
        + "48000 Hz, and the track that it goes with 96000 at 48000 Hz [invalidValue]",
      "\(pack)/pack.json:10:56: error: track parts: tracks.parts.stems.choir.file: \(pack)/gone.wav does not exist [missing]",
      "\(pack)/pack.json:13:14: error: sound bell: sounds.bell.file: \(pack)/bell.wav does not exist [missing]",
      "\(pack)/pack.json:15:21: error: pattern none: patterns.none.file: \(pack)/none.ahap does not exist [missing]",
      "\(pack)/odd.json:2:12: error: ",
      "\(pack)/pack.json:20:6: error: chapter late: chapters.late.beats[1]: beat 1 at 4.0 s is behind the end of track "
        + "main, which lasts 2.0 s and does not loop [invalidValue]",
    ] {
      #expect(run.output.contains(said), "\(said) is not in \(run.output)")
    }
    #expect(run.output.split(separator: "\n").count { $0.contains(": error: ") } == 11, "\(run.output)")
    // Named by its manifest it is the same pack, and the daemon says the same of it.
    let named = try runTool(["lint", pack + "/pack.json"], socket: "/nonexistent")
    #expect(named.output == run.output)
    let daemon = try DaemonProcess(["--clock", "stepped"], packs: directory)
    let ofDaemon = try runTool(["list"], keeping: .output, socket: daemon.socketPath).text
    let onDisk = try runTool(["list"], in: directory, environment: ["STARLIGHT_PACKS=" + directory])
    // But for what has a daemon read it, where none runs.
    func problems(_ text: String) -> [String] {
      text.split(separator: "\n").filter { $0.contains("problem: ") }.map {
        String($0).replacing(/; then run `starlight pack reload [^`]*`; until then .*/, with: "")
      }
    }
    #expect(problems(ofDaemon).count == 11 && problems(ofDaemon) == problems(onDisk.output), "\(ofDaemon)")
  }

  /// What says only what is left out helps nobody.
  @Test func aRemedyBeginsWithWhatToDo() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try Data(#"{"name": "game", "titel": "Game", "version": 1, "sounds": {"a": {"gain": 9}}}"#.utf8).write(
      to: URL(filePath: directory + "/pack.json"))
    let told = try runTool(["lint", directory], socket: "/nonexistent").output
    for cure in [
      "fix: write title", "fix: put it in double quotes: \"1\"", "fix: write a number from 0 to 8",
      "fix: add it, as in \"file\": \"FILE\"",
    ] {
      #expect(told.contains(cure + "\n"), "\(cure) is not in \(told)")
    }
    // Nothing is running here that would have to take it.
    #expect(!told.contains("starlightd") && !told.contains("until then"))
    #expect(!told.contains("fix: the "))
    // What is no JSON has a cure of its own, said once.
    try Data(#"{"name": "game", "title": "Game", "version": "1", "version": "1", "sounds": {},}"#.utf8).write(
      to: URL(filePath: directory + "/pack.json"))
    let broken = try runTool(["lint", directory], socket: "/nonexistent").output
    for said in [
      "a comma stands before the end of a list or object [syntax]\n    fix: remove it\n",
      "version: is there twice [syntax]\n    fix: keep one of them\n",
    ] {
      #expect(broken.contains(said), "\(said) is not in \(broken)")
    }
  }

  @Test func twoPacksOfOneNameAreToldByDaemonDiskAndDoctor() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    for name in ["a", "b"] {
      let pack = directory + "/" + name
      try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
      try Data(#"{"title": "Game", "version": "1", "name": "game"}"#.utf8).write(
        to: URL(filePath: pack + "/pack.json"))
    }
    // The same folder by another way is the same pack.
    symlink("a", directory + "/c")
    let cause =
      "\(directory)/b/pack.json:1:43: name: game is the name of \(directory)/a as well, which counts, so \(directory)/b is "
      + "left out"
    let said = "\(cause); give it another name and run `starlight pack load \(directory)/b`, or remove it"
    let daemon = try DaemonProcess(["--clock", "stepped"], packs: directory)
    let listed = try runTool(["list"], keeping: .output, socket: daemon.socketPath).text
    #expect(listed.hasSuffix("\nproblem: \(said)\n") && listed.split(separator: "\n").count == 2, "\(listed)")
    #expect(
      try runTool(["call", "engine.status"], keeping: .output, socket: daemon.socketPath).text.contains("nameTaken"))
    let onDisk = try runTool(["list"], in: directory, environment: ["STARLIGHT_PACKS=" + directory])
    // No daemon runs that could load it.
    #expect(
      onDisk.output.contains("problem: \(cause); give one of the two another name, or remove one\n"),
      "\(onDisk.output)")
    let doctor = try runTool(["doctor"], keeping: .output, socket: daemon.socketPath).text
    #expect(doctor.contains("game is the name of \(directory)/a as well"), "\(doctor)")
    #expect(
      doctor.contains("give it another name and run `starlight pack load \(directory)/b`, or remove it"), "\(doctor)")
    #expect(!doctor.contains("starlight lint"), "\(doctor)")
    // Of several at once lint knows too.
    let lint = try runTool(["lint", directory], socket: "/nonexistent")
    #expect(
      lint.code == 1 && lint.output.contains("/b/pack.json:1:43: error: name: game is the name of"), "\(lint.output)")
  }
}
