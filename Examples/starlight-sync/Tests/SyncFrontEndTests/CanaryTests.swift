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
    try writeSecret(for: server)
    let daemon = try RealDaemon(cues: ["slider", "finale"], in: folder)
    let program = try RealProgram(Self.player, arguments(daemon), "player", in: folder)
    let player = program.process
    try #require(server.wait(for: 1), "the player does not come to its end")
    // The stepped clock does not wait for whoever looks.
    kill(player.processIdentifier, SIGSTOP)
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
    kill(player.processIdentifier, SIGCONT)
    player.waitUntilExit()
    #expect(player.terminationStatus == 0)
    // Of the daemon cores are written, and the address is in none: it never came there.
    let memory = try MemoryOfProcess(daemon.processIdentifier)
    #expect(memory.holds(daemon.socket), "what is there is not found")
    #expect(!memory.holds(canary), "it stands in the daemon's memory")
    daemon.end()
    #expect(server.received.count == 2)

    let files = try searchedFiles()
    #expect(files.contains(folder.path + "/state/progress") && files.contains(folder.path + "/heard.wav"))
    #expect(!files.contains { $0.contains("core") })
  }

  private let secretPath = "/config/starlight-sync/message-url"

  private func writeSecret(for server: LocalServer) throws {
    let path = folder.path + secretPath
    try FileManager.default.createDirectory(
      atPath: folder.path + "/config/starlight-sync", withIntermediateDirectories: true)
    try Data("http://127.0.0.1:\(server.port)/\(canary)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  private func arguments(_ daemon: RealDaemon) -> [String] {
    [
      "--socket", daemon.socket, "--state", folder.path + "/state", "--from", "6", "--log", folder.path + "/log",
    ]
  }

  /// All files that were written, and the program: the address is in none but its own.
  private func searchedFiles() throws -> [String] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.path + "/" + $0 }
    for file in files + [Self.player] where file != folder.path + secretPath {
      guard let data = FileManager.default.contents(atPath: file) else { continue }
      #expect(data.range(of: Data(canary.utf8)) == nil, "it stands in \(file)")
    }
    return files
  }

  /// Built beside these tests.
  private static let player =
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    + "/starlight-sync-player"
}
