// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// `starlight pack new`
@Suite struct PackNewTests {
  @Test func whatItWritesHasNoFaultAndPlaysAtOnce() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let run = try runTool(["pack", "new", "light-house"], in: directory, environment: [])
    #expect(run.code == 0)
    let commands = run.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(commands.count == 2, "\(run.output)")
    let daemonsLine = "starlightd --packs \(directory)/light-house --pack light-house"
    #expect(commands.first?.hasSuffix(daemonsLine) == true, "\(commands)")
    #expect(commands.last?.hasSuffix("starlight cue fire hello") == true, "\(commands)")
    let pack = directory + "/light-house"
    let check = try runTool(["pack", "check", pack], socket: "/nonexistent")
    #expect(check.code == 0 && check.output.isEmpty, "\(check.output)")
    let daemon = try DaemonProcess(["--clock", "stepped", "--pack", "light-house"], packs: pack)
    let listed = try runTool(["list"], keeping: .output, socket: daemon.socketPath).text
    #expect(listed.contains("Light-house") && listed.contains("9 beats") && !listed.contains("problem"), "\(listed)")
    for words in [
      ["music", "play", "loop"], ["cue", "fire", "hit"], ["call", "rhythm.start", #"{"chapter":"first"}"#],
    ] {
      let run = try runTool(words, socket: daemon.socketPath)
      #expect(run.code == 0, "\(words): \(run.output)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["light-house"])
  }

  @Test func whatIsThereIsLeftAlone() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    mkdir(directory + "/there", 0o755)
    let run = try runTool(["pack", "new", directory + "/there/"], socket: "/nonexistent")
    #expect(run.code == 1 && run.output.contains("there is there already"), "\(run.output)")
    for name in ["Light", "a b", "", "/", "..", String(repeating: "a", count: 64)] {
      let run = try runTool(["pack", "new", directory + "/" + name], socket: "/nonexistent")
      #expect(run.code != 0, "\(name): \(run.output)")
    }
    let nowhere = try runTool(["pack", "new", directory + "/none/game"], socket: "/nonexistent")
    #expect(nowhere.code == 1 && nowhere.output.contains("No such file or directory"), "\(nowhere.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["there"])
  }

  @Test func whereADaemonRunsItIsLoadedIntoThat() throws {
    let daemon = try DaemonProcess(["--clock", "stepped"])
    let folder = daemon.directory + "/light-house"
    let run = try runTool(["pack", "new", folder], socket: daemon.socketPath)
    let commands = run.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(commands.count == 2, "\(run.output)")
    #expect(commands.first?.hasSuffix("starlight pack load \(folder)") == true, "\(commands)")
    #expect(commands.last?.hasSuffix("starlight cue fire light-house:hello") == true, "\(commands)")
    #expect(try runTool(["pack", "load", folder], socket: daemon.socketPath).code == 0)
    #expect(try runTool(["cue", "fire", "light-house:hello"], socket: daemon.socketPath).code == 0)
  }

  @Test func asJSONItNamesFolderAndCommands() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let run = try runTool(["pack", "new", "--json", directory + "/game"], socket: "/nonexistent")
    #expect(
      run.code == 0 && run.output.contains(#""name":"game""#) && run.output.contains(#""commands":["#), "\(run.output)")
  }
}
