// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum HapticsTransientCommand {
  static let intensity = OptionKey.number(
    "intensity", short: "i", HapticsTransient.ranges.intensity, help: "how strong")
  static let sharpness = OptionKey.number(
    "sharpness", short: "s", HapticsTransient.ranges.sharpness, help: "how crisp, 0 round to 1 sharp")

  static let command = ToolCommand(
    "transient", summary: "plays one tap", options: [intensity.option, sharpness.option, plannedAt.option],
    examples: [.init("starlight haptics transient --intensity 0.8 --sharpness 0.6", "a firm, rather crisp tap")],
    action: ToolAction(run))

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
    // Haptics end with the client that asked for them.
    let endUs = result.scheduledUs + result.durationUs
    _ = waitReadable([], microseconds: min(max(0, endUs - nowUs()), 2_000_000))
  }
}
