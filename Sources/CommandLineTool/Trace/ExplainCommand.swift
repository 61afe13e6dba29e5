// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Outcomes
import Suggestions
import Wire

enum ExplainCommand {
  static let kind = Argument(
    "KIND", help: "what kind of thing it is; the latest of any kind when missing; kinds are",
    isOptional: true, isOpen: true, completion: .choices(kindWords))
  static let id = Argument(
    "ID", help: "its number; the latest of its kind when missing", isOptional: true)

  static let command = ToolCommand(
    "explain", summary: "shows when one thing was asked for, planned, heard, felt and reported, and who was late",
    discussion: [
      "The daemon keeps what its threads did lately, some minutes of it. `explain` shows each stage of one cue, sound, haptic "
        + "player, verb of music, tap or beat, with its instant and how late it was, and who was late by more than a "
        + "millisecond. A thread is busy where it used the processor for at least half of the time; otherwise the system did not "
        + "let it run.",
      "ID is what was shown: `cue fire` and `sound play` show an id, `haptics play` a player, the verbs of `music` a plan, and "
        + "with --json every command its reply. Beats of a chapter are counted from 0, taps by the daemon from 1, and beats of "
        + "the music as `music beats --json` has their count.",
    ],
    arguments: [kind, id],
    examples: [
      .init("starlight explain", "what was asked for last"),
      .init("starlight explain cue 12", "the firing that `cue fire` called 12"),
      .init("starlight explain haptics 3", "the player that `haptics play` called 3"),
    ], action: ToolAction(run))

  private static let kindWords = TraceKind.allCases.map(\.rawValue)

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let params = try explained(tool.invocation[kind], tool.invocation[id])
    let connection = try tool.connect()
    let life = try connection.ask(TraceExplain.self, params)
    let isSilent = try !connection.ask(EngineStatus.self, Empty()).audio.kind.isHeard
    tool.show(
      life, lifeLines(life, width: tool.out.readableWidth, isSilent: isSilent, style: tool.out.style))
  }

  /// What is meant by a kind and a number, in either order.
  static func explained(_ first: String?, _ second: String?) throws(ToolFailure) -> TraceExplain.Params {
    let words = [first, second].compactMap(\.self)
    let kinds = words.compactMap(TraceKind.init)
    let numbers = words.compactMap { Int64($0) }
    if let odd = words.first(where: { TraceKind(rawValue: $0) == nil && Int64($0) == nil }) {
      let guess = didYouMean(odd, among: kindWords)
      throw .usage(
        "`\(odd)` is neither a kind nor a number\(guess)",
        hint: "kinds are \(kindWords.joined(separator: ", ")); the number is what its command showed, as in "
          + "`starlight explain cue 2`")
    }
    if kinds.isEmpty, let number = numbers.first {
      throw .usage(
        "\(number) is the number of what?",
        hint: "say of what kind it is, as in `starlight explain cue \(number)`; kinds are "
          + kindWords.joined(separator: ", "))
    }
    if kinds.count > 1 || numbers.count > 1 {
      throw .usage(
        "one thing is explained at a time", hint: "write one kind and one number, as in `starlight explain cue 2`")
    }
    return TraceExplain.Params(kind: kinds.first, id: numbers.first)
  }
}
