// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// `starlight pack check`, and `lint`, which says the same.
@Suite struct PackCheckTests {
  private func makePack(_ directory: String, _ manifest: String) throws -> String {
    let pack = directory + "/game"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    try Data(manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    try WaveFile.write(pack + "/main.wav", seconds: 2) { _ in 0.1 }
    return pack
  }

  @Test func faultsOfTheManifestItsFilesAndItsPatternsAreToldAtOnce() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = try makePack(
      directory,
      """
      {"name": "game", "title": "Game", "version": "1"
       "tracks": {"main": {"file": "main.wav", "loop": false}},
       "sounds": {"gone": {"file": "gone.wav"}, "gone": {"file": "gone.wav"},},
       "patterns": {"odd": {"file": "odd.ahap"}},
       "cues": {"go": {"steps": [{"at": 100, "sound": "gone"}]}},
       "chapters": {"one": {"title": "One", "track": "main", "length": 9, "window": 150, "beats": [{"at": 1}]}}}
      """)
    try Data(#"{"Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransent"}}]}"#.utf8).write(
      to: URL(filePath: pack + "/odd.ahap"))
    let run = try runTool(["pack", "check", pack], socket: "/nonexistent")
    #expect(run.code == 1)
    for said in [
      "pack.json:2:2: error: found \" where , or } should be [syntax]\n    fix: put a comma before it",
      "pack.json:3:43: error: sounds.gone: is there twice [syntax]\n    fix: keep one of them",
      "pack.json:3:71: error: a comma stands before the end of a list or object [syntax]\n    fix: remove it",
      "pack.json:3:60: error: sound gone: sounds.gone.file: ",
      "odd.ahap:1:49: error: there is no EventType \"HapticTransent\"",
      "pack.json:5:35: warning: cues.go.steps[0].at: is 100 s, which is unusually long [invalidValue]\n    fix: times are in "
        + "seconds: if 100 ms was meant, write 0.1\n",
      "pack.json:6:79: error: chapters.one.window: is 150 s, outside 0.000001 to 10 s [invalidValue]\n    fix: times are in "
        + "seconds: if 150 ms was meant, write 0.15",
    ] {
      #expect(run.output.contains(said), "\(said) is not in \(run.output)")
    }
    let linted = try runTool(["lint", pack + "/pack.json"], socket: "/nonexistent")
    #expect(linted.output == run.output && linted.code == 1)
    let asJSON = try runTool(["pack", "check", "--json", pack], socket: "/nonexistent")
    #expect(asJSON.code == 1 && asJSON.output.contains(#""severity":"warning""#), "\(asJSON.output)")
  }

  @Test func warningsAloneAreNoFailure() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = try makePack(
      directory,
      """
      {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav", "loop": false}},
       "chapters": {"one": {"title": "One", "track": "main", "length": 9, "beats": [{"at": 1}]}}}
      """)
    let run = try runTool(["pack", "check", pack], socket: "/nonexistent")
    #expect(run.code == 0)
    #expect(
      run.output == """
        \(pack)/pack.json:2:66: warning: chapter one: chapters.one.length: is 9.0 s, and track main lasts 2.0 s and does not \
        loop: the rest is silence [invalidValue]
            fix: write 2.0 at most, or let the track loop

        """)
    // A daemon plays it as it is written, and has nothing to say.
    let daemon = try DaemonProcess(["--clock", "stepped"], packs: pack)
    #expect(!(try runTool(["list"], keeping: .output, socket: daemon.socketPath).text.contains("problem: ")))
  }

  /// Wherever its beats are written.
  @Test func aWindowThatItsBeatsDoNotLeaveRoomForIsWarnedOf() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = try makePack(
      directory,
      """
      {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav"}}, "chapters": {
       "told": {"title": "Told", "track": "main", "length": 2, "window": 0.3, "beats": "beats.json"},
       "usual": {"title": "Usual", "track": "main", "length": 2, "beats": "beats.json"}}}
      """)
    try Data(#"{"beats": [{"at": 1}, {"at": 1.2}]}"#.utf8).write(to: URL(filePath: pack + "/beats.json"))
    let run = try runTool(["pack", "check", pack], socket: "/nonexistent")
    #expect(run.code == 0)
    #expect(
      run.output == """
        \(pack)/pack.json:2:68: warning: chapter told: chapters.told.window: is 0.3 s, and beats are 0.2 s apart: it ends half \
        way to the next beat [invalidValue]
            fix: write 0.1 at most, or put the beats farther apart

        """, "\(run.output)")
  }

  @Test func whatIsNoPackIsSaidSo() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let run = try runTool(["pack", "check", directory], socket: "/nonexistent")
    #expect(run.code == 1 && run.output.contains("no .ahap file and no pack.json is in the folder"), "\(run.output)")
    let missing = try runTool(["pack", "check", directory + "/game"], socket: "/nonexistent")
    #expect(missing.code == 1 && missing.output.contains("/game does not exist"), "\(missing.output)")
    try Data("{}".utf8).write(to: URL(filePath: directory + "/a.ahap"))
    for name in [directory, directory + "/a.ahap"] {
      let run = try runTool(["pack", "check", name], socket: "/nonexistent")
      #expect(run.code == 1 && run.output.contains("name a pack's folder"), "\(run.output)")
    }
  }
}

extension PackCheckTests {
  @Test(arguments: ["pack", "beats"])
  func aSchemaIsPrinted(kind: String) throws {
    let run = try runTool(["pack", "schema", kind], socket: "/nonexistent")
    #expect(run.code == 0 && run.output.hasPrefix("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"))
    #expect(try runTool(["pack", "schema", "cues"], socket: "/nonexistent").code == 2)
  }
}
