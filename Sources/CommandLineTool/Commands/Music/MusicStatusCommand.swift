// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum MusicStatusCommand {
  static let command = ToolCommand(
    "status", summary: "shows the track, its position and what fades",
    action: ToolAction { tool throws(ToolFailure) in try tool.ask(MusicStatus.self, Empty()) { [musicText($0)] } })
}
