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
