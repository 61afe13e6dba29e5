// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// `starlight audition` as a process of its own, through a live daemon and without one.
@Suite struct AuditionTests {
  private static func pattern(seconds: Double) -> String {
    #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": "#
      + "\(seconds)" + #", "EventParameters": []}}]}"#
  }

  @Test func whatIsSavedIsPlayedAgain() throws {
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"])
    let connection = try daemon.connect()
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.haptics]))
    let file = daemon.directory + "/p.ahap"
    let output = daemon.directory + "/output"
    try write(Self.pattern(seconds: 30), to: file)
    let pid = try spawn(
      [DaemonProcess.program("starlight"), "audition", file, "--repeat-on-save"],
      environment: ["STARLIGHT_SOCKET=" + daemon.socketPath], errorsTo: output)
    #expect(try next(.started, connection) != nil)
    // Saved while it plays, as an editor that renames does: the new one takes the old one's place.
    try write(Self.pattern(seconds: 20), to: file + ".new")
    #expect(rename(file + ".new", file) == 0)
    #expect(try next(.stopped, connection, reason: .replaced) != nil)
    // A file that is none plays nothing; the next that is one is played. How many saves are seen in time is the clock's.
    try write("{\"Pattern\": [\n  oops", to: file)
    try write(Self.pattern(seconds: 10), to: file)
    #expect(try next(.stopped, connection, reason: .replaced) != nil)
    kill(pid, SIGINT)
    #expect(try next(.stopped, connection, reason: .requested) != nil)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    #expect(status == 0)
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text.contains("p.ahap  30.00 s, 1 continuous"))
    #expect(text.contains("p.ahap  20.00 s, 1 continuous"))
    #expect(text.contains("p.ahap  10.00 s, 1 continuous"))
  }

  @Test func aFolderIsPlayedInOrderAndABadFileIsPassedOver() throws {
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"])
    let connection = try daemon.connect()
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.haptics]))
    let folder = daemon.directory + "/patterns"
    #expect(mkdir(folder, 0o755) == 0)
    try write(Self.pattern(seconds: 0.02), to: folder + "/1.ahap")
    try write("{", to: folder + "/2.ahap")
    try write(Self.pattern(seconds: 0.03), to: folder + "/3.ahap")
    let run = try runTool(["audition", folder], socket: daemon.socketPath)
    #expect(run.code == 1)
    let lines = run.output.split(separator: "\n").map(String.init)
    let named = lines.filter { $0.contains(".ahap") }
    let said = lines.filter { $0.hasPrefix("starlight: ") }
    #expect(said.count == 2)
    #expect(said.count { $0.contains("nothing is felt or heard: the daemon has no pad") } == 1)
    #expect(named.count == 3)
    #expect(named.first == "1 of 3  1.ahap  20 ms, 1 continuous, peak 0.60")
    #expect(named.dropFirst().first?.contains("2.ahap:1:") == true)
    #expect(named.last == "3 of 3  3.ahap  30 ms, 1 continuous, peak 0.60")
    #expect(try next(.finished, connection) != nil)
    #expect(try next(.finished, connection) != nil)
  }

  @Test func aFileThatNamesSoundsIsPlayedWithoutThem() throws {
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"])
    let connection = try daemon.connect()
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.haptics]))
    let file = daemon.directory + "/p.ahap"
    try write(
      #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": []}},"#
        + #"{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "boom.wav"}}]}"#, to: file)
    #expect(try runTool(["audition", file], socket: daemon.socketPath).code == 0)
    #expect(try next(.finished, connection) != nil)
    let played = try runTool(["haptics", "play", file], socket: daemon.socketPath)
    #expect(played.code == 0 && played.output.contains("not heard: boom.wav"))
  }

  @Test func whatCanNeitherBeFeltNorHeardIsSaidWithTheCure() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let file = directory + "/p.ahap"
    try write(Self.pattern(seconds: 0.1), to: file)
    let alone = try runTool(["audition", file, "--device", "none"], socket: "/nonexistent")
    #expect(alone.code == 0)
    #expect(alone.output.contains("p.ahap  100 ms"))
    #expect(alone.output.contains("starlight: nothing is felt or heard: --device none leaves out every pad"))
    #expect(alone.output.contains("add --listen to hear it"))
    let deaf = try runTool(
      ["audition", file, "--device", "none", "--listen", "--sound", "nonesuch"], socket: "/nonexistent")
    let named =
      "nothing is felt or heard: --device none leaves out every pad, and cannot open the sound device nonesuch: "
    #expect(deaf.output.contains(named))
    #expect(deaf.output.contains("--sound PCM"))
    // On a terminal the same is said, under the picture.
    let shown = try runToolOnTerminal(["audition", file, "--device", "none", "--sound", "nonesuch"])
    #expect(shown.contains(named), "\(shown)")
    #expect(shown.contains("plug a pad in, or name a sound device with --sound PCM"), "\(shown)")
    let silent = try runToolOnTerminal(["audition", file, "--device", "none", "--silent"])
    #expect(
      silent.contains("nothing is felt or heard: --device none leaves out every pad add --listen to hear it"))
    let drawn = try runTool(["audition", file, "--draw"], socket: "/nonexistent")
    #expect(!drawn.output.contains("starlight:"))
  }

  @Test func aPatternIsDrawnAndItsPictureWrittenAtOnce() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let (file, picture) = (directory + "/p.ahap", directory + "/p.svg")
    try write(Self.pattern(seconds: 0.1), to: file)
    let both = try runTool(["audition", file, "--draw", "--svg", picture], socket: "/nonexistent")
    #expect(both.code == 0 && both.output.hasPrefix("p.ahap  100 ms"))
    #expect(try String(contentsOfFile: picture, encoding: .utf8).hasPrefix("<svg "))
    let mixed = try runTool(["audition", file, "--draw", "--svg", "-"], socket: "/nonexistent")
    #expect(mixed.code == 2 && mixed.output.contains("--draw goes to the standard output"))
    let alone = try runTool(["audition", file, "--svg", picture], socket: "/nonexistent")
    #expect(alone.code == 0 && alone.output.isEmpty)
  }

  /// A pack of one pattern, which lasts that long, and perhaps a sound, without which it is not active.
  private func makePack(_ name: String, pattern: String, seconds: Double, in packs: String, isActive: Bool) throws {
    let folder = packs + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(Self.pattern(seconds: seconds), to: folder + "/p.ahap")
    let sounds = isActive ? #", "sounds": {"s": {"file": "s.wav"}}"# : ""
    if isActive { try WaveFile.write(folder + "/s.wav", seconds: 0.1) { _ in 0.25 } }
    try write(
      #"{"name": "\#(name)", "title": "T", "version": "1", "patterns": {"\#(pattern)": {"file": "p.ahap"}}\#(sounds)}"#,
      to: folder + "/pack.json")
  }

  @Test func whatIsDrawnOfANameIsWhatPlays() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let packs = directory + "/packs"
    try makePack("a", pattern: "thud", seconds: 0.1, in: packs, isActive: false)
    try makePack("b", pattern: "thud", seconds: 0.2, in: packs, isActive: true)
    try makePack("c", pattern: "buzz", seconds: 0.3, in: packs, isActive: true)
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: packs)
    let connection = try daemon.connect()
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.haptics]))
    // The active pack before others, with a daemon and without; what only another has is of that.
    for (word, whole, length) in [
      ("thud", "b:thud", "200 ms"), ("buzz", "c:buzz", "300 ms"), ("a:thud", "a:thud", "100 ms"),
    ] {
      let played = try runTool(["audition", word], socket: daemon.socketPath)
      #expect(played.code == 0 && played.output.contains("\(whole)  \(length)"), "\(played.output)")
      let told = try next(.finished, connection)
      #expect(told?.source == whole, "\(String(describing: told))")
      let alone = try runTool(
        ["audition", word, "--draw"], in: directory, environment: ["STARLIGHT_PACKS=" + packs])
      #expect(alone.code == 0 && alone.output.contains("\(whole)  \(length)"), "\(alone.output)")
    }
  }

  @Test func aNameThatNoPatternHasIsTheFileOfThatName() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let packs = try TestPack.make(in: directory)
    try write(Self.pattern(seconds: 0.1), to: directory + "/boing.ahap")
    try write(Self.pattern(seconds: 0.2), to: directory + "/plain")
    try write(Self.pattern(seconds: 0.3), to: directory + "/thud.ahap")
    func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
      try runTool(arguments, in: directory, environment: ["STARLIGHT_PACKS=" + packs])
    }
    let boing = try run(["audition", "boing", "--draw"])
    #expect(boing.code == 0)
    #expect(boing.output.contains("starlight: no pattern is called boing; ./boing.ahap is taken\n"))
    #expect(boing.output.contains("boing.ahap  100 ms"))
    #expect(try run(["audition", "plain", "--draw"]).output.contains("plain  200 ms"))
    #expect(try run(["convert", "boing", "--to", "csv"]).output.contains("time,intensity"))
    // A pattern of a pack goes first, without a word.
    let thud = try run(["audition", "thud", "--draw"])
    #expect(thud.output.hasPrefix("starlight-sync:thud  ") && !thud.output.contains("300 ms"))
    let neither = try run(["audition", "boingg", "--draw"])
    #expect(neither.code == 1 && neither.output.contains("no pattern boingg"))
  }

  @Test func aPadThatIsNotThereIsSaidWithAndWithoutADaemon() throws {
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"])
    let file = daemon.directory + "/p.ahap"
    try write(Self.pattern(seconds: 0.1), to: file)
    let through = try runTool(["audition", file, "--device", "no such pad"], socket: daemon.socketPath)
    #expect(through.code == 1)
    #expect(through.output.contains("no haptic output no such pad"))
    let alone = try runTool(["audition", file, "--device", "no such pad"], socket: "/nonexistent")
    #expect(alone.code == 1)
    #expect(alone.output.contains("no pad is called no such pad"))
  }

  private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  /// The next of a kind that is told, whatever is told before it.
  private func next(
    _ change: HapticsChanged.Change, _ connection: StarlightConnection, reason: HapticsChanged.StopReason? = nil
  ) throws -> HapticsChanged? {
    while let notification = try connection.nextNotification(timeoutUs: 20_000_000) {
      if let told = try notification.decode(as: HapticsChanged.self), told.change == change, told.reason == reason {
        return told
      }
    }
    return nil
  }
}
