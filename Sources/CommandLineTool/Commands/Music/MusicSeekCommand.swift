// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum MusicSeekCommand {
  static let place = Argument("PLACE", help: "a place in the track, in seconds such as 12.5, or as 1:02.5")
  static let crossfade = OptionKey.duration(
    "crossfade", short: "c", MusicSeek.ranges.crossfade, help: "length of the cross-fade; 0 cuts")

  static let command = ToolCommand(
    "seek", summary: "goes to another place of the track", arguments: [place],
    options: [crossfade.option, plannedAt.option], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let connection = try tool.connect(needsTime: true)
    let seconds = try musicPlace(tool.invocation[place] ?? "")
    let hearing = try connection.hearing(.music)
    let result = try connection.ask(
      MusicSeek.self,
      MusicSeek.Params(
        positionUs: microseconds(seconds), atUs: try tool.instant(plannedAt, connection),
        crossfadeUs: tool.invocation[crossfade].map(microseconds)))
    tool.show(
      result,
      ["\(result.track) from \(clockTime(result.positionUs)) (plan \(result.plan))\(hearing.note(result.scheduledUs))"])
  }
}

/// A place in a track in seconds, below a day: "62.5", or "1:02.5" as the status shows it.
func musicPlace(_ text: String) throws(ToolFailure) -> Double {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  if let seconds = parts.last.flatMap({ Double($0) }), seconds >= 0 {
    if parts.count == 1, seconds < 86_400 { return seconds }
    if parts.count == 2, seconds < 60, let minutes = Int(parts[0]), (0..<1_440).contains(minutes) {
      return Double(minutes * 60) + seconds
    }
  }
  throw .usage("`\(text)` is no place in a track", hint: "give it in seconds, such as 12.5, or as 1:02.5")
}
