// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// `starlight music status`
enum MusicStatusCommand {
  static let command = ToolCommand(
    "status", summary: "shows the track, its position and what fades", action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let status = try tool.connect().ask(MusicStatus.self, Empty())
    tool.show(status, [musicText(status)])
    return .success
  }
}
