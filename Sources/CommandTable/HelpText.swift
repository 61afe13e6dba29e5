// SPDX-License-Identifier: Apache-2.0

extension CommandLineProgram {
  /// The help of the command at `path` (as far as its names are known), in lines of at most `width` characters.
  public func helpText(for path: [String] = [], width: Int = 80) -> String {
    let commands = commands(along: path)
    let command = commands[commands.count - 1]
    let spelled = commands.map(\.name).joined(separator: " ")
    let own = commands.count > 1 ? commands.dropFirst().flatMap(\.options) : root.options
    let common = commonOptions(ofRoot: commands.count == 1)
    let labels =
      command.arguments.map(\.name) + (own + common).map(\.signature) + command.subcommands.map(\.name)
    var page = HelpPage(width: max(40, min(width, 100)), labels: labels)

    page.line(usage(spelled, command, hasOptions: !(own + common).isEmpty))
    page.paragraph(sentence(command.summary))
    for text in command.discussion { page.paragraph(text) }
    page.section("Arguments", command.arguments.map { ($0.name, described($0)) })
    page.section("Commands", command.subcommands.map { ($0.name, $0.summary) })
    page.section("Options", own.map { ($0.signature, described($0)) })
    page.section(own.isEmpty ? "Options" : "Common options", common.map { ($0.signature, described($0)) })
    page.examples(command.examples.map { ($0.line, $0.meaning) })
    if commands.count == 1 {
      page.section("Exit status", exitCodes.map { (String($0.code), $0.meaning) })
    }
    if !command.subcommands.isEmpty { page.paragraph("See `\(spelled) COMMAND --help` for more about a command.") }
    return page.text
  }

  private func usage(_ spelled: String, _ command: Command<Action>, hasOptions: Bool) -> String {
    var parts = ["Usage:", spelled]
    if !command.subcommands.isEmpty { parts.append("COMMAND") }
    parts += command.arguments.map(\.signature)
    if hasOptions { parts.append("[OPTIONS]") }
    return parts.joined(separator: " ")
  }

  private func described(_ argument: Argument) -> String {
    if case .choices(let words) = argument.completion { return argument.help + ": " + listed(words) }
    return argument.help
  }

  private func described(_ option: Option) -> String {
    var text = option.help
    if case .choice(let words) = option.kind { text += ": " + listed(words) }
    var notes = option.kind.span.map { [$0] } ?? []
    if let fallback = option.defaultText { notes.append("default \(fallback)") }
    if let variable = option.environment { notes.append("or $\(variable)") }
    if !notes.isEmpty { text += " (\(notes.joined(separator: ", ")))" }
    return text
  }

  private func sentence(_ summary: String) -> String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}

/// Lines of help under construction: one column for what is typed, one for what it means.
private struct HelpPage {
  let width: Int
  let column: Int
  var text = ""

  init(width: Int, labels: [String]) {
    self.width = width
    let fitting = labels.map(\.count).filter { $0 <= width / 3 }
    column = 2 + (fitting.max() ?? 8) + 2
  }

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func paragraph(_ paragraph: String) {
    line("")
    for part in wrapped(paragraph, width: width) { line(part) }
  }

  mutating func section(_ title: String, _ rows: [(label: String, text: String)]) {
    if rows.isEmpty { return }
    line("")
    line(title + ":")
    for row in rows {
      var label = "  " + row.label
      var parts = wrapped(row.text, width: width - column)[...]
      if label.count + 2 > column {
        line(label)
        label = ""
      }
      line(label + String(repeating: " ", count: column - label.count) + (parts.popFirst() ?? ""))
      for part in parts { line(String(repeating: " ", count: column) + part) }
    }
  }

  mutating func examples(_ examples: [(line: String, meaning: String)]) {
    if examples.isEmpty { return }
    line("")
    line("Examples:")
    for example in examples {
      line("  " + example.line)
      for part in wrapped(example.meaning, width: width - 6) { line("      " + part) }
    }
  }
}

/// `text` in lines of at most `width` characters, broken between words; a word too long stands alone.
///
/// Words inside backticks stay on one line, so that what is to be typed can be copied.
public func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in unbreakable(text) {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}

private func unbreakable(_ text: String) -> [String] {
  var words: [String] = []
  var inside = false
  for word in text.split(separator: " ") {
    if inside { words[words.count - 1] += " " + word } else { words.append(String(word)) }
    if word.count(where: { $0 == "`" }) % 2 == 1 { inside.toggle() }
  }
  return words
}
