// SPDX-License-Identifier: Apache-2.0

import CommandTable
import FoundationEssentials
import Problems
import StarlightClient
import Testing
import Wire

@testable import CommandLineTool

@Suite struct ToolProgramTests {
  /// Every command and subcommand as it is typed.
  private static let paths: [[String]] = toolCommands.flatMap { command in
    [[command.name]] + command.subcommands.map { [command.name, $0.name] }
  }

  /// What a flag takes is what the daemon takes, and the help says so.
  @Test(arguments: [
    (["sound", "play"], "playback rate, 1 as recorded (0.25 to 4, default 1)"),
    (["music", "stop"], "length of the fade (0 to 60 s, default 0.5)"),
    (["music", "seek"], "length of the cross-fade; 0 cuts (0 to 60 s, default 0.02)"),
    (["haptics", "transient"], "how strong (0 to 1, default 0.75)"),
    (["cue", "fire"], "when it begins, counted from now (0 to 3600 s)"),
    (["demo"], "how long to play (5 s or more, default 20)"),
  ])
  func theHelpTellsRangesAndDefaults(path: [String], text: String) {
    let words = toolProgram.helpText(for: path, width: 100).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains(text), "\(words)")
  }

  @Test func hasEveryCommandItPromises() {
    #expect(
      Set(toolCommands.map(\.name)) == [
        "status", "list", "music", "sound", "haptics", "cue", "parameter", "settings", "rhythm", "audition", "lint",
        "convert", "diff", "latency", "explain", "trace", "replay", "top", "stats", "doctor", "pause",
        "resume", "watch", "call", "demo", "completions", "pack", "beats", "calibrate",
      ])
  }

  @Test(arguments: paths)
  func helpFitsEightyColumnsAndNamesTheCommand(path: [String]) {
    let lines = toolProgram.helpText(for: path, width: 80).split(separator: "\n")
    #expect(lines.first?.hasPrefix("Usage: starlight " + path.joined(separator: " ")) == true)
    // What is to be typed is never broken.
    for line in lines where !line.hasPrefix("  starlight") && !line.hasPrefix("  source") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test func everyExampleCanBeParsed() throws {
    for command in toolCommands.flatMap({ [$0] + $0.subcommands }) {
      for example in command.examples where example.line.hasPrefix("starlight ") {
        let typed = example.line.split(separator: " ").dropFirst().prefix { !["|", ">"].contains($0) }
        let words = typed.joined(separator: " ").contains("'") ? Array(typed.prefix(2)) : Array(typed)
        #expect(throws: Never.self, "\(example.line)") { try toolProgram.parse(words.map(String.init)) }
      }
    }
  }

  /// Who copies an example hears or feels something: what it plays comes with Starlight.
  @Test func whatExamplesPlayIsInAPackThatComesWithIt() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let manifests = try ["feedback", "freefall", "starlight-sync"].map {
      ($0, try String(contentsOf: root.appending(path: "Patterns/\($0)/pack.json"), encoding: .utf8))
    }
    let players = ["music play", "sound play", "cue fire", "haptics play", "rhythm play", "audition"]
    var names: [String] = []
    for example in ([toolProgram.root] + toolCommands.flatMap { [$0] + $0.subcommands }).flatMap(\.examples) {
      for player in players where example.line.hasPrefix("starlight \(player) ") {
        let name = example.line.dropFirst("starlight \(player) ".count).prefix { $0 != " " }
        if !name.contains(".") && !name.hasPrefix("-") { names.append(String(name)) }
      }
    }
    #expect(names.count >= 8)
    for name in names {
      let parts = name.split(separator: ":")
      let packs = manifests.filter { parts.count == 1 || $0.0 == parts[0] }
      #expect(packs.contains { $0.1.contains("\"\(parts[parts.count - 1])\"") }, "\(name)")
    }
  }

  @Test func withoutWordsItSaysWhatCanBeDone() throws {
    guard case .help(let text) = try toolProgram.parse([]) else {
      Issue.record("no help")
      return
    }
    for command in toolCommands { #expect(text.contains("\n  \(command.name) "), "\(command.name)") }
    #expect(runStarlight(arguments: []) == 0)
  }

  @Test func usageErrorsExitWithTwo() {
    #expect(runStarlight(arguments: ["lint"]) == 2)
    #expect(runStarlight(arguments: ["lint", "--fix", "-"]) == 2)
  }

  @Test func failuresAreSaidWithTheirRemedyBelow() {
    let failure = ToolFailure("no track mian", hint: "see `starlight list tracks`")
    #expect(failure.lines() == ["starlight: no track mian", "           see `starlight list tracks`"])
    #expect(
      ToolFailure("a b c d e f g h i j k l m n o").lines(width: 32) == [
        "starlight: a b c d e f g h i j k", "           l m n o",
      ])
  }

  @Test func aMissingDaemonHasAnExitCodeOfItsOwn() {
    let failure = ToolFailure(
      ClientError(.notFound(["/a"]), "no daemon found at /a", remedy: "start it with starlightd"))
    #expect(failure == ToolFailure("no daemon found at /a", hint: "start it with starlightd", exit: .noDaemon))
  }

  @Test func theDaemonsHintIsKept() {
    let refusal = RPCError(
      .unknownName, "no sound sfx_clik; did you mean sfx_click?", hint: "see \(method: "pack.list")")
    let failure = ToolFailure(ClientError(refusal))
    #expect(failure.message == "no sound sfx_clik; did you mean sfx_click?")
    #expect(failure.hint == "see `starlight list`")
    #expect(failure.kind == "unknownName" && failure.exit == .failure)
  }

  @Test(
    arguments: [
      ("\(method: "rhythm.start") begins one", "`starlight rhythm play` begins one"),
      ("\(method: "music.status") tells what it does", "`starlight music status` tells what it does"),
      (
        "\(field: "positionUs") \(microseconds: 999_000_000) is outside the track, which lasts \(lasting: 174_660_000)",
        "position 999 s is outside the track, which lasts 174.66 s"
      ),
      (
        "\(field: "keepAfterDisconnectUs") \(microseconds: -1_500) is outside 0 to \(microseconds: 30_000_000)",
        "keep after disconnect -0.0015 s is outside 0 to 30 s"
      ),
      ("play one first, or leave \(field: "quantise") out", "play one first, or leave --quantise out"),
      ("\(method: "haptics.set") has nothing to set", "haptics.set has nothing to set"),
      // What is a name of somebody's looks like nothing else, whatever it is.
      ("no track music.play at 5 us, 500000 of positionUs", "no track music.play at 5 us, 500000 of positionUs"),
    ] as [(Wording, String)])
  func whatTheDaemonSaysIsPutIntoTheToolsWords(wire: Wording, people: String) {
    #expect(forPeople(wire.text, wire.terms) == people)
  }

  /// What is said of a method in the tool's words can be typed, and no command of a method's name is left out.
  @Test func everyMethodThatACommandStandsForIsSaidAsThatCommand() throws {
    for command in commandsOfMethods.values {
      var place = toolProgram.root
      for word in command.split(separator: " ").prefix(command.hasPrefix("call") ? 1 : 2) {
        place = try #require(place.subcommands.first { $0.name == word }, "\(command)")
      }
      #expect(place.action != nil, "\(command)")
    }
    let methods = Set(allMethods.map { $0.name })
    for noun in toolCommands {
      for verb in noun.subcommands where methods.contains("\(noun.name).\(verb.name)") {
        #expect(commandsOfMethods["\(noun.name).\(verb.name)"] == "\(noun.name) \(verb.name)")
      }
    }
    #expect(Set(commandsOfMethods.keys).isSubset(of: methods))
  }

  @Test func aClosedConnectionIsTheDaemonsEnd() {
    #expect(
      ToolFailure(ClientError(.closed, "x", remedy: "see its log"))
        == ToolFailure("starlightd has ended", kind: .daemonEnded))
    #expect(PlayedPattern.End.daemonEnded.failure("thud")?.kind == "daemonEnded")
    #expect(PlayedPattern.End.finished.failure("thud") == nil)
    #expect(PlayedPattern.End.other(.requested).failure("thud") == ToolFailure("thud was stopped by another client"))
  }

  @Test func switchesAreReadFromWords() throws {
    #expect(try settingsChange(["music=off", "haptics=on"]) == SettingsSet.Params(music: false, haptics: true))
    #expect(try settingsChange([]) == SettingsSet.Params())
    #expect(try settingsChange(["music=0.25"]) == SettingsSet.Params(musicVolume: 0.25))
    #expect(throws: ToolFailure.self) { try settingsChange(["sound=1.5"]) }
    #expect(
      try settingsChange(["master=0.5", "voice=0", "haptics=1"])
        == SettingsSet.Params(masterVolume: 0.5, voiceVolume: 0, hapticsVolume: 1))
    #expect(throws: ToolFailure.self) { try settingsChange(["master=off"]) }
    #expect(throws: ToolFailure.self) { try settingsChange(["music"]) }
    #expect(throws: ToolFailure.self) { try settingsChange(["musik=on"]) }
  }
}
