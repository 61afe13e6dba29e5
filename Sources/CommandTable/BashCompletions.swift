// SPDX-License-Identifier: Apache-2.0

extension CommandLineProgram {
  /// One function that walks the words to find the command, then offers what fits there.
  var bashCompletions: String {
    let nested = paths.map(\.path).filter { !$0.isEmpty }.map(shellQuoted).joined(separator: "|")
    var lines = [
      "\(shellFunction)() {",
      "  local path= i",
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
      "  for ((i = 1; i < COMP_CWORD; i++)); do",
    ]
    if !nested.isEmpty {
      lines += [
        "    case \"$path ${COMP_WORDS[i]}\" in",
        "      \(nested)) path+=\" ${COMP_WORDS[i]}\" ;;",
        "    esac",
      ]
    } else {
      lines.append("    :")
    }
    lines += ["  done", "  case \"$path $previous\" in"]
    lines += valueCases { bashOffer($0) + "; " }
    lines += [
      "  esac",
      // Bash splits words at colons, and names of packs have them: offer whole words, less what stands there already.
      "  local typed=${COMP_LINE:0:COMP_POINT} there=",
      "  typed=${typed##* }",
      "  [[ $typed == *:* && $typed != \"$current\" ]] && current=$typed there=${typed%\"${typed##*:}\"}",
      "  case \"$path\" in",
    ]
    for (path, command) in paths {
      lines.append("    \(shellQuoted(path)))")
      lines += bashOffer(command, path).map { "      " + $0 }
      lines.append("      ;;")
    }
    lines += [
      "  esac", "  COMPREPLY=(\"${COMPREPLY[@]#\"$there\"}\")", "}", "complete -F \(shellFunction) \(root.name)", "",
    ]
    return lines.joined(separator: "\n")
  }

  private func bashOffer(_ kind: ValueKind) -> String {
    switch kind {
    case .path: bashFiles
    case .choice(let words): bashWords(words.joined(separator: " "))
    default: "COMPREPLY=()"
    }
  }

  private func bashOffer(_ command: Command<Action>, _ path: String) -> [String] {
    var words = options(along: path).map(\.dashed) + command.subcommands.map(\.name)
    var files = false
    var filesElse = false
    for argument in command.arguments {
      switch argument.completion {
      case .nothing: break
      case .files: files = true
      case .choices(let choices): words += choices
      case .output(let line, let orFiles):
        let output = "$(\(root.name) \(line) 2>/dev/null)"
        if !words.contains(output) { words.append(output) }
        filesElse = filesElse || orFiles
      }
    }
    let offer = bashWords(words.joined(separator: " "))
    if files { return ["\(bashFiles)", offer.replacingPrefix("COMPREPLY=", with: "COMPREPLY+=")] }
    return filesElse ? [offer, "[[ ${COMPREPLY[*]} ]] || { \(bashFiles); }"] : [offer]
  }

  private var bashFiles: String {
    "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\"))"
  }

  private func bashWords(_ words: String) -> String { "COMPREPLY=($(compgen -W \"\(words)\" -- \"$current\"))" }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}
