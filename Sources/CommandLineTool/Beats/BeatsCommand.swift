// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc

/// `starlight beats`
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
  static let track = OptionKey.path("track", value: "FILE", help: "the sound file, where nothing else tells it")
  static let out = OptionKey.path(
    "out", short: "o", value: "FILE", help: "where to write the beat map; - is the standard output")
  static let force = OptionKey.flag("force", help: "replace a file that is there")
}

extension BeatSource {
  /// What the command line names by `source` and `--track`.
  init(_ tool: Tool) throws(ToolFailure) {
    try self.init(
      tool.invocation[BeatsCommand.source] ?? "", track: tool.invocation[BeatsCommand.track],
      environment: tool.environment)
  }
}

extension Tool {
  /// Writes a beat map where `--out` says; what is there is replaced only by `--force`.
  func putBeats(_ text: String, to path: String) throws(ToolFailure) {
    try checkPlaceOfBeats(path)
    _ = try put(text, to: path)
  }

  /// Before work is done whose result would find no place.
  func checkPlaceOfBeats(_ path: String) throws(ToolFailure) {
    guard path != "-", !invocation[BeatsCommand.force], access(path, F_OK) == 0 else { return }
    throw ToolFailure(
      "\(path) is there already", hint: "--force replaces it, --out FILE writes another", kind: .unwritable,
      place: .init(file: path))
  }
}
