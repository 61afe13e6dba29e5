// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// `starlight explain`
enum ExplainCommand {
  static let kind = Argument(
    "KIND", help: "what kind of thing: \(kindWords.joined(separator: ", ")); the latest of any kind when missing",
    isOptional: true, completion: .choices(kindWords))
  static let id = Argument(
    "ID", help: "its number, as its command showed it; the latest of its kind when missing", isOptional: true)

  static let command = ToolCommand(
    "explain", summary: "tells when one thing was asked for, planned, heard, felt and told, and who was late",
    discussion: [
      "The daemon keeps what its threads did lately, some minutes of it. `explain` tells of one cue, sound, haptic player, "
        + "verb of music, tap or beat each stage on its way, with its instant and how late it was, and who was late by more "
        + "than a millisecond. A thread is busy where it used the processor for at least half of the time; else it was not "
        + "let run."
    ],
    arguments: [kind, id],
    examples: [
      .init("starlight explain", "what was asked for last"),
      .init("starlight explain cue 12", "the firing that `cue fire` called 12"),
    ], action: ToolAction(run))

  private static let kindWords = TraceKind.allCases.map(\.rawValue)

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    var params = TraceExplain.Params(kind: tool.invocation[kind].flatMap(TraceKind.init))
    if let id = tool.invocation[id] {
      guard let number = Int64(id) else {
        throw ToolFailure("`\(id)` is no number", hint: "give the number that its command showed", exit: .usage)
      }
      params.id = number
    }
    let life = try tool.connect().ask(TraceExplain.self, params)
    tool.show(life, lifeLines(life, width: tool.out.isInteractive ? tool.out.width : 80, style: tool.out.style))
    return .success
  }
}
