// SPDX-License-Identifier: Apache-2.0

import CommandTable
import FoundationEssentials
import Problems
import StarlightClient
import Wire

/// `starlight pack load`, `reload` and `unload`: packs of a daemon that runs.
enum PackReloadingCommands {
  static let folder = Argument("FOLDER", help: "the pack's folder, which has a pack.json", completion: .files)
  static let pack = Argument("PACK", help: "the pack's name")
  static let somePack = Argument("PACK", help: "the pack's name; all without it", isOptional: true)

  private static let manners =
    "It is read beside what plays, which goes on as it began: music, plans and a chapter that runs keep what they had, what is "
    + "asked for from then on is the new. A pack with faults is not taken: what was read before stays."

  static let load = ToolCommand(
    "load", summary: "has the daemon read a folder as a pack, or as a new version of one",
    discussion: [
      manners,
      "Only the daemon's own user may. The pack stays until it is unloaded or the daemon ends, also when this program has ended. "
        + "Exits 1 where it was not taken.",
    ],
    arguments: [folder], examples: [.init("starlight pack load ~/lighthouse", "its cues can be fired from then on")],
    action: ToolAction.exiting(with: { tool throws(ToolFailure) in
      let (named, connection) = (tool.invocation[folder] ?? "", try tool.connect())
      let name = named.hasSuffix("/") ? String(named.dropLast()) : named
      if fileStatus(named) == nil, try connection.askForPacks().packs.contains(where: { $0.name == name }) {
        throw ToolFailure(
          .unreadable, file: named, "no folder is called \(name); the pack \(name) is loaded",
          hint: "`starlight pack reload \(name)` reads it again")
      }
      let reading = try ask(connection, toLoad: packFolder(named))
      tool.show(reading, readingLines(reading))
      return reading.taken ? .success : .failure
    }))

  static let reload = ToolCommand(
    "reload", summary: "has the daemon read its packs again",
    discussion: [
      manners,
      "Packs that were left out because of faults are read again with the others, and come in once they are mended. Only the "
        + "daemon's own user may. Exits 1 where one was not taken.",
    ],
    arguments: [somePack],
    examples: [
      .init("starlight pack reload", "all packs, as SIGHUP does"),
      .init("starlight pack reload lighthouse", "one of them"),
    ],
    action: ToolAction.exiting(with: { tool throws(ToolFailure) in
      let params = PackReload.Params(pack: tool.invocation[somePack])
      let result = try tool.connect().ask(PackReload.self, params, timeoutUs: longestReadingUs)
      tool.show(result, result.packs.flatMap(readingLines))
      return result.packs.allSatisfy(\.taken) ? .success : .failure
    }))

  static let unload = ToolCommand(
    "unload", summary: "has the daemon unload a pack; what plays of it plays on",
    discussion: ["What plays of it goes on to its end. Only the daemon's own user may."],
    arguments: [pack], examples: [.init("starlight pack unload lighthouse", "its names are known no more")],
    action: ToolAction { tool throws(ToolFailure) in
      let name = tool.invocation[pack] ?? ""
      try tool.ask(PackUnload.self, PackUnload.Params(pack: name)) { _ in ["\(name) is unloaded"] }
    })

  /// What the daemon makes of a folder.
  static func ask(_ connection: StarlightConnection, toLoad folder: String) throws(ToolFailure) -> PackReading {
    try connection.ask(PackLoad.self, PackLoad.Params(path: folder), timeoutUs: longestReadingUs)
  }

  /// As the daemon, whose working folder is another, is told of it.
  static func absolutePath(_ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      // Behind a link ".." leads elsewhere than back.
      if part == "..", parts.last.map({ $0 != ".." }) ?? false, !isLink("/" + parts.joined(separator: "/")) {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// The folder of a pack, from / on, that is named by itself or by its manifest, as `pack check` takes it.
  static func packFolder(_ named: String) -> String {
    let path = absolutePath(named)
    return path.hasSuffix("/pack.json") && !isFolder(path) ? String(path.dropLast("/pack.json".utf8.count)) : path
  }

  private static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// Large packs take seconds.
  private static let longestReadingUs: Int64 = 120_000_000
}

/// What came of reading a pack, for people: a line for it and one for each problem.
func readingLines(_ reading: PackReading) -> [String] {
  let name = reading.pack ?? reading.path
  let faults = count(reading.problemCount, "problem")
  let outcome =
    if reading.taken {
      "\(name): loaded" + (reading.problemCount == 0 ? "" : " with \(faults)")
        + (reading.counts.map { ", " + packCountsText($0) } ?? "") + "; what plays now is not changed by it"
    } else {
      "\(name): not loaded, \(faults)" + (reading.generation == nil ? "" : "; the version that was loaded before stays")
    }
  let more = reading.problemCount - reading.problems.count
  return [outcome] + reading.problems.map { "  \($0.inPack)" } + (more > 0 ? ["  and \(more) more"] : [])
    + reading.warnings.map { "  warning: \($0.inPack)" }
}

/// "2 tracks, 12 sounds, 1 chapter": what a pack has none of is not spoken of.
func packCountsText(_ counts: PackLoading.Counts) -> String {
  let kinds = [
    (counts.tracks, "track"), (counts.sounds, "sound"), (counts.patterns, "pattern"), (counts.cues, "cue"),
    (counts.chapters, "chapter"), (counts.parameters, "parameter"),
  ]
  let there = kinds.filter { $0.0 > 0 }.map { count($0.0, $0.1) }
  return there.isEmpty ? "nothing in it" : there.joined(separator: ", ")
}
