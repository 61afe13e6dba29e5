// SPDX-License-Identifier: Apache-2.0

import CommandTable
import StarlightClient
import Wire

enum HapticsCommand {
  static let command = ToolCommand(
    "haptics", summary: "plays and stops haptic patterns",
    subcommands: [HapticsPlayCommand.command, HapticsTransientCommand.command, stop])

  private static let stop = ToolCommand(
    "stop", summary: "stops every haptic pattern",
    action: ToolAction { tool throws(ToolFailure) in
      let connection = try tool.connect(needsTime: true)
      let isIdle = try connection.ask(EngineStats.self, EngineStats.Params()).players == 0
      let result = try connection.ask(HapticsStop.self, HapticsStop.Params())
      tool.show(result, [isIdle ? nothingStopped(nil) : "stopped"])
    })
}

extension StarlightConnection {
  /// Subscribes to what becomes of haptics; gives the kinds of the outputs that can be used.
  func subscribeToHaptics() throws(ToolFailure) -> [EngineStatus.HapticOutput.Kind] {
    try subscribe(to: [.haptics]).haptics.filter { $0.state == .ready }.map(\.kind)
  }
}

/// What becomes of haptics where no pad is among the outputs of these kinds; nil where one is.
func unfelt(_ outputs: [EngineStatus.HapticOutput.Kind]) -> String? {
  if outputs.contains(where: \.isFelt) { return nil }
  return outputs.contains(.log) ? "written to the haptic log" : "no pad: felt nowhere"
}

/// "felt in 5.3 ms", or that it is not felt.
func felt(_ scheduledUs: Int64, _ outputs: [EngineStatus.HapticOutput.Kind]) -> String {
  unfelt(outputs) ?? due("felt", scheduledUs)
}
