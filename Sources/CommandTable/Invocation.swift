// SPDX-License-Identifier: Apache-2.0

/// What a command line asked for, its values checked.
public struct Invocation: Sendable {
  /// The commands' names, the program's own left out: `["music", "play"]`.
  public let path: [String]
  let values: [String: ParsedValue]
  let words: [String: [String]]

  /// The option's value: as given, from its environment variable, or its default.
  public subscript<Value>(_ key: OptionKey<Value>) -> Value? {
    values[key.option.name].flatMap(key.read) ?? key.fallback
  }

  /// Whether the flag was given.
  public subscript(_ flag: OptionKey<Bool>) -> Bool { values[flag.option.name] == .flag }

  /// The argument's value; nil when it was left out.
  public subscript(_ argument: Argument) -> String? { words[argument.name]?.first }

  /// Every value of an argument that repeats.
  public func all(_ argument: Argument) -> [String] { words[argument.name] ?? [] }
}

/// What is to be done with a command line that has no mistake.
public enum ParseOutcome<Action: Sendable>: Sendable {
  /// Do this: what the command named does, with what was asked of it.
  case run(Action, Invocation)
  /// Print this help and end well.
  case help(String)
  /// Print the program's name and version and end well.
  case version
}

/// A command line that makes no sense: what is wrong, and what to do.
public struct UsageError: Error, Sendable, Equatable {
  /// One sentence without full stop.
  public let message: String
  /// What to do about it.
  public let hint: String
  /// The words that were taken for commands' names, where one of them is none, and those behind it; else empty.
  public let unknownPath: [String]

  /// An error of a program's own checks.
  public init(_ message: String, hint: String, unknownPath: [String] = []) {
    self.message = message
    self.hint = hint
    self.unknownPath = unknownPath
  }
}
