// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum SoundCommand {
  static let command = ToolCommand(
    "sound", summary: "plays and stops sound effects",
    subcommands: [SoundPlayCommand.command, SoundStopCommand.command])
}

enum SoundPlayCommand {
  static let sound = Argument(
    "NAME", help: "a sound; `starlight list sounds` names them", completion: .output(of: "list sounds --names"))
  private static let ranges = SoundPlay.ranges
  static let gain = OptionKey.number("gain", short: "g", ranges.gain, help: "loudness, 1 as the pack has it")
  static let pan = OptionKey.number("pan", ranges.pan, help: "where it is heard: -1 left, 1 right")
  static let pitch = OptionKey.number("pitch", ranges.pitch, help: "playback rate, 1 as recorded")
  static let loop = OptionKey.flag("loop", help: "repeat until it is stopped, by Ctrl-C or `sound stop`")

  static let command = ToolCommand(
    "play", summary: "plays a sound effect", arguments: [sound],
    options: [gain.option, pan.option, pitch.option, loop.option, plannedAt.option],
    examples: [
      .init("starlight sound play sfx_click", "as soon as it can be heard"),
      .init("starlight sound play sfx_click --pan -0.5 --at 0.25", "from the left, a quarter of a second from now"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let invocation = tool.invocation
    let name = invocation[sound] ?? ""
    try refuseFile(name, .sounds)
    let connection = try tool.connect(needsTime: true)
    let status = try connection.ask(EngineStatus.self, Empty())
    try connection.subscribe(to: [.sound])
    let result = try connection.ask(
      SoundPlay.self,
      SoundPlay.Params(
        sound: name, atUs: try tool.instant(plannedAt, connection), gain: invocation[gain], pan: invocation[pan],
        pitch: invocation[pitch], loop: invocation[loop] ? true : nil))
    guard let id = result.id else {
      return tool.show(result, ["\(result.sound): skipped, sound is switched off"])
    }
    let hearing = Hearing(status, result.bus)
    tool.show(
      result,
      [
        "\(result.sound) (id \(id), \(length(result.durationUs))), \(hearing.text(result.scheduledUs))\(late(result.lateUs))"
      ])
    let end = try connection.stay(untilUs: invocation[loop] ? nil : result.scheduledUs + toldWithinUs) { told in
      told.payload(SoundFinished.self).flatMap { $0.id == id ? $0.reason : nil }
    }
    if let silence = end.flatMap(unheard) { throw ToolFailure("\(result.sound) \(silence)") }
  }

  /// How long after the instant of a sound it may be told that nothing came of it.
  private static let toldWithinUs: Int64 = 20_000

  /// Why a sound was not heard; nil for one that was.
  private static func unheard(_ end: SoundFinished.Reason) -> String? {
    switch end {
    case .ended, .stopped, .switchedOff, .outdated: nil
    case .cancelled: "was called off before it began"
    case .skipped: "was skipped: sound is switched off"
    case .stolen: "gave way to others: too much plays at once"
    }
  }
}

enum SoundStopCommand {
  static let handle = Argument("ID", help: "the number that `sound play` showed; all without it", isOptional: true)
  static let fade = OptionKey.duration("fade", short: "f", SoundStop.ranges.fade, help: "length of the fade")

  static let command = ToolCommand(
    "stop", summary: "stops one sound effect, or all", arguments: [handle],
    options: [fade.option, plannedAt.option], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let id = try tool.invocation[handle].map { text throws(ToolFailure) in try handleNumber(text, from: "sound play") }
    let connection = try tool.connect(needsTime: true)
    let status = try connection.ask(EngineStatus.self, Empty())
    let isIdle = try connection.ask(EngineStats.self, EngineStats.Params()).sounds == 0
    let atUs = try tool.instant(plannedAt, connection)
    let result = try connection.ask(
      SoundStop.self, SoundStop.Params(id: id, atUs: atUs, fadeUs: tool.invocation[fade].map(microseconds)))
    if isIdle { return tool.show(result, [nothingStopped(atUs)]) }
    // It may be speech that ends or an effect: nothing is said to be heard that might not be.
    let (effects, speech) = (Hearing(status, .sound), Hearing(status, .voice))
    let hearing = effects.silence == nil ? speech : effects
    tool.show(result, ["stopped\(hearing.note(result.scheduledUs))\(late(result.lateUs))"])
  }
}

/// The number that another command showed.
func handleNumber(_ text: String, from command: String) throws(ToolFailure) -> Int64 {
  guard let id = Int64(text) else {
    throw .usage("ID: `\(text)` is not a number", hint: "`starlight \(command)` shows it")
  }
  return id
}
