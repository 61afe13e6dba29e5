// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing
import Wire

/// The real `starlight` against a real daemon: what it prints and how it ends.
@Suite struct ToolTests {
  @Test func withoutADaemonItSaysWhereItLookedAndWhatToDo() throws {
    let run = try runTool(["status"], socket: "/nonexistent/starlightd.sock")
    #expect(run.code == 3)
    #expect(run.output.contains("/nonexistent/starlightd.sock"))
    #expect(run.output.contains("starlightd"))
  }

  @Test func aMistypedCommandIsToldWithTheNearest() throws {
    let run = try runTool(["musik"], socket: "/nonexistent/starlightd.sock")
    #expect(run.code == 2)
    #expect(run.output.contains("did you mean music?"))
  }

  @Test func whatADaemonHasIsListed() throws {
    let game = try SteppedGame()
    let list = try runTool(["list", "tracks", "--names"], socket: game.daemon.socketPath)
    #expect(list.code == 0)
    #expect(list.output.split(separator: "\n").contains("starlight-sync:finale"))
    let status = try runTool(["status", "--json"], socket: game.daemon.socketPath)
    #expect(status.code == 0)
    let decoded = try JSONDecoder().decode(EngineStatus.Result.self, from: Data(status.output.utf8))
    #expect(decoded.clock == .stepped)
  }

  @Test func withoutADaemonTheSameIsListedFromDisk() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let packs = try TestPack.make(in: directory)
    let daemon = try DaemonProcess(["--clock", "stepped"], packs: packs)
    let served = try runTool(["list"], keeping: .output, socket: daemon.socketPath)
    let environment = ["STARLIGHT_PACKS=" + packs]
    let own = try runTool(["list"], in: directory, environment: environment)
    #expect(own.code == 0)
    #expect(served.text.contains("firewall  45.00 s  32 beats"))
    let said =
      "starlight: no starlightd answers at /nonexistent: these are the packs that one started here would load\n"
    #expect(own.output == said + served.text)
    let names = try runTool(["list", "cues", "--names"], in: directory, environment: environment)
    #expect(names.output == (try runTool(["list", "cues", "--names"], socket: daemon.socketPath)).output)
    // A pack that cannot be read is told of.
    try Data("{".utf8).write(to: URL(filePath: packs + "/starlight-sync/pack.json"))
    let broken = try runTool(["list"], in: directory, environment: environment)
    #expect(broken.output.contains("problem: ") && broken.output.contains("starlight-sync/pack.json"))
  }

  @Test(arguments: [
    (["rhythm", "start"], "rhythm.start, a method of the socket, is `starlight rhythm play` here"),
    (["help", "rhythm", "tap"], "rhythm.tap, a method of the socket, is `starlight call rhythm.tap JSON` here"),
    (["engine", "status"], "engine.status, a method of the socket, is `starlight status` here"),
    (["clock.step"], "clock.step, a method of the socket, is `starlight call clock.step JSON` here"),
    (["trace", "read"], "trace.read, a method of the socket, is `starlight trace` here"),
    (["call", "rhythm.tap", "{\"atUs\": 1,,}"], "at line 1, column 12"),
    (["call", "rhythm.tap", "[]"], "`[]` is no JSON object that can be read"),
    (["sound", "play", "/dev/null"], "/dev/null is a file: a sound is played by its name in a pack"),
    (["sound", "play", "/tmp"], "/tmp is a folder: a sound is played by its name in a pack"),
    (["music", "play", "/dev/null"], "`starlight list tracks` names them"),
  ])
  func whatIsTakenForSomethingElseIsToldWhatToTypeInstead(words: [String], said: String) throws {
    let run = try runTool(words, socket: "/nonexistent")
    #expect(run.code != 0 && run.output.replacing("\n           ", with: " ").contains(said), "\(run)")
  }

  @Test func aNameThatIsNotThereFailsWithTheNearest() throws {
    let game = try SteppedGame()
    let run = try runTool(["sound", "play", "sfx_clik"], socket: game.daemon.socketPath)
    #expect(run.code == 1)
    #expect(run.output.contains("did you mean starlight-sync:sfx_click?"))
  }

  @Test func aPauseIsHeldByItsCommandAndTheStatusTellsOfIt() throws {
    let game = try SteppedGame()
    let paused = try runTool(["pause", "--for", "0.05"], socket: game.daemon.socketPath)
    #expect(paused.code == 0 && paused.output == "paused\ngoes on, 0.000 s later than planned\n", "\(paused)")
    _ = try game.connection.call(EnginePause.self, Empty())
    let both = try runTool(["pause", "--for", "0"], socket: game.daemon.socketPath)
    #expect(both.output == "paused\npaused by 1 client\n", "\(both)")
    #expect(try runTool(["status"], socket: game.daemon.socketPath).output.contains("Engine     paused by 1 client\n"))
    let refused = try runTool(["resume"], socket: game.daemon.socketPath)
    #expect(refused.code == 1 && refused.output.contains("`starlight status` reports how many hold one"), "\(refused)")
  }

  @Test func aClockThatStandsStillIsNotMeasured() throws {
    let game = try SteppedGame()
    let status = try runTool(["status"], socket: game.daemon.socketPath)
    #expect(status.output.contains("of processor time\n"))
    let latency = try runTool(["latency"], socket: game.daemon.socketPath)
    #expect(latency.code == 1)
    #expect(latency.output.contains("stepped clock"))
  }

  @Test(arguments: [
    ["music", "play", "main"], ["music", "stop"], ["sound", "play", "sfx_click"], ["cue", "fire", "button"],
    ["haptics", "stop"], ["haptics", "transient"],
  ])
  func whereTimeStandsStillWhateverNeedsItSaysSo(arguments: [String]) throws {
    let game = try SteppedGame()
    let run = try runTool(arguments, socket: game.daemon.socketPath)
    #expect(run.code == 0)
    #expect(run.output.contains("the daemon's clock is stepped: nothing happens until it is moved on"))
  }

  /// What a command prints that is about nothing: none claims what has not happened.
  @Test(arguments: [
    (["music", "stop"], "stopped; nothing was playing just before\n"),
    (["sound", "stop"], "stopped; nothing was playing just before\n"),
    (["haptics", "stop"], "stopped; nothing was playing just before\n"),
    (["sound", "stop", "--at", "1"], "stops what plays at that instant; nothing plays now\n"),
    (["music", "stop", "--at", "1"], "stops what plays at that instant; nothing plays now (plan 1)\n"),
  ])
  func aStopWhileNothingPlaysSaysSo(arguments: [String], text: String) throws {
    let game = try SteppedGame()
    let run = try runTool(arguments, keeping: .output, socket: game.daemon.socketPath)
    #expect(run.code == 0 && run.text == text, "\(run)")
  }

  @Test func aStopOfWhatPlaysSaysThatItStopped() throws {
    let game = try SteppedGame()
    let socket = game.daemon.socketPath
    _ = try game.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_click", loop: true))
    _ = try game.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "thud", loop: true))
    _ = try game.connection.call(MusicPlay.self, MusicPlay.Params(track: "main"))
    for noun in ["music", "sound", "haptics"] {
      let run = try runTool([noun, "stop"], keeping: .output, socket: socket)
      #expect(run.code == 0 && run.text.hasPrefix("stopped"), "\(noun): \(run)")
    }
  }

  @Test(arguments: [["music", "status"], ["list"], ["settings"]])
  func whatOnlyLooksSaysNothingOfTheClock(arguments: [String]) throws {
    let game = try SteppedGame()
    let run = try runTool(arguments, socket: game.daemon.socketPath)
    #expect(run.code == 0)
    #expect(!run.output.contains("is moved on"))
  }

  @Test func errorsInAPatternAreSaidWhereverItIsRead() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let file = directory + "/bad.ahap"
    let text = #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransientt"}}]}"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    for arguments in [["convert", file, "--to", "csv"], ["diff", file, file]] {
      let run = try runTool(arguments, socket: "/nonexistent/starlightd.sock")
      #expect(run.code == 0)
      #expect(run.output.contains("bad.ahap has 1 error; see `starlight lint "), "\(arguments)")
    }
  }

  @Test func aPictureAndItsFiguresGoToTheStandardOutput() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let file = directory + "/tap.ahap"
    let text = """
      {"Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient",
                              "EventParameters": [{"ParameterID": "HapticSharpness", "ParameterValue": 0.1}]}}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    let socket = "/nonexistent/starlightd.sock"
    #expect(try runTool(["audition", file, "--svg", "-"], socket: socket).output.hasPrefix("<svg "))
    #expect(try runTool(["diff", file, file, "--svg", "-"], socket: socket).code == 2)
    let figures = try runTool(["audition", file, "--json"], socket: socket)
    #expect(figures.output.contains(#""sharpness":0.1,"#))
  }

  @Test func doctorLooksAtTheDaemonThatRuns() throws {
    let game = try SteppedGame()
    let run = try runTool(["doctor", "--json"], socket: game.daemon.socketPath)
    guard case .object(let report) = try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8)),
      case .array(let findings)? = report["findings"], case .integer(let problems)? = report["problems"]
    else {
      Issue.record("\(run.output)")
      return
    }
    #expect(run.code == (problems == 0 ? 0 : 1))
    let codes = findings.compactMap { finding in
      if case .object(let fields) = finding, case .string(let code)? = fields["code"] { code } else { nil }
    }
    #expect(codes.contains("daemon"))
    #expect(codes.contains("packs"))
    let absent = try runTool(["doctor", "--json"], socket: "/nonexistent/starlightd.sock")
    #expect(absent.output.contains("\"daemonAbsent\""))
  }

  @Test func aSoundGetsAHapticTwin() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    // A quarter of a second of silence, then half a second of sound.
    try WaveFile.write(directory + "/boom.wav", seconds: 0.75) { frame in
      frame < 12_000 ? 0 : 0.5 * cosine(Double(frame) * 0.1)
    }
    let run = try runTool(["convert", directory + "/boom.wav", directory + "/boom.ahap"], socket: "/nonexistent")
    #expect(run.code == 0, "\(run.output)")
    #expect(try runTool(["lint", directory + "/boom.ahap"], socket: "/nonexistent").code == 0)
    let table = try runTool(["convert", directory + "/boom.ahap", "--to", "csv"], socket: "/nonexistent")
    let rows = table.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    let felt = rows.filter { $0.count == 3 && $0[1] > 0.1 }
    let first = try #require(felt.first)
    #expect(abs(first[0] - 0.25) < 0.02)
    #expect(rows.allSatisfy { $0.count != 3 || $0[0] > 0.23 || $0[1] == 0 })
  }

  @Test func aSoundOnTheStandardInputGetsTheSameTwin() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try WaveFile.write(directory + "/boom.wav", seconds: 0.5) { 0.5 * cosine(Double($0) * 0.1) }
    try FileManager.default.copyItem(atPath: directory + "/boom.wav", toPath: directory + "/boom.bin")
    let named = try runTool(["convert", directory + "/boom.wav", "--to", "ahap"], socket: "/nonexistent")
    let found = try runTool(["convert", directory + "/boom.bin", "--to", "ahap"], socket: "/nonexistent")
    let piped = try runTool(["convert", "-", "--to", "ahap"], input: directory + "/boom.wav", socket: "/nonexistent")
    #expect(piped.code == 0, "\(piped.output)")
    #expect(piped.output == named.output && found.output == named.output && named.output.contains("HapticContinuous"))
    let tidy = try runTool(["convert", "-", "--to", "csv"], input: directory + "/boom.wav", socket: "/nonexistent")
    #expect(tidy.output.hasPrefix("time,intensity,sharpness\n"))
    // What breaks off is told as of the standard input.
    let whole = try Data(contentsOf: URL(filePath: directory + "/boom.wav"))
    try whole.prefix(30).write(to: URL(filePath: directory + "/half"))
    let broken = try runTool(["convert", "-", "--to", "csv"], input: directory + "/half", socket: "/nonexistent")
    #expect(broken.code == 1)
    #expect(broken.output.contains("standard input") && !broken.output.contains("/proc/"), "\(broken.output)")
  }

  @Test func aWaveFileTakesThePlaceOfTheOldOneThroughALink() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let text = #"{"Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient"}}]}"#
    try Data(text.utf8).write(to: URL(filePath: directory + "/tap.ahap"))
    try Data("old".utf8).write(to: URL(filePath: directory + "/real.wav"))
    try FileManager.default.createSymbolicLink(atPath: directory + "/link.wav", withDestinationPath: "real.wav")
    let command = ["convert", directory + "/tap.ahap", directory + "/link.wav"]
    let refused = try runTool(command, socket: "/nonexistent")
    #expect(refused.code == 1 && refused.output.contains("link.wav is there already"), "\(refused)")
    #expect(try Data(contentsOf: URL(filePath: directory + "/real.wav")) == Data("old".utf8))
    let run = try runTool(command + ["--force"], socket: "/nonexistent")
    #expect(run.code == 0 && run.output.isEmpty, "\(run.output)")
    // A person is told that it was done; of a check that found nothing as well.
    let shown = try runToolOnTerminal(command + ["--force"])
    #expect(shown.hasSuffix("link.wav: written"), "\(shown)")
    let whole =
      #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": ["#
      + #"{"ParameterID": "HapticIntensity", "ParameterValue": 1}, {"ParameterID": "HapticSharpness", "ParameterValue": 1}]}}]}"#
    try Data(whole.utf8).write(to: URL(filePath: directory + "/tap.ahap"))
    let checked = try runToolOnTerminal(["lint", directory + "/tap.ahap"])
    #expect(checked.hasSuffix("1 file, no findings"), "\(checked)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory + "/link.wav") == "real.wav")
    #expect(try Data(contentsOf: URL(filePath: directory + "/real.wav")).starts(with: Array("RIFF".utf8)))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["link.wav", "real.wav", "tap.ahap"])
    let nowhere = try runTool(["convert", directory + "/tap.ahap", directory + "/no/x.wav"], socket: "/nonexistent")
    #expect(nowhere.code == 1)
    #expect(nowhere.output.contains("cannot write \(directory)/no/x.wav: No such file or directory"))
  }

  @Test func aSoundWithNothingToFeelIsNoPattern() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let (sound, pattern) = (directory + "/hush.wav", directory + "/hush.ahap")
    try WaveFile.write(sound, seconds: 0.1) { _ in 0 }
    let run = try runTool(["convert", sound, pattern], socket: "/nonexistent")
    #expect(run.code == 1)
    #expect(run.output.contains("\(sound) is silent: there is nothing to feel"))
    #expect(!FileManager.default.fileExists(atPath: pattern))
  }

  private static let thunder = """
    {"Version": 1, "Pattern": [
      {"Event": {"Time": 0, "EventType": "AudioCustom",
        "EventWaveformPath": "sounds/thunder.wav", "EventParameters": []}}
    ]}
    """

  @Test func lintMissesASoundFileWhereItWouldBeLookedFor() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let (folder, file) = (directory + "/patterns", directory + "/patterns/storm.ahap")
    try FileManager.default.createDirectory(atPath: folder + "/sounds", withIntermediateDirectories: true)
    try Data(Self.thunder.utf8).write(to: URL(filePath: file))
    let missing = try runTool(["lint", file], socket: "/nonexistent")
    #expect(missing.code == 1)
    #expect(
      missing.output.contains("storm.ahap:3:26: error: there is no sound file sounds/thunder.wav beside the pattern"))
    try WaveFile.write(folder + "/sounds/thunder.wav", seconds: 0.1) { _ in 0.5 }
    let there = try runTool(["lint", file], socket: "/nonexistent")
    #expect(there.code == 0)
    #expect(there.output.isEmpty)
    // In a pack it is looked for from the pack's folder.
    try Data("{}".utf8).write(to: URL(filePath: directory + "/pack.json"))
    let packed = try runTool(["lint", file], socket: "/nonexistent")
    #expect(packed.code == 1)
    #expect(
      packed.output.contains("there is no sound file sounds/thunder.wav in the pack \(directory) [no-sound-file]"))
    #expect(packed.output.contains("fix: name it from the pack's folder"))
    // What starlightd refuses for its name counts as missing, though it is there.
    try Data(Self.thunder.replacing("sounds/", with: "patterns/../patterns/sounds/").utf8).write(
      to: URL(filePath: file))
    let outside = try runTool(["lint", file], socket: "/nonexistent")
    #expect(outside.code == 1)
    #expect(
      outside.output.contains(
        "EventWaveformPath \"patterns/../patterns/sounds/thunder.wav\" leaves the pack; keep the file inside it"
          + " [sound-file-refused]"))
  }

  @Test func lintLooksIntoFoldersWhateverTheirLinks() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    // Nobody writes to it: whoever opened it would wait.
    try #require(mkfifo(directory + "/pipe.ahap", 0o600) == 0)
    try FileManager.default.createDirectory(atPath: directory + "/b/c", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: directory + "/.git", withIntermediateDirectories: true)
    for name in ["b/c/2.ahap", "b/1.AHAP", "a.ahap", ".git/x.ahap", "b/note.txt"] {
      try Data("{".utf8).write(to: URL(filePath: directory + "/" + name))
    }
    try FileManager.default.createSymbolicLink(atPath: directory + "/b/c/round", withDestinationPath: "../..")
    let run = try runTool(["lint", directory], socket: "/nonexistent")
    #expect(run.code == 1)
    let files = run.output.split(separator: "\n").filter { $0.contains(": error:") }
      .map { $0.dropFirst(directory.count + 1).prefix { $0 != ":" } }
    #expect(files == ["a.ahap", "b/1.AHAP", "b/c/2.ahap"])
    removeDirectory(directory + "/b")
    try FileManager.default.removeItem(atPath: directory + "/a.ahap")
    let none = try runTool(["lint", directory], socket: "/nonexistent")
    #expect(none.code == 1)
    #expect(none.output.contains("no .ahap file and no pack.json is in the folder \(directory) or below it"))
  }

  @Test(.enabled(if: geteuid() != 0, "nothing is closed to root"))
  func aFolderThatIsClosedHidesNoOther() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try FileManager.default.createDirectory(atPath: directory + "/closed", withIntermediateDirectories: true)
    try Data("{".utf8).write(to: URL(filePath: directory + "/a.ahap"))
    try #require(chmod(directory + "/closed", 0) == 0)
    let run = try runTool(["lint", directory], socket: "/nonexistent")
    #expect(run.code == 1)
    #expect(run.output.contains("a.ahap:1:2: error:"))
    #expect(run.output.contains("cannot look into the folder \(directory)/closed: Permission denied"))
  }

  @Test func diffTakesWhatGitTellsADiffDriver() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let (file, broken) = (directory + "/blob_boom.ahap", directory + "/broken.ahap")
    let tap =
      #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": ["#
      + #"{"ParameterID": "HapticIntensity", "ParameterValue": 0.5}]}}]}"#
    try Data(tap.utf8).write(to: URL(filePath: file))
    try Data("{".utf8).write(to: URL(filePath: broken))
    func diff(_ old: String, _ new: String, _ more: [String] = []) throws -> (code: Int32, output: String) {
      try runTool(["diff", "p/boom.ahap", old, "e988fc7", "100644", new, ".", "100644"] + more, socket: "/nonexistent")
    }
    let added = try diff("/dev/null", file)
    #expect(added.code == 0)
    #expect(
      added.output == """
        diff p/boom.ahap
        --- /dev/null: 0 s, 0 events
        +++ b/p/boom.ahap: 0.02 s, 1 event
        @@ 0 to 0.02 s: silence -> intensity 0.5 sharpness 0.5

        """)
    let renamed = try diff(file, file, ["p/bang.ahap", "similarity index 100%"])
    #expect(renamed.output.hasSuffix("+++ b/p/bang.ahap: 0.02 s, 1 event\nno difference can be felt\n"))
    // A driver that fails ends all of git's output.
    let unreadable = try diff(file, broken)
    #expect(unreadable.code == 0)
    #expect(unreadable.output.contains("broken.ahap:1:2:"))
    #expect(try runTool(["diff", file, file, file], socket: "/nonexistent").code == 2)
  }

  @Test func lintTellsFileLineAndColumn() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let file = directory + "/bad.ahap"
    let text =
      "{\"Version\": 1.0, \"Pattern\": [\n  {\"Event\": {\"Time\": 0, \"EventType\": \"HapticTransient\",\n"
      + "    \"EventParameters\": [{\"ParameterID\": \"HapticIntensity\", \"ParameterValue\": 7}]}}\n]}\n"
    try Data(text.utf8).write(to: URL(filePath: file))
    let run = try runTool(["lint", file], socket: "/nonexistent")
    #expect(run.code == 0)
    #expect(run.output.contains("bad.ahap:3:"))
    try Data("{".utf8).write(to: URL(filePath: file))
    #expect(try runTool(["lint", file], socket: "/nonexistent").code == 1)
  }
}

/// Runs `starlight` to its end, its input a pipe from the file `input`; output and errors together.
func runTool(_ arguments: [String], input: String, socket: String) throws -> (code: Int32, output: String) {
  try run(
    ["/bin/sh", "-c", #"input=$1; shift; cat "$input" | "$@""#, "sh", input, DaemonProcess.program("starlight")]
      + arguments, socket: socket)
}

/// Runs `starlight` in `folder`, without a daemon, to its end; output and errors together.
func runTool(
  _ arguments: [String], in folder: String, environment: [String]
) throws -> (code: Int32, output: String) {
  try run(
    ["/bin/sh", "-c", #"cd "$1" && shift && exec "$@""#, "sh", folder, DaemonProcess.program("starlight")] + arguments,
    socket: "/nonexistent", environment: environment)
}

/// Runs `starlight` on a terminal of its own, without a daemon; the words it drew, without what controls the terminal.
func runToolOnTerminal(_ arguments: [String]) throws -> String {
  try runToolOnTerminal(arguments, columns: 200).split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

/// The same on one of so many columns, with its spaces and lines.
func runToolOnTerminal(_ arguments: [String], columns: Int) throws -> String {
  let command = ([DaemonProcess.program("starlight")] + arguments)
    .map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
  let drawn = try run(
    ["/usr/bin/script", "-qec", "stty cols \(columns) rows 50; " + command, "/dev/null"], socket: "/nonexistent",
    environment: ["TERM=xterm"])
  return drawn.output.replacing(/\u{1B}(\[[0-9;?]*[A-Za-z]|[()].)/, with: "")
}

/// One of a program's two outputs.
enum ToolOutput: String {
  case output = "2>/dev/null"
  case errors = "2>&1 >/dev/null"
}

/// Runs `starlight` to its end; one of its outputs alone.
func runTool(
  _ arguments: [String], keeping output: ToolOutput, socket: String
) throws -> (code: Int32, text: String) {
  let run = try run(
    ["/bin/sh", "-c", #""$@" "# + output.rawValue, "sh", DaemonProcess.program("starlight")] + arguments, socket: socket
  )
  return (run.code, run.output)
}

/// Runs `starlight` to its end; output and errors together.
func runTool(_ arguments: [String], socket: String) throws -> (code: Int32, output: String) {
  try run([DaemonProcess.program("starlight")] + arguments, socket: socket)
}

private func run(
  _ arguments: [String], socket: String, environment: [String] = []
) throws -> (code: Int32, output: String) {
  let directory = try makeTemporaryDirectory()
  defer { removeDirectory(directory) }
  let pid = try spawn(
    arguments,
    environment: ["STARLIGHT_SOCKET=" + socket, "PATH=/usr/bin:/bin", "STARLIGHT_NO_BUILT_IN_PACKS=1"] + environment,
    errorsTo: directory + "/output")
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  let code = status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
  return (code, (try? String(contentsOfFile: directory + "/output", encoding: .utf8)) ?? "")
}
