// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// A small program with one of everything.
enum Example {
  static let socket = OptionKey.text("socket", value: "PATH", environment: "LAMP_SOCKET", help: "where the lamp is")
  static let json = OptionKey.flag("json", short: "j", help: "print JSON")
  static let verbose = OptionKey.flag("verbose", short: "v", help: "say more")
  static let level = OptionKey.number("level", short: "l", in: 0...4, default: 1, help: "how bright")
  static let pan = OptionKey.number("pan", in: -1...1, help: "where to")
  static let count = OptionKey.integer("count", short: "n", in: 1...10, help: "how often")
  static let fade = OptionKey.duration("fade", in: 0...120, default: 0.5, help: "how long the change takes")
  static let colour = OptionKey.choice("colour", value: "COLOUR", of: ["red", "green", "blue"], help: "which colour")

  static let name = Argument("NAME", help: "the lamp to light")
  static let others = Argument("OTHER", help: "more lamps", isOptional: true, repeats: true)
  static let shell = Argument("SHELL", help: "the shell", completion: .choices(["bash", "fish"]))

  static let program = CommandLineProgram<Void>(
    root: Command(
      "lamp", summary: "lights lamps", discussion: ["Speaks to the lamps of the house."],
      subcommands: [
        Command(
          "light", summary: "lights a lamp", arguments: [name, others],
          options: [level.option, pan.option, count.option, fade.option, colour.option, verbose.option],
          examples: [.init("lamp light kitchen --level 2", "twice as bright")]),
        Command(
          "scene", summary: "sets and shows scenes",
          subcommands: [Command("show", summary: "shows the scene"), Command("stop", summary: "ends the scene")]),
        Command("completions", summary: "prints completions", arguments: [shell]),
      ]),
    globalOptions: [socket.option, json.option], version: "1.2.3",
    exitCodes: [(0, "all is well"), (2, "the command line makes no sense")])

  static func run(_ line: String, environment: [String: String] = [:]) throws -> Invocation {
    let words = line.split(separator: " ").map(String.init)
    switch try program.parse(words, environment: environment) {
    case .run(_, let invocation): return invocation
    case .help(let text): throw Shown(text: text)
    case .version: throw Shown(text: program.version)
    }
  }

  static func error(_ line: String, environment: [String: String] = [:]) -> UsageError? {
    do {
      _ = try run(line, environment: environment)
      return nil
    } catch {
      return error as? UsageError
    }
  }

  struct Shown: Error { let text: String }
}
