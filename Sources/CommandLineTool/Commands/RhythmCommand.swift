// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc
import StarlightClient
import Wire

enum RhythmCommand {
  static let command = ToolCommand(
    "rhythm", summary: "plays a rhythm chapter with the arrow keys",
    subcommands: [
      RhythmPlayCommand.command, RhythmVerbs.pause, RhythmVerbs.resume, RhythmVerbs.restart, status, stop,
      RhythmVerbs.takeOver,
    ])

  private static let status = ToolCommand(
    "status", summary: "shows where the chapter stands",
    action: ToolAction { tool throws(ToolFailure) in
      let connection = try tool.connect()
      let status = try connection.ask(RhythmStatus.self, Empty())
      let lines = try status.chapter.map { chapter throws(ToolFailure) in
        chapterLines(chapter, status) + (status.running ? [] : try connection.musicLeft())
      }
      tool.show(status, lines ?? ["no chapter was played"])
    })

  private static let stop = ToolCommand(
    "stop", summary: "ends the chapter",
    action: ToolAction { tool throws(ToolFailure) in
      try tool.ask(RhythmStop.self, Empty()) { status in
        status.chapter.map { scoreLines($0, status.score) } ?? ["no chapter was played"]
      }
    })
}

enum RhythmPlayCommand {
  static let chapter = Argument(
    "CHAPTER", help: "a chapter; `starlight list chapters` names them", completion: .output(of: "list chapters --names")
  )

  static let position = OptionKey.duration("position", help: "where in the song to begin")
  static let rate = OptionKey.number("rate", RhythmStart.ranges.rate, help: "how fast the song goes; its pitch follows")

  static let controls = OptionKey.text(
    "bind", value: "LANE=CONTROL",
    help:
      "lanes that a pad taps, with commas between, by the names of linux/input-event-codes.h: BTN_SOUTH, ABS_Z, ABS_X+")
  static let device = OptionKey.text(
    "device", value: "PAD",
    help: "the pad that --bind means, by its path or a part of its name; without it every game pad")
  static let grab = OptionKey.flag("grab", help: "lets no other program hear of that pad while the chapter runs")

  static let command = ToolCommand(
    "play", summary: "plays a chapter in this terminal",
    discussion: [
      "Beats come in from the right: tap their lane's arrow key as they reach the ring, which is when they are heard. "
        + "Each key is judged at the instant at which it was read. q or Ctrl-C ends the chapter.",
      "A pad taps lanes by --bind: the daemon reads it, and judges each press at the instant at which the kernel had it.",
    ],
    arguments: [chapter], options: [position.option, rate.option, controls.option, device.option, grab.option],
    examples: [
      .init("starlight rhythm play firewall", "45 s, left, right and up"),
      .init("starlight rhythm play firewall --bind left=BTN_WEST,right=BTN_EAST,top=BTN_NORTH", "the same with a pad"),
    ],
    action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    guard isatty(0) == 1, tool.out.isInteractive, !tool.wantsJSON else {
      throw .usage(
        "playing needs a terminal with a keyboard",
        hint: "for programs there are rhythm.start and rhythm.tap: see `starlight call rpc.discover`")
    }
    let name = tool.invocation[chapter] ?? ""
    let bound = try tool.invocation[controls].map { text throws(ToolFailure) in
      guard let bound = LaneControls(text) else {
        throw .usage("--bind names no control in \(text)", hint: "as in --bind left=BTN_WEST,right=BTN_EAST")
      }
      return bound
    }
    let connection = try tool.connect(needsTime: true)
    let params = RhythmStart.Params(
      chapter: name, positionUs: tool.invocation[position].map(microseconds), rate: tool.invocation[rate])
    let bindings = try bound?.bind(
      connection, device: tool.invocation[device], grabs: tool.invocation[grab])
    var play = try ChapterPlay(params, connection, bindings: bindings ?? [], out: tool.out)
    let score = try play.play()
    let said = scoreLines(play.chapter, score, byKeyboard: true) + (try connection.musicLeft())
    for line in said.flatMap({ wrapped($0, width: tool.out.readableWidth) }) { tool.out.line(line) }
  }
}

/// Where a chapter stands, and how it went so far.
func chapterLines(_ chapter: String, _ status: RhythmStatus.Result) -> [String] {
  let isPaused = status.running && status.pausedUs != nil
  return scoreLines("\(chapter), \(placeText(status))", status.score)
    + (isPaused ? ["it is paused: `starlight rhythm resume` lets it go on"] : [])
}

extension StarlightConnection {
  /// What is to be said of music that plays on where a chapter is over.
  fileprivate func musicLeft() throws(ToolFailure) -> [String] {
    let music = try ask(MusicStatus.self, Empty())
    // As a chapter is broken off its music is about to stop.
    guard let track = music.track, music.state == .playing, !music.planned.contains(where: { $0.verb == .stop }) else {
      return []
    }
    return ["\(track) plays on: `starlight music stop` ends it"]
  }
}
