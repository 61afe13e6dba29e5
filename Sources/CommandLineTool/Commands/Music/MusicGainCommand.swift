// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum MusicGainCommand {
  static let loudness = Argument(
    "GAIN",
    help: "loudness, \(MusicGain.ranges.gain.span), 1 as the pack has it; or decibels, "
      + "\(MusicGain.ranges.decibels.span), such as -6dB")
  static let stem = OptionKey.text(
    "stem", value: "NAME", help: "change one stem of the track that plays, by its name")
  static let fade = MusicFadeCommands.fade(MusicGain.ranges.fade)

  static let command = ToolCommand(
    "gain", summary: "changes the loudness of the track", arguments: [loudness],
    options: [stem.option, fade.option, plannedAt.option], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let text = tool.invocation[loudness] ?? ""
    let (linear, decibels) = try musicGain(text)
    let connection = try tool.connect(needsTime: true)
    let hearing = try connection.hearing(.music)
    let result = try connection.ask(
      MusicGain.self,
      MusicGain.Params(
        gain: linear, gainDb: decibels, stem: tool.invocation[stem],
        atUs: try tool.instant(plannedAt, connection),
        fadeUs: tool.invocation[fade].map(microseconds)))
    tool.show(result, ["gain \(text) (plan \(result.plan))\(hearing.note(result.scheduledUs))\(late(result.lateUs))"])
  }
}

/// A loudness as people type it: "0.5" is a factor, "-6dB" decibels.
func musicGain(_ text: String) throws(ToolFailure) -> (linear: Double?, decibels: Double?) {
  let isDecibels = text.lowercased().hasSuffix("db")
  guard let number = Double(isDecibels ? text.dropLast(2) : text[...]), number.isFinite else {
    throw .usage("`\(text)` is no loudness", hint: "give 0.5 or -6dB")
  }
  if !isDecibels, number < 0 {
    throw .usage("a loudness of \(text) is less than silence", hint: "for decibels write \(text)dB")
  }
  return isDecibels ? (nil, number) : (number, nil)
}
