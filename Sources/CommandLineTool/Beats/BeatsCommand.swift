// SPDX-License-Identifier: Apache-2.0

import CommandTable

enum BeatsCommand {
  static let command = ToolCommand(
    "beats", summary: "makes beat maps by tapping or by listening, checks them and lets them be heard",
    subcommands: [
      BeatsTapCommand.command, BeatsDetectCommand.command, BeatsCheckCommand.command, BeatsPlayCommand.command,
    ])

  static let source = Argument(
    "MAP|TRACK",
    help: "a beat map (.json, .osu, .sm, .mid, a text of times), a sound file, or pack:chapter or pack:track",
    completion: .files)
  static let sound = Argument("TRACK", help: "a sound file, or pack:track", completion: .files)
  static let from = OptionKey.duration("position", help: "where in the track to begin")
  static let track = OptionKey.path(
    "track", value: "FILE", help: "the sound file, where the beat map does not lead to it")
  static let out = OptionKey.path(
    "out", short: "o", value: "FILE", help: "where to write the beat map; - is the standard output")
}

extension BeatSource {
  /// What the command line names by `source` and `--track`.
  init(_ tool: Tool) throws(ToolFailure) {
    try self.init(
      tool.invocation[BeatsCommand.source] ?? "", track: tool.invocation[BeatsCommand.track], tool)
  }
}

extension Tool {
  /// Writes a beat map where `--out` says; what is there is replaced only by `--force`.
  func putBeats(_ text: String, to path: String) throws(ToolFailure) {
    try checkPlace(path, self)
    if path == "-" { out.write(text) } else { try replaceFile(path, with: Array(text.utf8)) }
  }
}

/// "storm.beats.json: 120 beats, 85.0 a minute".
func beatsText(_ path: String, _ beats: Int, bpm: Double?) -> String {
  "\(path): \(count(beats, "beat"))" + (bpm.map { ", \(fixed($0, 1)) a minute" } ?? "")
}
