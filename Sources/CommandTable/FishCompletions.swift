// SPDX-License-Identifier: Apache-2.0

extension CommandLineProgram {
  /// One line for each thing to offer, under the condition that its command is the one being typed.
  var fishCompletions: String {
    let condition = "_" + shellFunction + "_at"
    var lines = [
      "function \(condition)",
      "  set -l path ''",
      "  for word in (commandline -opc)[2..-1]",
      "    switch \"$path $word\"",
      "      case \((paths.map(\.path).filter { !$0.isEmpty } + ["/"]).map(shellQuoted).joined(separator: " "))",
      "        set path \"$path $word\"",
      "    end",
      "  end",
      "  test \"$path\" = \"$argv[1]\"",
      "end",
      "complete -c \(root.name) -f",
    ]
    for option in globalOptions + [Self.helpOption] { lines.append("complete -c \(root.name)" + fish(option)) }
    for (path, command) in paths {
      let start = "complete -c \(root.name) -n \"\(condition) '\(path)'\""
      for child in command.subcommands {
        lines.append("\(start) -a \(child.name) -d \(shellQuoted(child.summary))")
      }
      for option in command.options { lines.append(start + fish(option)) }
      for argument in command.arguments { lines += fish(argument).map { start + $0 } }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fish(_ option: Option) -> String {
    let short = option.short.map { " -s \($0)" } ?? ""
    let value =
      switch option.kind {
      case .flag: ""
      case .path: " -r -F"
      case .choice(let words): " -x -a " + shellQuoted(words.joined(separator: " "))
      default: " -x"
      }
    return " -l \(option.name)\(short)\(value) -d \(shellQuoted(option.help))"
  }

  private func fish(_ argument: Argument) -> [String] {
    switch argument.completion {
    case .nothing: []
    case .files: [" -F"]
    case .choices(let words): [" -a " + shellQuoted(words.joined(separator: " "))]
    case .output(let line, let orFiles):
      [(orFiles ? " -F -a " : " -a ") + shellQuoted("(\(root.name) \(line) 2>/dev/null)")]
    }
  }
}
