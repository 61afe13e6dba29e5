// SPDX-License-Identifier: Apache-2.0

/// The shells that completions can be written for.
public enum Shell: String, CaseIterable, Sendable {
  /// GNU Bash.
  case bash
  /// The Z shell.
  case zsh
  /// The friendly interactive shell.
  case fish
}

extension CommandLineProgram {
  /// A script that teaches `shell` the program's commands, options and arguments.
  public func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletions
    case .zsh: zshCompletions
    case .fish: fishCompletions
    }
  }

  /// Every command with the path that leads to it, each name with a space before it; the root's is empty.
  var paths: [(path: String, command: Command<Action>)] {
    func walk(_ command: Command<Action>, _ path: String) -> [(String, Command<Action>)] {
      [(path, command)] + command.subcommands.flatMap { walk($0, path + " " + $0.name) }
    }
    return walk(root, "")
  }

  /// All options that count for the command at `path`.
  func options(along path: String) -> [Option] {
    let own = commands(along: path.split(separator: " ").map(String.init)).flatMap(\.options)
    return own + commonOptions(ofRoot: path.isEmpty)
  }

  /// Of Bash and Zsh: a case for each option by what stands before the cursor when it waits for its value, for which `offer` has a
  /// statement, its semicolon included. A global option may follow any command.
  func valueCases(_ offer: (ValueKind) -> String) -> [String] {
    paths.flatMap { path, command in
      let options = path.isEmpty ? globalOptions + command.options : command.options
      return options.filter { $0.kind != .flag }.map { option in
        let names = [option.dashed] + (option.short.map { ["-\($0)"] } ?? [])
        let words = names.map { (path.isEmpty ? "*" : "") + shellQuoted(path + " " + $0) }
        return "    \(words.joined(separator: "|"))) \(offer(option.kind))return ;;"
      }
    }
  }

  /// `_name_with_underscores`, fit for a shell function.
  var shellFunction: String { "_" + String(root.name.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
}

/// `text` as one word of a shell.
func shellQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
