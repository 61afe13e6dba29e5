// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Haptics
import PatternTools
import Wire

enum AuditionCommand {
  static let pattern = Argument(
    "NAME|FILE|FOLDER", help: "a pattern, an .ahap file, a folder of them (./FOLDER), or - for the standard input",
    completion: .output(of: "list patterns --names", orFiles: true))
  static let rate = OptionKey.number(
    "rate", in: hapticRates, default: 1, help: "playback rate")
  static let loop = OptionKey.flag("loop", help: "repeat until Ctrl-C; a folder from its first file on")
  static let device = OptionKey.text(
    "device", value: "PADS", default: "all",
    help: "the pads to feel it by: `all`, or names and paths with commas between")
  static let listen = OptionKey.flag("listen", help: "let it be heard also where it can be felt")
  static let silent = OptionKey.flag("silent", help: "do not let it be heard, also where there is no pad to feel it by")
  static let sound = OptionKey.text(
    "sound", value: "PCM", environment: "STARLIGHT_DEVICE", help: "the sound device to hear it by; without it `default`"
  )
  static let repeats = OptionKey.flag(
    "repeat-on-save", help: "play it again whenever its file is saved, until Ctrl-C")
  static let draw = OptionKey.flag("draw", help: "only draw it, play nothing; with --svg both")
  static let picture = OptionKey.path("svg", value: "FILE", help: "only write its picture, play nothing")
  static let height = OptionKey.integer("height", in: 2...40, default: 8, help: "rows for intensity")

  static let command = ToolCommand(
    "audition", summary: "draws a haptic pattern while it plays",
    discussion: [
      "Plays through the running daemon; without one, on the pads by itself. Where there is no pad it is heard: intensity "
        + "as loudness, sharpness as pitch. Transients are spikes, sharpness is colour (blue dull, yellow sharp) and the "
        + "rows below. Into a file or a pipe it draws once, without colour.",
      "A name is that of a pattern of the active pack, else of the first pack that has one of that name; the picture says which. "
        + "A name that no pattern of a pack has is taken for the file of that name in this folder, with or without .ahap. Where "
        + "nothing can be felt or heard, that is said with the cure.",
      "With --repeat-on-save it stays: save the file in an editor and feel it again. What lint finds is shown with its line "
        + "and column, and while the file cannot be read the last pattern that could stays.",
    ],
    arguments: [pattern],
    options: [
      rate.option, loop.option, device.option, listen.option, silent.option, sound.option, repeats.option, draw.option,
      picture.option, height.option,
    ],
    examples: [
      .init("starlight audition thud", "a pattern of the pack"),
      .init("starlight audition ./boing.ahap --repeat-on-save", "edit it, feel it again"),
      .init("starlight audition ./patterns --listen", "every file of a folder, also heard"),
      .init("starlight audition heartbeat --draw > heartbeat.txt", "the picture alone"),
    ], action: .exiting(with: run))

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let sources = try AuditionSources(tool.invocation[pattern] ?? "")
    try sources.check(tool)
    let playsNothing = tool.invocation[draw] || tool.invocation[picture] != nil || tool.wantsJSON
    if playsNothing {
      // A daemon is asked about a name alone.
      let library = sources.isName ? PatternLibrary(readableBy: tool) : PatternLibrary(environment: tool.environment)
      return try sources.each(tool, library) { source throws(ToolFailure) in try show(source, library, tool) }
    }
    let connection = try tool.connectIfAny(needsTime: true)
    let library =
      try connection.map { connection throws(ToolFailure) in PatternLibrary(try connection.askForPacks()) }
      ?? PatternLibrary(environment: tool.environment)
    let manner = AuditionManner(tool, ofFolder: sources.isFolder)
    let player: any AuditionPlayer =
      if let connection {
        try DaemonAuditionPlayer(connection, manner)
      } else {
        try OwnAuditionPlayer(manner)
      }
    var audition = Audition(tool: tool, player: player, manner: manner, library: library)
    defer { player.end() }
    return try audition.run(sources)
  }

  /// Draws it, writes its picture, or tells a machine.
  private static func show(_ source: PatternSource, _ library: PatternLibrary, _ tool: Tool) throws(ToolFailure) {
    let document = try library.document(of: source)
    source.complain(to: tool.errors)
    if let path = tool.invocation[picture] {
      _ = try tool.put(HapticPicture(title: source.title).svg(HapticPattern(document)), to: path)
      guard tool.invocation[draw] else { return }
    }
    if tool.wantsJSON {
      tool.out.line(jsonText(PatternSketch(document), indented: tool.out.isInteractive))
    } else {
      var screen = AuditionScreen(title: source.title, document: document, tool: tool)
      for line in screen.lines() { tool.out.line(line) }
    }
  }
}

extension AuditionManner {
  /// `ofFolder`: whether more patterns follow, so that none repeats by itself.
  init(_ tool: Tool, ofFolder: Bool = false) {
    let invocation = tool.invocation
    rate = invocation[AuditionCommand.rate] ?? 1
    loops = invocation[AuditionCommand.loop] && !ofFolder
    pads = invocation[AuditionCommand.device] ?? "all"
    hearing =
      if invocation[AuditionCommand.listen] {
        .always
      } else {
        invocation[AuditionCommand.silent] || !tool.out.isInteractive ? .never : .whereUnfelt
      }
    sound = invocation[AuditionCommand.sound]
  }
}
