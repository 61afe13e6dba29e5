// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc

enum PackCommand {
  static let command = ToolCommand(
    "pack", summary: "begins, fills and checks game packs, and has a daemon read them as they change",
    subcommands: [
      PackNewCommand.command, PackImportCommand.command, PackCheckCommand.command, PackShowCommand.command,
      PackSchemaCommand.command,
      PackReloadingCommands.load, PackReloadingCommands.reload, PackReloadingCommands.unload, PackWatchCommand.command,
    ])
}

enum PackCheckCommand {
  static let pack = Argument(
    "FOLDER|MANIFEST", help: "a pack's folder, its pack.json, or a folder of packs", repeats: true, completion: .files)

  static let command = ToolCommand(
    "check", summary: "shows all that is wrong with a game pack: file, line, column and what to do",
    discussion: [
      "The pack is read as starlightd reads it, its audio, patterns and beat maps included, and all faults are shown at once. "
        + "Needs no daemon. `starlight lint` says the same of a pack.",
      "Errors are what a daemon refuses or leaves out; warnings are what it plays as it is written, and was most likely not "
        + "meant so. Exits 0 when there are no errors, 1 when there are. Where nothing is wrong that is said on a terminal alone.",
    ],
    arguments: [pack],
    examples: [
      .init("starlight pack check ~/lighthouse", "a pack by its folder"),
      .init("starlight pack check --json pack.json", "for editors and scripts"),
    ], action: .exiting(with: run))

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let found = tool.invocation.all(pack).map { PatternFiles($0) }
    for (name, found) in zip(tool.invocation.all(pack), found) where found.packs.isEmpty && found.failures.isEmpty {
      throw ToolFailure(
        .badFile, file: name,
        isFolder(name)
          ? "no pack.json is in the folder \(name) or below it"
          : access(name, F_OK) == 0 ? "\(name) is no pack.json" : "\(name) does not exist",
        hint: "name a pack's folder, which has a pack.json, or that file; `starlight lint` takes patterns and beat maps"
      )
    }
    return LintCommand.lint(found, fixes: false, tool)
  }
}
