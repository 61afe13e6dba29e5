// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// `starlight haptics`
enum HapticsCommand {
  static let command = ToolCommand(
    "haptics", summary: "plays and stops haptic patterns",
    subcommands: [HapticsPlayCommand.command, HapticsTransientCommand.command, HapticsStopCommand.command])
}

/// `starlight haptics stop`
enum HapticsStopCommand {
  static let command = ToolCommand("stop", summary: "stops every haptic pattern", action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let result = try tool.connect(needsTime: true).ask(HapticsStop.self, HapticsStop.Params())
    tool.show(result, ["stopped"])
    return .success
  }
}
