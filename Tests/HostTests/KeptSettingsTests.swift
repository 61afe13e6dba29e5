// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Testing

@testable import Host
@testable import Wire

/// Hosts one after another over one state folder, silent and live.
@Suite struct KeptSettingsTests {
  private final class Folder {
    let path: String

    init() throws {
      path = "/tmp/starlight-settings-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/state/settings.json" }

    func host() throws -> Host {
      var configuration = HostConfiguration()
      configuration.packFolders = []
      configuration.audioDevice = "null"
      configuration.haptics = "none"
      configuration.stateFolder = path + "/state"
      return try Host(configuration)
    }
  }

  private func set(_ params: SettingsSet.Params, on host: Host) throws {
    host.beginTurn()
    _ = try host.engine.changeSettings(params, by: .daemon)
    host.carryOutActions()
  }

  @Test func theNextRunHasWhatThePlayerSet() throws {
    let folder = try Folder()
    let first = try folder.host()
    #expect(first.engine.currentSettings == Settings())
    #expect(access(folder.file, F_OK) != 0, "nothing was set, so nothing is kept")
    try set(SettingsSet.Params(sound: false, musicVolume: 0.25), on: first)
    try set(SettingsSet.Params(hapticsVolume: 0.5), on: first)
    #expect(first.stop().isEmpty)
    let second = try folder.host()
    #expect(second.engine.currentSettings == Settings(sound: false, musicVolume: 0.25, hapticsVolume: 0.5))
    #expect(second.takeProblems() == [])
    second.stop()
  }

  @Test(arguments: [
    (#"{"music": false, "sou"#, "byte 17: "), (#"{"musicVolume": 7}"#, "musicVolume"), ("", "byte 0: "),
    (#"{"music": "off"}"#, "music must be"), (String(repeating: " ", count: 17_000), "larger than 16 KiB"),
    (#"{"music": false, "music": true}"#, "\"music\" twice"), (#"{"muzic": false}"#, "no field \"muzic\""),
    ("null", "must be an object"), ("[]", "must be an object"),
  ]) func aTornFileIsToldAndIgnoredAndReplaced(_ text: String, _ told: String) throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder.file))
    let host = try folder.host()
    #expect(host.engine.currentSettings == Settings())
    let problem = host.takeProblems().first?.description ?? ""
    #expect(problem.contains(folder.file) && problem.contains("ignored"), "\(problem)")
    #expect(problem.contains(told), "\(problem)")
    try set(SettingsSet.Params(music: false), on: host)
    #expect(host.stop().isEmpty)
    let next = try folder.host()
    #expect(next.engine.currentSettings == Settings(music: false))
    next.stop()
  }

  @Test func settingsThatCannotBeKeptAreToldAndHold() throws {
    let folder = try Folder()
    // A file stands where the folder should be.
    try Data().write(to: URL(filePath: folder.path + "/state"))
    let host = try folder.host()
    _ = host.takeProblems()
    try set(SettingsSet.Params(music: false), on: host)
    #expect(host.engine.currentSettings.music == false)
    // Nothing else need happen: the daemon is woken to tell it.
    var problem = ""
    var woken = pollfd(fd: host.wakeDescriptors[0], events: Int16(POLLIN), revents: 0)
    while problem.isEmpty, poll(&woken, 1, 5_000) == 1 {
      _ = host.beginRun()
      _ = host.run()
      problem = host.takeProblems().last?.description ?? ""
    }
    host.stop()
    #expect(problem.contains("cannot be kept") && problem.contains(folder.file), "\(problem)")
  }
}
