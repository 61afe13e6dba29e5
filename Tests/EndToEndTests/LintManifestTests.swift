// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import Testing

/// `starlight lint` given what is no pattern, but of a game pack.
@Suite struct LintManifestTests {
  private static let manifest = #"{"name": "game", "title": "Game", "version": "1"}"#

  @Test func aManifestIsToldAsOne() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    // Under another name than a pack is found by.
    let file = directory + "/game.json"
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

  /// All of it at once: the manifest, the beats in it and in their file, what it names and is not there, and its patterns.
  @Test func aFolderWithAManifestIsLintedAsAPack() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = directory + "/game"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: false)
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: pack + "/" + name))
    }
    let manifest = """
      {"name": "game", "title": "Game", "version": "1",
       "tracks": {"main": {"file": "main.wav"}}, "patterns": {"thud": {"file": "thud.ahap"}},
       "chapters": {
         "one": {"title": "One", "track": "main", "length": 2, "beats": [{"at": 1}, {"at": 3}]},
         "two": {"title": "Two", "track": "main", "length": 2, "beats": "two.json"}}}
      """
    try write("pack.json", manifest)
    try write("two.json", #"{"beats": [{"at": 4}, {"at": "x"}, {"at": 1}, {"at": 0.5}]}"#)
    try write("thud.ahap", #"{"Pattern": [{"Event": {"Time": -1, "EventType": "HapticTransient"}}]}"#)
    for folder in [pack, directory] {
      let run = try runTool(["lint", folder], socket: "/nonexistent")
      #expect(run.code == 1)
      for said in [
        "\(pack)/pack.json:2:30: error: track main: tracks.main.file: \(pack)/main.wav does not exist [missing]",
        "\(pack)/pack.json:4:79: error: chapter one: chapters.one.beats[1]: beat 1 at 3 s is outside the chapter, "
          + "which lasts from 0 to 2 s [invalidValue]",
        "\(pack)/two.json:1:12: error: chapter two: beats[0]: beat 0 at 4 s is outside the chapter",
        "\(pack)/two.json:1:30: error: chapter two: beats[1].at: must be a number [wrongType]",
        "\(pack)/two.json:1:47: error: chapter two: beats[3]: beat 3 at 0.5 s is not after the one before it at 1 s",
        "fix: move it into the chapter, or make the chapter's length more than 3\n",
        "fix: sort the beats by time\n",
        "\(pack)/thud.ahap:1:33: warning: Time -1",
      ] {
        #expect(run.output.contains(said), "\(said) is not in \(run.output)")
      }
    }
    // A manifest with a fault of its own is told with every one.
    try write("pack.json", manifest.replacing(#""title": "Game""#, with: #""titel": "Game""#))
    let refused = try runTool(["lint", pack], socket: "/nonexistent")
    #expect(refused.code == 1)
    #expect(refused.output.contains("pack.json:1:18: error: titel: is no field of this object; did you mean title?"))
    #expect(refused.output.contains("pack.json:4:79: error: chapters.one.beats[1]: "))
    let listed = try runTool(["lint", "--json", pack], socket: "/nonexistent")
    #expect(listed.output.contains(#""code":"unknownField""#) && listed.output.contains(#""line":4"#))
  }

  /// What its chapter knows is not held against it.
  @Test func aBeatMapByItselfIsChecked() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let path = directory + "/one.beats.json"
    try Data(#"{"bpm": 90, "beats": [{"at": 1, "lane": "left"}, {"at": 2, "lane": "right"}]}"#.utf8).write(
      to: URL(filePath: path))
    let right = try runTool(["lint", path], socket: "/nonexistent")
    #expect(right.code == 0 && right.output.isEmpty, "\(right.output)")
    try Data(#"{"tempo": 90, "beats": [{"at": 2, "lane": "left"}, {"at": 1}]}"#.utf8).write(to: URL(filePath: path))
    for arguments in [["lint", path], ["lint", "--fix", path]] {
      let wrong = try runTool(arguments, socket: "/nonexistent")
      #expect(
        wrong.output == """
          \(path):1:2: error: tempo: is no field of this object; did you mean bpm? [unknownField]
              fix: write bpm
          \(path):1:52: error: beats[1]: beat 1 at 1 s is not after the one before it at 2 s [invalidValue]
              fix: sort the beats by time

          """)
      #expect(wrong.code == 1)
    }
  }

  /// What is told of a folder named from where one is can be pasted elsewhere.
  @Test func foldersNamedFromHereAreToldFromTheRoot() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try FileManager.default.createDirectory(atPath: directory + "/game", withIntermediateDirectories: false)
    try Data(Self.manifest.utf8).write(to: URL(filePath: directory + "/game/pack.json"))
    let listed = try runTool(["list"], in: directory, environment: ["STARLIGHT_PACKS=./game"])
    #expect(listed.output.contains(", \(directory)/game\n"), "\(listed.output)")
  }

  @Test func aPackWithoutAFaultHasNoFindings() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try Data(Self.manifest.utf8).write(to: URL(filePath: directory + "/pack.json"))
    let run = try runTool(["lint", directory], socket: "/nonexistent")
    #expect(run.code == 0 && run.output.isEmpty, "\(run.output)")
  }

  @Test func aPackThatIsLeftOutIsListedWithTheReasonByDaemonAndDisk() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = directory + "/game"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: false)
    try Data(#"{"name": "game", "titel": "Game", "version": "1"}"#.utf8).write(to: URL(filePath: pack + "/pack.json"))
    let daemon = try DaemonProcess(["--clock", "stepped"], packs: directory)
    let said =
      "problem: \(pack)/pack.json:1:18: titel: is no field of this object; did you mean title?; write title"
    let told = try runTool(["list"], keeping: .output, socket: daemon.socketPath).text
    #expect(told == said + "; then run `starlight pack load \(pack)`; until then the whole pack is left out\n")
    let onDisk = try runTool(["list"], in: directory, environment: ["STARLIGHT_PACKS=" + directory])
    #expect(onDisk.output.contains(said + "\n"), "\(onDisk.output)")
  }

  @Test func aFolderOfPacksThatIsNotThereIsListed() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let listed = try runTool(["list"], in: directory, environment: ["STARLIGHT_PACKS=./nowhere"])
    #expect(
      listed.output.hasSuffix(
        "problem: there is no folder \(directory)/nowhere, named by $STARLIGHT_PACKS; name a pack's folder, or a folder of "
          + "such; no starlightd starts until then\n"), "\(listed.output)")
  }

  @Test func theHelpOfConvertSaysWhatAWaveFileNeeds() throws {
    let help = try runTool(["convert", "--help"], socket: "/nonexistent").output
    #expect(help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("which a WAV file needs"))
  }
}
