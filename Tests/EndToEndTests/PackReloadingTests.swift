// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// Packs that are read again by the real daemon, on the clock, while it plays.
@Suite struct PackReloadingTests {
  private final class Stage {
    let directory: String
    let pack: String
    let daemon: DaemonProcess
    let connection: StarlightConnection

    init(_ options: [String] = []) throws {
      directory = try makeTemporaryDirectory()
      let packs = try TestPack.make(in: directory)
      pack = packs + "/starlight-sync"
      daemon = try DaemonProcess(["--device", "none", "--haptics", "none"] + options, packs: packs)
      connection = try daemon.connect()
      _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.packs, .sound]))
    }

    deinit { removeDirectory(directory) }

    /// The next that is told of packs, but that one is being read.
    func loading() throws -> PackLoading {
      while true {
        let told = try #require(try connection.nextNotification(timeoutUs: 60_000_000))
        if let loading = try told.decode(as: PackLoading.self), loading.change != .reading { return loading }
      }
    }

    /// As an editor saves.
    func edit(_ change: (String) -> String) throws {
      let text = try String(contentsOfFile: pack + "/pack.json", encoding: .utf8)
      try Data(change(text).utf8).write(to: URL(filePath: pack + "/pack.json"), options: .atomic)
    }
  }

  @Test func aSignalHasAllPacksReadAgainWhileOneIsPlayed() throws {
    let stage = try Stage()
    _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: "main"))
    try stage.edit {
      $0.replacing("\"sfx_click\":", with: "\"sfx_clack\":").replacing("sfx_click\"", with: "sfx_clack\"")
    }
    stage.daemon.signal(SIGHUP)
    let loading = try stage.loading()
    #expect(loading.change == .taken && loading.generation == 2 && loading.problems == 0, "\(loading)")
    #expect(try stage.connection.call(MusicStatus.self, Empty()).state == .playing)
    _ = try stage.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_clack"))
    #expect(throws: ClientError.self) {
      _ = try stage.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_click"))
    }
    stage.daemon.signal(SIGTERM)
    #expect(stage.daemon.wait() == 0)
    #expect(stage.daemon.log.contains("SIGHUP: reading the packs again"))
  }

  @Test func aDaemonThatWatchesReadsWhatIsSavedAndLogsWhatIsWrong() throws {
    let stage = try Stage(["--watch"])
    try stage.edit { String($0.dropLast(20)) }
    let broken = try stage.loading()
    #expect(broken.change == .refused && broken.generation == nil && broken.problems ?? 0 > 0, "\(broken)")
    _ = try stage.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_click"))
    stage.daemon.signal(SIGTERM)
    #expect(stage.daemon.wait() == 0)
    #expect(stage.daemon.log.contains("starlight-sync/pack.json:"))
  }

  @Test func theToolLoadsReloadsAndUnloads() throws {
    let stage = try Stage()
    let socket = stage.daemon.socketPath
    let loaded = try runTool(["pack", "load", stage.pack], socket: socket)
    #expect(loaded.code == 0 && loaded.output == Self.taken + "\n", "\(loaded)")
    let reloaded = try runTool(["pack", "reload", "--json"], keeping: .output, socket: socket)
    let result = try JSONDecoder().decode(PackReload.Result.self, from: Data(reloaded.text.utf8))
    #expect(reloaded.code == 0 && result.packs.map(\.generation) == [3])
    let named = try runTool(["pack", "load", "starlight-sync"], socket: socket)
    #expect(
      named.code == 1 && named.output.contains("`starlight pack reload starlight-sync` reads it again"), "\(named)")
    try stage.edit { $0.replacing("\"version\":", with: "\"versoin\":") }
    let faulty = try runTool(["pack", "reload", "starlight-sync"], socket: socket)
    #expect(faulty.code == 1)
    #expect(faulty.output.hasPrefix("starlight-sync: not loaded, "), "\(faulty)")
    #expect(
      faulty.output.contains("; the version that was loaded before stays\n")
        && faulty.output.contains("pack.json:4:3: "),
      "\(faulty)")
    // And so it is told afterwards, to whoever did not see that.
    let status = try runTool(["status"], keeping: .output, socket: socket).text.split(separator: "\n")
    let packs = try #require(status.first { $0.hasPrefix("Packs ") })
    #expect(
      packs.contains(" starlight-sync was read ")
        && packs.contains(" ago and not taken, what was read of it before plays on: ")
        && packs.contains("pack.json:4:3: "), "\(packs)")
    let doctor = try runTool(["doctor"], keeping: .output, socket: socket).text
    #expect(doctor.contains("ago and not taken: ") && doctor.contains("starlight lint \(stage.pack)"), "\(doctor)")
    try stage.edit { $0.replacing("\"versoin\":", with: "\"version\":") }
    #expect(try runTool(["pack", "reload", "starlight-sync"], socket: socket).code == 0)
    #expect(try !runTool(["status"], keeping: .output, socket: socket).text.contains("not taken"))
    #expect(try runTool(["pack", "unload", "starlight-sync"], socket: socket).code == 0)
    let gone = try runTool(["pack", "reload", "starlight-sync"], socket: socket)
    #expect(gone.code == 1 && gone.output.contains("no pack starlight-sync"), "\(gone)")
  }

  private static let taken =
    "starlight-sync: loaded, 2 tracks, 5 sounds, 3 patterns, 9 cues, 1 chapter; what plays now is not changed by it"

  /// Somebody who writes a pack need not run a daemon.
  @Test func withoutADaemonTheToolChecks() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try Data(#"{"name": "game", "title": "Game", "version": 1}"#.utf8).write(
      to: URL(filePath: directory + "/pack.json"))
    // By its manifest, too.
    let faulty = try runTool(["pack", "watch", directory + "/pack.json", "-n", "1"], socket: "/nonexistent")
    #expect(faulty.code == 0, "\(faulty.output)")
    for said in [
      "no starlightd answers: the pack is checked at every save", "pack.json:1:46: error: version: must be text",
      "\(directory): checked, with errors\n",
    ] {
      #expect(faulty.output.contains(said), "\(said) is not in \(faulty.output)")
    }
    try Data(#"{"name": "game", "title": "Game", "version": "1"}"#.utf8).write(
      to: URL(filePath: directory + "/pack.json"))
    let whole = try runTool(["pack", "watch", directory, "-n", "1"], keeping: .output, socket: "/nonexistent")
    #expect(whole.code == 0 && whole.text == "\(directory): checked, no errors\n", "\(whole.text)")
  }

  @Test func theToolLoadsAtEverySave() throws {
    let stage = try Stage()
    let output = stage.directory + "/output"
    let pid = try spawn(
      [DaemonProcess.program("starlight"), "pack", "watch", stage.pack, "--count", "3"],
      environment: ["STARLIGHT_SOCKET=" + stage.daemon.socketPath], errorsTo: output)
    #expect(try stage.loading().change == .taken)
    try stage.edit { String($0.dropLast(20)) }
    #expect(try stage.loading().change == .refused)
    try FileManager.default.removeItem(atPath: stage.pack + "/pack.json")
    #expect(try stage.loading().change == .refused)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    #expect(status == 0)
    let said = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    #expect(said.first == Substring(Self.taken), "\(said)")
    #expect(said.count { !$0.hasPrefix("  ") } == 3, "\(said)")
    #expect(said.contains { $0.contains("pack.json does not exist") }, "\(said)")
  }
}
