// SPDX-License-Identifier: Apache-2.0

import CommandTable
import StarlightClient
import Wire

enum TopCommand {
  static let every = OptionKey.duration("every", in: 0.2...60, default: 1, help: "how often it is drawn anew")
  static let times = OptionKey.integer("count", short: "n", in: 1...Int.max, help: "end after so many")

  static let command = ToolCommand(
    "top", summary: "shows live how the daemon fares: periods, voices, music, meters, haptics, clients and beats",
    discussion: [
      "Counts are of the time since it was last drawn; a meter shows the highest sample of the last second. Ctrl-C ends it. In a "
        + "pipe each time is a block of lines with an empty one behind it; with --json it is the reply of engine.stats."
    ],
    options: [every.option, times.option], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let connection = try tool.connect(needsTime: true)
    let signals = SignalWatch()
    let interval = microseconds(tool.invocation[every] ?? 1)
    var left = tool.invocation[times] ?? Int.max
    var frame = LiveFrame()
    let isDrawn = tool.out.isInteractive && !tool.wantsJSON
    if isDrawn { tool.out.write(LiveFrame.begin) }
    defer { if isDrawn { tool.out.write(LiveFrame.end) } }
    while !tool.out.isAbandoned {
      let stats = try connection.ask(EngineStats.self, EngineStats.Params(overUs: interval))
      if tool.wantsJSON {
        tool.out.line(jsonText(stats, indented: false))
      } else {
        let status = try connection.ask(EngineStatus.self, Empty())
        let lines = topLines(stats, status, width: tool.out.width, style: tool.out.style)
        if isDrawn {
          tool.out.write(frame.update(frame: lines, size: tool.out.size, style: tool.out.style))
        } else {
          for line in lines + [""] { tool.out.line(line) }
        }
      }
      left -= 1
      if left == 0 { return }
      _ = waitReadable([signals.descriptor], output: tool.out.descriptor, microseconds: interval)
      if signals.take() != nil { return }
    }
  }
}

/// What is drawn: what plays, how loud it is, then the numbers.
func topLines(_ stats: EngineStats.Result, _ status: EngineStatus.Result, width: Int, style: Style) -> [String] {
  let timeline = status.music.timeline
  var rows = [
    ["Device", status.audio.message],
    [
      "Timeline",
      "\(fixed(timeline.framesPerSecond, 3)) frames a second, known to \(milliseconds(timeline.errorUs, places: 3)), "
        + "lead \(milliseconds(status.audio.leadUs))",
    ],
    ["Music", musicText(status.music)],
    ["Chapter", status.rhythm.chapter.map { status.rhythm.running ? "\($0) runs" : "\($0) is over" } ?? "none"],
  ]
  let head = rows.map { $0[0].count }.max() ?? 0
  rows += headed("Meters", meterRows(stats.meters, width: width - head - 2, style: style))
  return columns(rows) + statsLines(stats, tellsPeaks: false)
}
