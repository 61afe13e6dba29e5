// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum HapticsCommand {
  static let command = ToolCommand(
    "haptics", summary: "plays and stops haptic patterns",
    subcommands: [HapticsPlayCommand.command, HapticsTransientCommand.command, stop])

  private static let stop = ToolCommand(
    "stop", summary: "stops every haptic pattern",
    action: ToolAction { tool throws(ToolFailure) in
      try tool.ask(HapticsStop.self, HapticsStop.Params(), needsTime: true) { _ in ["stopped"] }
    })
}
