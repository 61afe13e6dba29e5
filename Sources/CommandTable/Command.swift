// SPDX-License-Identifier: Apache-2.0

/// A command: either it has subcommands, or arguments and options of its own and something that it does.
///
/// What it does is its `Action`, a closure as a rule; who parses a line is handed the action of the command it names.
public struct Command<Action: Sendable>: Sendable {
  /// As it is typed; for a root, the program's name.
  public let name: String
  /// One line for the list of commands: no capital, no full stop.
  public let summary: String
  /// Paragraphs for the command's own help.
  public let discussion: [String]
  /// In the order in which they are typed.
  public let arguments: [Argument]
  /// Its own, in the help's order; those of every command are `CommandLineProgram.globalOptions`.
  public let options: [Option]
  /// In the help's order; empty for a command that does something.
  public let subcommands: [Command]
  /// What people type most, for the help.
  public let examples: [Example]
  /// What it does; nil for one that has subcommands.
  public let action: Action?

  /// A line to type and what it does.
  public struct Example: Sendable, Equatable {
    /// As it is typed, the program's name included.
    public let line: String
    /// What it does: no capital, no full stop.
    public let meaning: String

    /// The line and what it does.
    public init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// A command that does something; what is left out it does not have.
  public init(
    _ name: String, summary: String, discussion: [String] = [], arguments: [Argument] = [], options: [Option] = [],
    examples: [Example] = [], action: Action
  ) {
    (self.name, self.summary, self.discussion) = (name, summary, discussion)
    (self.arguments, self.options, self.examples) = (arguments, options, examples)
    self.action = action
    subcommands = []
  }

  /// A command that only has others below it.
  public init(
    _ name: String, summary: String, discussion: [String] = [], subcommands: [Command], examples: [Example] = []
  ) {
    (self.name, self.summary, self.discussion) = (name, summary, discussion)
    (self.subcommands, self.examples) = (subcommands, examples)
    action = nil
    (arguments, options) = ([], [])
  }
}

extension Command where Action == Void {
  /// A command of a program that does one thing, and knows which.
  public init(
    _ name: String, summary: String, discussion: [String] = [], arguments: [Argument] = [], options: [Option] = [],
    examples: [Example] = []
  ) {
    self.init(
      name, summary: summary, discussion: discussion, arguments: arguments, options: options, examples: examples,
      action: ())
  }
}

/// A whole program: its root command, the options that every command takes, and what is said once.
public struct CommandLineProgram<Action: Sendable>: Sendable {
  /// The program's name, summary, examples and either its commands or its own arguments and options.
  public let root: Command<Action>
  /// Options that every command takes, before or after the command's name.
  public let globalOptions: [Option]
  /// What `--version` prints.
  public let version: String
  /// Exit codes and what they mean.
  public let exitCodes: [(code: Int, meaning: String)]

  /// A program of `root`'s name.
  public init(
    root: Command<Action>, globalOptions: [Option] = [], version: String, exitCodes: [(code: Int, meaning: String)] = []
  ) {
    self.root = root
    self.globalOptions = globalOptions
    self.version = version
    self.exitCodes = exitCodes
  }

  /// The commands along `path`, root first; shorter than the path where a name is not known.
  func commands(along path: [String]) -> [Command<Action>] {
    var commands = [root]
    for name in path {
      guard let next = commands[commands.count - 1].subcommands.first(where: { $0.name == name }) else { break }
      commands.append(next)
    }
    return commands
  }

  static var helpOption: Option { OptionKey.flag("help", short: "h", help: "show this help").option }

  /// What counts for every command besides its own options; the version is the root's.
  func commonOptions(ofRoot isRoot: Bool) -> [Option] {
    globalOptions + [Self.helpOption] + (isRoot ? [OptionKey.flag("version", help: "show the version").option] : [])
  }
}
