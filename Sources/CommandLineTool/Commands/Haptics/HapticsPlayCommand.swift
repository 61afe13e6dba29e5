// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum HapticsPlayCommand {
  static let pattern = Argument(
    "NAME|FILE", help: "a pattern (`starlight list patterns`), or an .ahap file",
    completion: .output(of: "list patterns --names", orFiles: true))
  static let gain = OptionKey.number(
    "gain", short: "g", HapticsPlay.ranges.gain, help: "strength, 1 as the pattern has it")
  static let rate = OptionKey.number("rate", HapticsPlay.ranges.rate, help: "speed, 1 as it was made")
  static let loop = OptionKey.flag("loop", help: "repeat until Ctrl-C")
  static let detach = OptionKey.flag("detach", help: "return at once; it plays on for up to 30 s")

  static let command = ToolCommand(
    "play", summary: "plays a pattern and waits for its end; Ctrl-C stops it", arguments: [pattern],
    options: [gain.option, rate.option, loop.option, plannedAt.option, detach.option],
    examples: [
      .init("starlight haptics play heartbeat", "a pattern of the pack"),
      .init("starlight haptics play ./boing.ahap --rate 0.5", "a file, at half speed"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let source = try PatternSource(tool.invocation[pattern] ?? "")
    let document = try source.sendable()
    let connection = try tool.connect(needsTime: true)
    source.complain(to: tool.errors)
    if let unsent = source.unsent { tool.errors.note(unsent) }
    let outputs = try connection.subscribeToHaptics()
    let invocation = tool.invocation
    let result = try connection.ask(
      HapticsPlay.self,
      HapticsPlay.Params(
        pattern: source.name, ahap: document, atUs: try tool.instant(plannedAt, connection),
        gain: invocation[gain],
        rate: invocation[rate], loop: invocation[loop] ? true : nil,
        keepAfterDisconnectUs: invocation[detach] ? HapticsPlay.ranges.keepAfterDisconnect.range.upperBound : nil))
    let title = source.name == nil ? source.title : result.source
    guard let player = result.player else {
      return tool.show(result, ["\(title): skipped, haptics are switched off"])
    }
    tool.show(
      result,
      [
        "\(title) (player \(player), \(length(result.durationUs))), \(felt(result.scheduledUs, outputs))\(late(result.lateUs))"
      ])
    if invocation[detach] { return }
    let end = try PlayedPattern(player: player).waitForEnd(connection)
    if let failure = end.failure(title) { throw failure }
    if end == .interrupted, !tool.wantsJSON { tool.out.line("stopped") }
  }
}

enum HapticsTransientCommand {
  static let intensity = OptionKey.number(
    "intensity", short: "i", HapticsTransient.ranges.intensity, help: "how strong")
  static let sharpness = OptionKey.number(
    "sharpness", short: "s", HapticsTransient.ranges.sharpness, help: "how sharp: 0 is dull, 1 is sharp")

  static let command = ToolCommand(
    "transient", summary: "plays one transient, a short knock",
    options: [intensity.option, sharpness.option, plannedAt.option],
    examples: [.init("starlight haptics transient --intensity 0.8 --sharpness 0.6", "a firm, rather sharp tap")],
    action: ToolAction(run))

  /// What is told of the tap.
  private enum TapNews {
    case begun
    case ended(PlayedPattern.End)
  }

  /// How long after the instant of the tap the first news of it is waited for.
  private static let toldAtTheLatestUs: Int64 = 1_000_000

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let connection = try tool.connect(needsTime: true)
    let outputs = try connection.subscribeToHaptics()
    let result = try connection.ask(
      HapticsTransient.self,
      HapticsTransient.Params(
        intensity: tool.invocation[intensity], sharpness: tool.invocation[sharpness],
        atUs: try tool.instant(plannedAt, connection)))
    guard let player = result.player else {
      return tool.show(result, ["tap: skipped, haptics are switched off"])
    }
    tool.show(result, ["tap (player \(player)), \(felt(result.scheduledUs, outputs))\(late(result.lateUs))"])
    // What has not begun ends with the client that asked for it.
    let played = PlayedPattern(player: player)
    let told = try connection.stay(untilUs: result.scheduledUs + toldAtTheLatestUs) { told in
      played.hasBegun(told) ? .begun : played.end(told).map(TapNews.ended)
    }
    if case .ended(let end)? = told, let failure = end.failure("the tap") { throw failure }
  }
}
