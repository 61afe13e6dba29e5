// SPDX-License-Identifier: Apache-2.0

extension CommandLineProgram {
  /// One function that walks the words to find the command, then offers what fits there with what it means. It completes
  /// when the script is sourced as when it is loaded from a folder of `fpath`.
  var zshCompletions: String {
    var lines = [
      "#compdef \(root.name)",
      "\(shellFunction)() {",
      "  local at= word",
      "  local -a offers",
      "  for word in \"${(@)words[2,CURRENT-1]}\"; do",
      "    case \"$at $word\" in",
    ]
    // A pattern that no words match keeps the statement whole where there is no command.
    let nested = paths.map(\.path).filter { !$0.isEmpty } + ["/"]
    lines += [
      "      \(nested.map(shellQuoted).joined(separator: "|"))) at+=\" $word\" ;;", "    esac", "  done",
      "  case \"$at ${words[CURRENT-1]}\" in",
    ]
    lines += valueCases(zshOffer) + ["  esac", "  case \"$at\" in"]
    for (path, command) in paths {
      lines += ["    \(shellQuoted(path)))"] + zshOffer(command, path).map { "      " + $0 } + ["      ;;"]
    }
    lines += [
      "  esac", "}",
      "if [[ $funcstack[1] == \(shellFunction) ]]; then \(shellFunction); else compdef \(shellFunction) \(root.name); fi",
      "",
    ]
    return lines.joined(separator: "\n")
  }

  private func zshOffer(_ kind: ValueKind) -> String {
    switch kind {
    case .path: "_files; "
    case .choice(let words): "compadd -- \(words.joined(separator: " ")); "
    default: ""
    }
  }

  private func zshOffer(_ command: Command<Action>, _ path: String) -> [String] {
    let options = options(along: path).map { shellQuoted("\($0.dashed):\($0.help)") }
    var lines = [
      "if [[ $PREFIX == -* ]]; then",
      "  offers=(\(options.joined(separator: " ")))",
      "  _describe -o option offers",
      "  return",
      "fi",
    ]
    if !command.subcommands.isEmpty {
      let commands = command.subcommands.map { shellQuoted("\($0.name):\($0.summary)") }
      lines += ["offers=(\(commands.joined(separator: " ")))", "_describe command offers"]
    }
    var offered: [String] = []
    for argument in command.arguments {
      let offer: String
      switch argument.completion {
      case .nothing: continue
      case .files: offer = "_files"
      case .choices(let words): offer = "compadd -- \(words.joined(separator: " "))"
      case .output(let line, let orFiles):
        offer = "compadd -- ${(f)\"$(\(root.name) \(line) 2>/dev/null)\"}" + (orFiles ? " || _files" : "")
      }
      if !offered.contains(offer) { offered.append(offer) }
    }
    return lines + offered
  }
}
