// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum CueStopCommand {
  static let handle = Argument("ID", help: "the number that `cue fire` showed")
  static let fade = OptionKey.duration(
    "fade", short: "f", CueStop.ranges.fade, help: "length of the fade of its sounds")

  static let command = ToolCommand(
    "stop", summary: "calls off what of a cue has not begun, and stops what has", arguments: [handle],
    options: [fade.option],
    examples: [.init("starlight cue stop 7", "a press that was let go of")], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let id = try handleNumber(tool.invocation[handle] ?? "", from: "cue fire")
    try tool.ask(
      CueStop.self, CueStop.Params(id: id, fadeUs: tool.invocation[fade].map(microseconds)), needsTime: true
    ) { stoppedLines($0, width: tool.out.readableWidth) }
  }
}

/// What became of the parts of a cue that was stopped, a line for each kind.
func stoppedLines(_ result: CueStop.Result, width: Int = .max) -> [String] {
  let kinds = [("called off", result.calledOff), ("stopped", result.stopped), ("too late for", result.tooLate)]
  let lines = kinds.filter { !$0.1.isEmpty }.flatMap { kind, parts in
    hanging("\(kind): \(parts.joined(separator: ", "))", indent: 2, width: width)
  }
  return lines.isEmpty ? ["nothing of it was done"] : lines
}
