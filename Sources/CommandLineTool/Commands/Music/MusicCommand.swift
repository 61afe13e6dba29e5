// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum MusicCommand {
  static let command = ToolCommand(
    "music", summary: "plays, pauses, seeks and stops music",
    subcommands: [
      MusicPlayCommand.command, MusicFadeCommands.stop, MusicFadeCommands.pause, MusicFadeCommands.resume,
      MusicSeekCommand.command, MusicGainCommand.command, status, MusicBeatsCommand.command,
    ])

  private static let status = ToolCommand(
    "status", summary: "shows the track, its position and what fades",
    action: ToolAction { tool throws(ToolFailure) in try tool.ask(MusicStatus.self, Empty()) { [musicText($0)] } })
}
