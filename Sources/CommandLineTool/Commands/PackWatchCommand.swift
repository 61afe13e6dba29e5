// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc
import RealTime
import StarlightClient

enum PackWatchCommand {
  static let limit = OptionKey.integer("count", short: "n", in: 1...Int.max, help: "end after so many readings")

  static let command = ToolCommand(
    "watch", summary: "has the daemon read a pack at every save, and says what is wrong with it, until Ctrl-C",
    discussion: [
      "The pack is loaded at once, and again 0.1 s after anything in its folder was saved. A line says what came of it, and one "
        + "for each problem and warning what to do; a pack with faults is not taken, and what was read before stays. What plays goes "
        + "on as it began.",
      "Where no daemon answers it is checked at every save, as `starlight pack check` does, until one does.",
      "With --json each line is the daemon's whole answer. `starlightd --watch` does so with all of its packs.",
    ],
    arguments: [PackReloadingCommands.folder], options: [limit.option],
    examples: [.init("starlight pack watch ~/lighthouse", "while it is worked on")], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let folder = PackReloadingCommands.packFolder(tool.invocation[PackReloadingCommands.folder] ?? "")
    guard isFolder(folder) else {
      throw ToolFailure(
        .badFile, file: folder, "\(folder) is no folder", hint: "name a pack's folder; `starlight pack new` makes one")
    }
    var connection = try tool.connectIfAny()
    if connection == nil {
      tool.errors.note(
        "no starlightd answers: the pack is checked at every save, and loaded once one does",
        hint: "start starlightd to hear it")
    }
    let signals = SignalWatch()
    // Before it is read for the first time, so that nothing is missed.
    var watch = SavesWatch()
    watch.watch([folder])
    guard watch.descriptor >= 0 else {
      throw ToolFailure("nothing can be watched: \(errnoText())", hint: "see ulimit -n")
    }
    tellUnwatched(&watch, tool)
    var settling = SaveSettling()
    var left = tool.invocation[limit] ?? Int.max
    try read(folder, &connection, tool)
    left -= 1
    while left > 0, !tool.out.isAbandoned {
      let wait = settling.due.map { max(0, $0 / 1_000 - nowUs()) } ?? 60_000_000
      let ready = waitReadable(
        [watch.descriptor, signals.descriptor] + (connection.map { [$0.descriptor] } ?? []),
        output: tool.out.descriptor, microseconds: wait)
      if signals.take() != nil { return }
      // A daemon that has ended is told of.
      if ready.count > 2, ready[2] { _ = try connection?.next(withinUs: 0) }
      if ready[0] {
        settling.note(watch.takeSaved(), at: nowUs() * 1_000)
        tellUnwatched(&watch, tool)
      }
      guard !settling.take(at: nowUs() * 1_000).isEmpty else { continue }
      try read(folder, &connection, tool)
      left -= 1
    }
  }

  private static func tellUnwatched(_ watch: inout SavesWatch, _ tool: Tool) {
    guard let unwatched = watch.takeUnwatched() else { return }
    tool.errors.note("saves in \(unwatched.folder) are not noticed: \(unwatched.reason)", hint: unwatched.remedy)
  }

  /// Has the daemon read the pack; without one it is checked here.
  private static func read(
    _ folder: String, _ connection: inout StarlightConnection?, _ tool: Tool
  ) throws(ToolFailure) {
    if connection == nil { connection = try tool.connectIfAny() }
    guard let connection else {
      let outcome = LintCommand.lint([PatternFiles(folder)], fixes: false, tool)
      if !tool.wantsJSON {
        tool.out.line("\(folder): checked, \(outcome == .success ? "no errors" : "with errors")")
      }
      return
    }
    let reading = try PackReloadingCommands.ask(connection, toLoad: folder)
    if tool.wantsJSON {
      tool.out.line(jsonText(reading, indented: false))
    } else {
      for line in readingLines(reading) { tool.out.line(line) }
    }
  }
}
