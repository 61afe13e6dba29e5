// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Whole programs and a real daemon, to the end of the story: the address is where it is sent to, in the memory of the program that
/// sends it while it does, and nowhere else.
@Suite struct CanaryTests {
  private let canary = "canary-3b9e41a7"
  private let folder = TemporaryFolder()

  @Test func theAddressIsInNoLogNoMemoryNoCoreNoRecordingNoProgramAndNoTable() throws {
    let server = LocalServer(answering: [200, 200], isHolding: true)
    let (daemon, program) = try playToTheEnd(server)
    let player = program.process
    let sender = try #require(try Self.child(of: player.processIdentifier), "nobody sends it")
    #expect(try Self.variables(of: sender).isSubset(of: Self.needed))
    for process in [player.processIdentifier, sender] {
      for table in ["cmdline", "environ"] {
        let text = try #require(FileManager.default.contents(atPath: "/proc/\(process)/\(table)"))
        #expect(text.range(of: Data(canary.utf8)) == nil, "it stands in \(table)")
      }
    }
    // All that a core of the game or of the daemon could hold at this moment.
    for process in [player.processIdentifier, daemon.processIdentifier] {
      let memory = try MemoryOfProcess(process)
      #expect(memory.holds(daemon.socket), "what is there is not found")
      #expect(!memory.holds(canary), "it stands in the memory of \(process)")
    }
    // Whoever sends it writes no core, neither into a file nor into a program, and keeps others of its user out.
    let limits = try String(contentsOfFile: "/proc/\(sender)/limits", encoding: .utf8)
    #expect(limits.contains(#/Max core file size +0 +0 /#))
    #expect(try RealProgram.ownersOfMemory(of: sender) == (0, 0))
    // What is not kept from others is its own: the game, of which a core is written.
    #expect(try RealProgram.ownersOfMemory(of: player.processIdentifier) != (0, 0))
    // It crashes, the attempt has failed, and the next goes through.
    kill(sender, SIGABRT)
    try #require(server.wait(for: 2), "it is not tried again")
    server.release()
    player.waitUntilExit()
    #expect(player.terminationStatus == 0)
    #expect(try MemoryOfProcess(daemon.processIdentifier).holds(canary) == false)
    daemon.end()
    #expect(server.received.count == 2)

    let files = try searchedFiles()
    #expect(files.contains(folder.path + "/state/progress") && files.contains(folder.path + "/heard.wav"))
    #expect(!files.contains { $0.contains("/core") })
  }

  /// Where the kernel writes cores into the folder of who crashes: into others it is not to be looked. What a core would hold
  /// is asked of the memory itself by the test before, wherever cores go.
  @Test(.enabled(if: coresAreFiles, "cores are no files of their own here, by /proc/sys/kernel/core_pattern"))
  func aCoreOfTheGameWrittenWhileItIsSentHoldsNoAddress() throws {
    let server = LocalServer(answering: [200], isHolding: true)
    let (daemon, program) = try playToTheEnd(server)
    let player = program.process
    kill(player.processIdentifier, SIGABRT)
    player.waitUntilExit()
    #expect(player.terminationReason == .uncaughtSignal)
    let files = try searchedFiles()
    let core = try #require(files.first { $0.contains("/core") }, "it wrote none")
    let data = try #require(FileManager.default.contents(atPath: core))
    #expect(data.range(of: Data(daemon.socket.utf8)) != nil, "what is there is not found")
    daemon.end()
  }

  static let coresAreFiles =
    (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8))?.hasPrefix("core") == true

  /// What has libraries tell of a request or of its keys, or send it to somebody else first.
  private var talkative: [String: String] {
    [
      "URLSessionDebugLibcurl": "1", "URLSessionDebug": "1", "CFNETWORK_DIAGNOSTICS": "3", "NSURLSessionDebug": "1",
      "SSLKEYLOGFILE": folder.path + "/keys", "http_proxy": "http://127.0.0.1:1", "ALL_PROXY": "http://127.0.0.1:1",
    ]
  }

  /// All that the program that sends it is given of its environment.
  private static let needed: Set<String> = [
    "SWIFT_BACKTRACE", "HOME", "XDG_CONFIG_HOME", "CREDENTIALS_DIRECTORY", "LD_LIBRARY_PATH", "https_proxy",
    "HTTPS_PROXY", "no_proxy", "NO_PROXY",
  ]

  /// The names in the environment of a process.
  private static func variables(of process: pid_t) throws -> Set<String> {
    let text = try #require(FileManager.default.contents(atPath: "/proc/\(process)/environ"))
    return Set(text.split(separator: 0).map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) })
  }

  /// A player at the end of the story, whose first attempt is under way.
  private func playToTheEnd(_ server: LocalServer) throws -> (daemon: RealDaemon, player: RealProgram) {
    try folder.writeMessageURL("http://127.0.0.1:\(server.port)/\(canary)")
    let daemon = try RealDaemon(cues: ["slider", "finale"], in: folder)
    let arguments = [
      "--socket", daemon.socket, "--state", folder.path + "/state", "--from", "6", "--log", folder.path + "/log",
    ]
    let program = try RealProgram(
      RealProgram.built("starlight-sync-player"), arguments, "player", in: folder, variables: talkative)
    try #require(server.wait(for: 1), "the player does not come to its end")
    return (daemon, program)
  }

  /// All files that were written, and the programs: the address is in none but its own.
  private func searchedFiles() throws -> [String] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.path + "/" + $0 }
    let programs = ["starlight-sync-player", "starlight-sync-message"].map(RealProgram.built)
    for file in files + programs where !file.hasSuffix("/message-url") {
      guard let data = FileManager.default.contents(atPath: file) else { continue }
      #expect(data.range(of: Data(canary.utf8)) == nil, "it stands in \(file)")
    }
    return files
  }

  /// The one process that this one began.
  private static func child(of parent: pid_t) throws -> pid_t? {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.first { process in
      // NUMBER (NAME) STATE PARENT ...
      let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return line?.split(separator: ")").last?.split(separator: " ").dropFirst().first == "\(parent)"
    }
  }
}
