// SPDX-License-Identifier: Apache-2.0

import Suggestions

extension CommandLineProgram {
  /// Reads the words behind the program's name.
  ///
  /// `--name value`, `--name=value`, `-n value`, `-nvalue`, clustered flags `-ab`, `--` before words that are no
  /// options; options stand anywhere. What begins with a dash and a digit is a value (`-6dB`). `--help` and `--version` count wherever they are,
  /// and no words at all ask for the help of a program that has commands. `width` is for the help.
  public func parse(
    _ arguments: [String], environment: [String: String] = [:], width: Int = 80
  ) throws(UsageError) -> ParseOutcome<Action> {
    if let shown = try informational(arguments, width: width) { return shown }
    var line = HalfReadLine(program: self, rest: arguments[...])
    while let word = line.rest.popFirst() { try line.take(word) }
    return try line.finish(environment: environment)
  }

  private func informational(_ arguments: [String], width: Int) throws(UsageError) -> ParseOutcome<Action>? {
    if arguments.isEmpty, !root.subcommands.isEmpty { return .help(helpText(width: width)) }
    let words = arguments.prefix { $0 != "--" }
    let names = words.filter { !$0.hasPrefix("-") }
    let asksForHelp = names.first == "help" && !root.subcommands.isEmpty
    if words.contains("--help") || words.contains(where: isHelpCluster) {
      return .help(helpText(for: knownPath(asksForHelp ? names.dropFirst() : names[...]), width: width))
    }
    if words.contains("--version") { return .version }
    if !asksForHelp { return nil }
    var path: [String] = []
    for name in names.dropFirst() {
      let known = (commands(along: path).last ?? root).subcommands.map(\.name)
      guard known.contains(name) else {
        let hint = "see `\(([root.name] + path).joined(separator: " ")) --help`"
        throw UsageError(
          "unknown command `\(name)`" + didYouMean(name, among: known), hint: hint,
          unknownPath: Array(names.dropFirst()))
      }
      path.append(name)
    }
    return .help(helpText(for: path, width: width))
  }

  /// The commands among `names`, whatever stands between them.
  private func knownPath(_ names: ArraySlice<String>) -> [String] {
    var path: [String] = []
    for name in names {
      let command = commands(along: path).last ?? root
      if command.subcommands.contains(where: { $0.name == name }) { path.append(name) }
    }
    return path
  }
}

/// A command line half read.
private struct HalfReadLine<Action: Sendable> {
  let program: CommandLineProgram<Action>
  var rest: ArraySlice<String>
  var path: [String] = []
  var values: [String: ParsedValue] = [:]
  var positional: [String] = []
  var optionsEnded = false

  var command: Command<Action> { program.commands(along: path).last ?? program.root }
  var spelled: String { ([program.root.name] + path).joined(separator: " ") }
  /// Without the program's own name, which whoever prints the error says first.
  private var verb: String { path.joined(separator: " ") }
  var seeHelp: String { "see `\(spelled) --help`" }

  /// The options that count here: the program's, and those of each command on the way.
  var options: [Option] { program.commands(along: path).flatMap(\.options) + program.globalOptions }

  mutating func take(_ word: String) throws(UsageError) {
    if optionsEnded || !word.hasPrefix("-") || word == "-" || isNegativeNumber(word) {
      try takePlain(word)
    } else if word == "--" {
      optionsEnded = true
    } else if word.hasPrefix("--") {
      try takeLong(word.dropFirst(2))
    } else {
      try takeShort(word.dropFirst())
    }
  }

  private mutating func takePlain(_ word: String) throws(UsageError) {
    if command.subcommands.isEmpty {
      positional.append(word)
      return
    }
    let names = command.subcommands.map(\.name)
    guard names.contains(word) else {
      // The very word below other commands is likelier meant than one that is like it.
      let verbs = command.subcommands.filter { $0.subcommands.contains { $0.name == word } }
      let meant = verbs.isEmpty ? nearest(to: word, among: names) : verbs.map { "`\(spelled) \($0.name) \(word)`" }
      throw UsageError(
        "unknown command `\(word)`" + didYouMean(oneOf: meant), hint: seeHelp,
        unknownPath: path + [word] + rest.prefix { !$0.hasPrefix("-") })
    }
    path.append(word)
  }

  private mutating func takeLong(_ text: Substring) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.name == name }) else { throw unknown(name) }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if option.kind == .flag, attached != nil { throw UsageError("\(option.dashed) takes no value", hint: seeHelp) }
    try store(option, attached: attached)
  }

  private mutating func takeShort(_ letters: Substring) throws(UsageError) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw UsageError("unknown option -\(letter)", hint: seeHelp)
      }
      if option.kind == .flag {
        try store(option, attached: nil)
      } else {
        if letters.first == "=" { letters.removeFirst() }
        try store(option, attached: letters.isEmpty ? nil : String(letters))
        return
      }
    }
  }

  private mutating func store(_ option: Option, attached: String?) throws(UsageError) {
    if option.kind == .flag {
      values[option.name] = .flag
      return
    }
    let text: String
    if let attached {
      text = attached
    } else if let next = rest.first, !looksLikeOption(next) {
      text = next
      rest.removeFirst()
    } else {
      throw UsageError("\(option.dashed) needs a value: \(option.kind.description)", hint: seeHelp)
    }
    values[option.name] = try value(text, of: option, from: option.dashed)
  }

  private func looksLikeOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-" && !isNegativeNumber(word)
  }

  private func value(_ text: String, of option: Option, from origin: String) throws(UsageError) -> ParsedValue {
    if let value = option.kind.parse(text) { return value }
    throw UsageError("\(origin): `\(text)` is not \(option.kind.description)", hint: seeHelp)
  }

  private func unknown(_ name: String) -> UsageError {
    let names = options.map(\.name) + ["help", "version"]
    let near = nearest(to: name, among: names).map { "--" + $0 }
    let guess = near.isEmpty ? "" : "; did you mean \(listed(near))?"
    return UsageError("unknown option --\(name)" + guess, hint: seeHelp)
  }

  mutating func finish(environment: [String: String]) throws(UsageError) -> ParseOutcome<Action> {
    let command = command
    guard let action = command.action else {
      let names = command.subcommands.map(\.name)
      let what = path.isEmpty ? "a command is needed" : "\(verb) needs a command"
      throw UsageError("\(what): \(listed(names))", hint: seeHelp)
    }
    for option in options where values[option.name] == nil {
      guard let variable = option.environment, let text = environment[variable], !text.isEmpty else { continue }
      values[option.name] = try value(text, of: option, from: "$" + variable)
    }
    return .run(action, Invocation(path: path, values: values, words: try matchArguments(command)))
  }

  private func matchArguments(_ command: Command<Action>) throws(UsageError) -> [String: [String]] {
    var words: [String: [String]] = [:]
    var left = positional[...]
    for argument in command.arguments {
      let taken = argument.repeats ? left : left.prefix(1)
      left = left.dropFirst(taken.count)
      if taken.isEmpty, !argument.isOptional {
        throw UsageError("\(path.isEmpty ? spelled : verb) needs \(argument.name): \(argument.help)", hint: seeHelp)
      }
      if !argument.isOpen, case .choices(let allowed) = argument.completion,
        let odd = taken.first(where: { !allowed.contains($0) })
      {
        // Where every choice is near, naming them again would say nothing.
        let guess = nearest(to: odd, among: allowed, limit: allowed.count).count < allowed.count
        throw UsageError(
          "\(argument.name): `\(odd)` is not \(listed(allowed))" + (guess ? didYouMean(odd, among: allowed) : ""),
          hint: seeHelp)
      }
      words[argument.name] = Array(taken)
    }
    if let extra = left.first {
      let names = command.arguments.map(\.name).joined(separator: " ")
      let takes = names.isEmpty ? "takes no arguments" : "takes only \(names)"
      throw UsageError("unexpected `\(extra)`: \(spelled) \(takes)", hint: seeHelp, unknownPath: path + [extra])
    }
    return words
  }
}

/// `-h`, alone or before other letters: `-hv`.
private func isHelpCluster(_ word: String) -> Bool {
  word.hasPrefix("-h") && word.dropFirst().allSatisfy { $0.isASCII && $0.isLetter }
}

/// `-6`, `-.5` and what has a unit, `-6dB`: no option has a digit for its name.
private func isNegativeNumber(_ word: String) -> Bool {
  let digits = word.hasPrefix("-.") ? word.dropFirst(2) : word.dropFirst()
  return word.hasPrefix("-") && (digits.first.map { $0.isASCII && $0.isNumber } ?? false)
}
