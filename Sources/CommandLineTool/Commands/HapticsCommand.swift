import CommandTable
import StarlightClient
import Wire

/// `starlight haptics`
enum HapticsCommand: ToolCommand {
  static let pattern = Argument(
    "NAME|FILE", help: "a pattern, or an .ahap file", completion: .output(of: "list patterns --names", orFiles: true))
  static let gain = OptionKey.number(
    "gain", short: "g", in: HapticsPlay.parameters.gain.range, default: HapticsPlay.parameters.gain.fallback,
    help: "strength, 1 as the pattern has it")
  static let rate = OptionKey.number(
    "rate", in: HapticsPlay.parameters.rate.range, default: HapticsPlay.parameters.rate.fallback, help: "playback rate")
  static let loop = OptionKey.flag("loop", help: "repeat until Ctrl-C")
  static let at = OptionKey.duration("at", in: planAhead, help: "how far from now it is felt")
  static let detach = OptionKey.flag("detach", help: "return at once; it plays on for up to 30 s")
  static let intensity = OptionKey.number(
    "intensity", short: "i", in: HapticsTransient.parameters.intensity.range,
    default: HapticsTransient.parameters.intensity.fallback, help: "how strong")
  static let sharpness = OptionKey.number(
    "sharpness", short: "s", in: HapticsTransient.parameters.sharpness.range,
    default: HapticsTransient.parameters.sharpness.fallback, help: "how crisp, 0 round to 1 sharp")

  static let command = Command(
    "haptics", summary: "plays and stops haptic patterns",
    subcommands: [
      Command(
        "play", summary: "plays a pattern and waits for its end; Ctrl-C stops it", arguments: [pattern],
        options: [gain.option, rate.option, loop.option, at.option, detach.option],
        examples: [
          .init("starlight haptics play heartbeat", "a pattern of the pack"),
          .init("starlight haptics play ./boing.ahap --rate 0.5", "a file, at half speed"),
        ]),
      Command(
        "transient", summary: "plays one tap", options: [intensity.option, sharpness.option, at.option],
        examples: [.init("starlight haptics transient --intensity 0.8 --sharpness 0.6", "a firm, rather crisp tap")]),
      Command("stop", summary: "stops every haptic pattern"),
    ])

  static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    switch tool.verb {
    case "play": return try play(tool)
    case "transient":
      let connection = try tool.connect(needsTime: true)
      let outputs = try connection.subscribeToHaptics()
      let result = try connection.ask(
        HapticsTransient.self,
        HapticsTransient.Params(
          intensity: tool.invocation[intensity], sharpness: tool.invocation[sharpness],
          atUs: try tool.instant(at, connection)))
      tool.show(result, ["tap, \(felt(result.scheduledUs, outputs))\(late(result.lateUs))"])
      // Haptics end with the client that asked for them.
      try PlayedPattern(player: result.player).wait(connection, untilUs: result.scheduledUs + result.durationUs)
    default:
      let result = try tool.connect(needsTime: true).ask(HapticsStop.self, HapticsStop.Params())
      tool.show(result, ["stopped"])
    }
    return .success
  }

  private static func play(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let source = try PatternSource(tool.invocation[pattern] ?? "")
    let connection = try tool.connect(needsTime: true)
    source.complain(to: tool.errors)
    if let unsent = source.unsent { tool.errors.line("starlight: " + unsent) }
    let outputs = try connection.subscribeToHaptics()
    let invocation = tool.invocation
    let result = try connection.ask(
      HapticsPlay.self,
      HapticsPlay.Params(
        pattern: source.name, ahap: source.inline, atUs: try tool.instant(at, connection), gain: invocation[gain],
        rate: invocation[rate], loop: invocation[loop] ? true : nil,
        keepAfterDisconnectUs: invocation[detach] ? HapticsPlay.parameters.keepAfterDisconnect.range.upperBound : nil))
    tool.show(
      result,
      ["\(source.title), \(length(result.durationUs)), \(felt(result.scheduledUs, outputs))\(late(result.lateUs))"])
    if invocation[detach] { return .success }
    let end = try PlayedPattern(player: result.player).waitForEnd(connection)
    if let failure = end.failure(source.title) { throw failure }
    if end == .interrupted, !tool.wantsJSON { tool.out.line("stopped") }
    return .success
  }
}

extension StarlightConnection {
  /// Subscribes to what becomes of haptics; gives the kinds of the outputs that can be used.
  func subscribeToHaptics() throws(ToolFailure) -> [String] {
    let subscribed = try ask(EventsSubscribe.self, EventsSubscribe.Params(topics: [.haptics]))
    return subscribed.snapshot.haptics.filter { $0.state == .ready }.map(\.kind)
  }
}

/// What becomes of haptics where no pad is among the outputs of these kinds; nil where one is.
func unfelt(_ outputs: [String]) -> String? {
  if outputs.contains(where: { !["log", "null"].contains($0) }) { return nil }
  return outputs.contains("log") ? "written to the haptic log" : "no pad: felt nowhere"
}

/// "felt in 5.3 ms", or that it is not felt.
func felt(_ scheduledUs: Int64, _ outputs: [String]) -> String { unfelt(outputs) ?? heard(scheduledUs, "felt") }
