// SPDX-License-Identifier: Apache-2.0

import CommandTable

enum DoctorCommand {
  static let command = ToolCommand(
    "doctor", summary: "says what is wrong with this machine, and the line that cures it",
    discussion: [
      "Looks at the daemon and its socket, the sound device, PipeWire, real-time scheduling, locked memory, pads and game "
        + "packs, and changes nothing. Every cure is one line to paste. Exits 0 when nothing is a problem (notes are "
        + "none), 1 when something is."
    ],
    examples: [
      .init("starlight doctor", "run it as the user who will run starlightd"),
      .init("starlight doctor --json | jq -r '.findings[].cure // empty'", "the cures, for a script"),
    ], action: .exiting(with: run))

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let report = DoctorReport(findings: diagnosis(of: MachineFacts(gatheredFor: tool)))
    tool.show(report, report.lines(style: tool.out.style, width: tool.out.readableWidth))
    return report.problems == 0 ? .success : .failure
  }
}

/// What `starlight doctor` found, for people and as JSON.
struct DoctorReport: Encodable {
  var findings: [Finding]
  var problems: Int

  init(findings: [Finding]) {
    self.findings = findings
    problems = findings.count { $0.severity == .problem }
  }

  /// A line or more for each finding, then what they come to. Cures are never broken: they are to be pasted.
  func lines(style: Style, width: Int = .max) -> [String] {
    let topics = findings.map(\.topic.count).max() ?? 0
    let heads = 9 + topics + 2
    // In a narrow terminal what was found stands below its topic.
    let isNarrow = width < heads + 24
    let margin = String(repeating: " ", count: isNarrow ? 2 : heads)
    let room = width == .max ? Int.max : width - margin.count
    var lines: [String] = []
    for finding in findings {
      let head = style.paint(finding.severity.rawValue.padded(9), finding.severity.ink)
      if isNarrow { lines.append(head + finding.topic) }
      for (index, part) in parts(finding.what, room).enumerated() {
        lines.append((index == 0 && !isNarrow ? head + finding.topic.padded(topics + 2) : margin) + part)
      }
      lines += parts(finding.why, room).map { margin + style.paint($0, .dim) }
      if let cure = finding.cure { lines.append(margin + "  " + style.paint(cure, .accent)) }
      if let then = finding.then { lines += parts(then, room).map { margin + $0 } }
    }
    let notes = findings.count { $0.severity == .note }
    lines.append("")
    lines.append(style.paint(summary(notes: notes), .bold))
    return lines
  }

  private func summary(notes: Int) -> String {
    let noted = notes == 0 ? "" : ", " + count(notes, "note")
    if problems == 0 { return "nothing is wrong" + noted }
    return count(problems, "problem") + noted
  }

  private func parts(_ text: String, _ room: Int) -> [String] {
    if text.isEmpty { return [] }
    return room == .max ? [text] : wrapped(text, width: room)
  }
}

extension Finding.Severity {
  fileprivate var ink: Ink {
    switch self {
    case .ok: .good
    case .note: .warning
    case .problem: .bad
    }
  }
}
