// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import Testing
import Wire

/// What `starlight --json` says to machines: results on one output, complaints on the other, all of it JSON.
@Suite struct MachineOutputTests {
  /// Runs the tool with `--json`; what its standard output and its error output hold, each line read as JSON.
  private func speak(
    _ arguments: [String], socket: String = "/nonexistent"
  ) throws -> (code: Int32, results: [JSONValue], complaints: [[String: JSONValue]]) {
    let results = try runTool(arguments + ["--json"], keeping: .output, socket: socket)
    let complaints = try runTool(arguments + ["--json"], keeping: .errors, socket: socket)
    func lines(_ text: String) throws -> [JSONValue] {
      try text.split(separator: "\n").map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
    }
    return (
      results.code, try lines(results.text),
      try lines(complaints.text).map { if case .object(let members) = $0 { members } else { [:] } }
    )
  }

  @Test(arguments: [
    (["status"], 3, "noDaemon"),
    (["explain", "tracs"], 2, "usage"),
    (["music", "play"], 2, "usage"),
    (["musik"], 2, "usage"),
    (["settings", "music=loud"], 2, "usage"),
    (["call", "clock.now", "[]"], 2, "usage"),
    (["lint", "/nonexistent/a.ahap"], 1, "unreadable"),
    (["convert", "/nonexistent/a.wav", "--to", "ahap"], 1, "badFile"),
    (["audition", "hartbeat"], 1, "unknownName"),
    (["demo", "--directory", "/nonexistent/a"], 1, "unwritable"),
  ])
  func aComplaintIsAnObjectWithKindMessageAndHint(arguments: [String], code: Int32, kind: String) throws {
    let said = try speak(arguments)
    #expect(said.code == code)
    let complaint = try #require(said.complaints.first, "\(arguments)")
    #expect(said.complaints.count == 1)
    #expect(complaint["level"] == .string("error"))
    #expect(complaint["kind"] == .string(kind))
    guard case .string(let message)? = complaint["message"] else {
      Issue.record("no message: \(complaint)")
      return
    }
    #expect(!message.isEmpty && !message.contains("starlight: "))
  }

  @Test(arguments: ["replay", "lint", "convert", "diff", "audition", "beats check"])
  func whatToDoAboutAFileThatIsNotThereIsAMemberOfItsOwn(command: String) throws {
    let more = ["convert": ["--to", "csv"], "diff": ["/nonexistent/b.ahap"]][command] ?? []
    let said = try speak(command.split(separator: " ").map(String.init) + ["/nonexistent/a.ahap"] + more)
    let complaint = try #require(said.complaints.first { $0["level"] == .string("error") }, "\(said)")
    guard case .string(let message)? = complaint["message"], case .string(let hint)? = complaint["hint"] else {
      Issue.record("no message or hint: \(complaint)")
      return
    }
    #expect(!message.contains(hint) && !message.contains("; "), "\(complaint)")
  }

  @Test func whatTheDaemonRefusesKeepsItsKindAndCandidates() throws {
    let game = try SteppedGame()
    for arguments in [["call", "sound.play", #"{"sound": "sfx_clik"}"#], ["sound", "play", "sfx_clik"]] {
      let said = try speak(arguments, socket: game.daemon.socketPath)
      #expect(said.code == 1 && said.results.isEmpty)
      let refusal = try #require(said.complaints.last)
      #expect(refusal["kind"] == .string("unknownName"))
      #expect(refusal["candidates"] == .array([.string("starlight-sync:sfx_click")]))
      // That the clock stands still is worth knowing, and no error.
      for note in said.complaints.dropLast() { #expect(note["level"] == .string("note")) }
    }
  }

  @Test func aFileThatCannotBeReadIsToldWithItsPlace() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try Data("{\n  \"Pattern\": nonsense\n}".utf8).write(to: URL(filePath: directory + "/bad.ahap"))
    let complaint = try #require(try speak(["convert", directory + "/bad.ahap", "--to", "csv"]).complaints.first)
    #expect(complaint["kind"] == .string("badFile"))
    #expect(complaint["file"] == .string(directory + "/bad.ahap"))
    #expect(complaint["line"] == .integer(2))
  }

  @Test func theVersionIsToldToMachinesToo() throws {
    let said = try speak(["--version"])
    guard case .object(let version)? = said.results.first else {
      Issue.record("\(said.results)")
      return
    }
    #expect(version["name"] == .string("starlight"))
    #expect(version["version"] == .string(starlightVersion))
    #expect(version["protocol"] == .integer(Int64(protocolVersion)))
  }
}
