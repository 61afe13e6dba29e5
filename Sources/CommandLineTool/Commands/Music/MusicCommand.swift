// SPDX-License-Identifier: Apache-2.0

import CommandTable

enum MusicCommand {
  static let command = ToolCommand(
    "music", summary: "plays, pauses, seeks and stops music",
    subcommands: [
      MusicPlayCommand.command, MusicFadeCommands.stop, MusicFadeCommands.pause, MusicFadeCommands.resume,
      MusicSeekCommand.command, MusicGainCommand.command, MusicStatusCommand.command,
      MusicBeatsCommand.command,
    ])
}
