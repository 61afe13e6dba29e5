// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A whole program and a real daemon, to the end of the story: the address is where it is sent to, and nowhere else.
@Suite struct CanaryTests {
  private let canary = "canary-3b9e41a7"
  private let folder = TemporaryFolder()

  @Test func theAddressIsInNoLogNoCoreNoRecordingNoProgramAndNoTable() throws {
    let server = LocalServer(answering: [500, 200], isHolding: true)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/config/starlight-sync", withIntermediateDirectories: true)
    let secret = folder.path + "/config/starlight-sync/message-url"
    try Data("http://127.0.0.1:\(server.port)/\(canary)\n".utf8).write(to: URL(filePath: secret))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)

    try makePack()
    let daemon = try start(
      Self.daemon,
      [
        "--clock", "stepped", "--socket", folder.path + "/socket", "--packs", folder.path + "/packs", "--record",
        folder.path + "/heard.wav",
      ]
        + ["--haptic-log", folder.path + "/felt"], "daemon")
    defer { daemon.terminate() }
    let arguments = ["--socket", folder.path + "/socket", "--state", folder.path + "/state", "--from", "6"]
    let player = try start(Self.player, arguments + ["--log", folder.path + "/log"], "player")
    defer { player.terminate() }
    try #require(server.wait(for: 1), "the player does not come to its end")
    let process = "/proc/\(player.processIdentifier)/"
    for table in ["cmdline", "environ"] {
      let text = try #require(FileManager.default.contents(atPath: process + table))
      #expect(text.range(of: Data(canary.utf8)) == nil, "it stands in \(table)")
    }
    // As where core files are wanted: none may be written of this one.
    let limits = try String(contentsOfFile: process + "limits", encoding: .utf8)
    #expect(limits.contains(#/Max core file size +0 +0 /#))
    // Where the player is not root: what keeps its memory to itself is shown as root's.
    #expect((try FileManager.default.attributesOfItem(atPath: process + "mem"))[.ownerAccountID] as? Int == 0)
    server.release()
    player.waitUntilExit()
    #expect(player.terminationStatus == 0)
    daemon.interrupt()
    daemon.waitUntilExit()
    #expect(server.received.count == 2)

    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.path + "/" + $0 }
    #expect(files.contains(folder.path + "/state/progress") && files.contains(folder.path + "/heard.wav"))
    for file in files + [Self.player] where file != secret {
      guard let data = FileManager.default.contents(atPath: file) else { continue }
      #expect(data.range(of: Data(canary.utf8)) == nil, "it stands in \(file)")
    }
    #expect(!files.contains { $0.contains("core") })
  }

  /// What the last chapter asks for, without a sound.
  private func makePack() throws {
    let pack = folder.path + "/packs/starlight-sync"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    let cue = #"{ "steps": [{ "transient": { "intensity": 1, "sharpness": 0.5 } }] }"#
    let text =
      #"{ "name": "starlight-sync", "title": "Sync", "version": "1", "cues": { "slider": \#(cue), "finale": \#(cue) }, "parameters": { "slider": { "#
      + #""targets": [{ "bus": "music", "gain": { "power": 1, "from": 1, "to": 0.5 } }] } } }"#
    try Data(text.utf8).write(to: URL(filePath: pack + "/pack.json"))
  }

  private func start(_ program: String, _ arguments: [String], _ name: String) throws -> Process {
    try #require(
      FileManager.default.isExecutableFile(atPath: program), "build it first: swift build, in the root package")
    let log = folder.path + "/\(name).log"
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "XDG_CONFIG_HOME": folder.path + "/config", "STATE_DIRECTORY": folder.path,
    ]) { $1 }
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = process.standardOutput
    try process.run()
    return process
  }

  private static let package = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
  /// Of the root package, which `make test` builds first.
  private static let daemon = package + "/../../.build/debug/starlightd"
  /// Built beside these tests.
  private static let player =
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    + "/starlight-sync-player"
}
