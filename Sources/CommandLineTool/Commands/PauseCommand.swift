// SPDX-License-Identifier: Apache-2.0

import CRealTime
import CommandTable
import StarlightClient
import Wire

enum PauseCommand {
  static let length = OptionKey.duration(
    "for", in: 0...86_400, help: "how long, in seconds of the machine's clock; until Ctrl-C without it")

  static let command = ToolCommand(
    "pause", summary: "pauses all that plays and is planned, until Ctrl-C",
    discussion: [
      "Music, sounds, haptics, chapters and what is planned stand still together and go on in place. A pause belongs to "
        + "who asked for it: it ends with this command, and while a game pauses too all waits for both."
    ],
    options: [length.option],
    examples: [
      .init("starlight pause", "until Ctrl-C"),
      .init("starlight pause --for 2.5", "for two seconds and a half"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let connection = try tool.connect()
    let signals = SignalWatch()
    _ = try connection.ask(EnginePause.self, Empty())
    if !tool.wantsJSON { tool.out.line("paused" + (tool.invocation[length] == nil ? "; Ctrl-C goes on" : "")) }
    let endNs = tool.invocation[length].map { rt_now_ns() + Int64($0 * 1e9) }
    var left: Int64 = 1
    while left > 0, !tool.out.isAbandoned {
      left = endNs.map { ($0 - rt_now_ns()) / 1_000 } ?? 60_000_000
      _ = waitReadable([signals.descriptor], output: tool.out.descriptor, microseconds: left)
      if signals.take() != nil { break }
    }
    let resumed = try connection.ask(EngineResume.self, Empty())
    tool.show(resumed, [resumedText(resumed)])
  }
}

enum ResumeCommand {
  static let command = ToolCommand(
    "resume", summary: "lets all go on after the system has slept",
    discussion: [
      "Before the system sleeps the daemon pauses by itself, and afterwards it waits for the game to welcome the player back. "
        + "This does it in the game's place. What a client pauses is that client's to resume."
    ],
    action: ToolAction { tool throws(ToolFailure) in try tool.ask(EngineResume.self, Empty()) { [resumedText($0)] } })
}

/// "goes on, 2.5 s later than planned", or who holds it still.
private func resumedText(_ resumed: EngineResume.Result) -> String {
  if let state = resumed.paused { return pauseText(state) }
  return "goes on" + (resumed.movedUs.map { ", \(fixed(Double($0) / 1e6, 3)) s later than planned" } ?? "")
}

/// "paused by 2 clients and for the system's sleep".
func pauseText(_ state: PauseState) -> String {
  let clients = state.clients > 0 ? " by " + count(state.clients, "client") : ""
  let sleep = state.sleep ? (clients.isEmpty ? "" : " and") + " for the system's sleep" : ""
  return "paused" + clients + sleep
}
