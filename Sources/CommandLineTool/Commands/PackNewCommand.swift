// SPDX-License-Identifier: Apache-2.0

import CommandTable
import FoundationEssentials
import GamePacks
import Glibc

enum PackNewCommand {
  static let path = Argument(
    "NAME", help: "what the pack is called, or a path to a folder of that name that is not there yet")

  static let command = ToolCommand(
    "new", summary: "writes a game pack to begin from, which plays at once",
    discussion: [
      "The folder has a pack.json with a track, a sound, a pattern, cues and a rhythm chapter, and all the files that it names: "
        + "the audio is made here. Change what you like: `starlight pack check` says what is wrong with it.",
      "It says what to type to hear it: where a daemon answers, `starlight pack load`; else how to start one with it.",
      "Names have small letters, digits, _ and -.",
    ],
    arguments: [path],
    examples: [.init("starlight pack new lighthouse", "a folder lighthouse with all that is needed")],
    action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    var folder = tool.invocation[path] ?? ""
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let name = folder.split(separator: "/").last.map(String.init) ?? ""
    if let refusal = refusalOfPackName(name) {
      throw .usage("a pack cannot be called that: \(refusal)", hint: "name it as in lighthouse")
    }
    if access(folder, F_OK) == 0 {
      throw ToolFailure(
        .unwritable, file: folder, "\(folder) is there already", hint: "name another folder, or remove it")
    }
    // All of it or nothing.
    let staging = try PackStaging(for: folder)
    try write(PackTemplate(name: name, schemas: schemas()), staging)
    try staging.commit()
    // One that refuses, or does not answer, is no way to hear it.
    let isRunning = ((try? tool.connectIfAny()) ?? nil) != nil
    let commands = commands(tool, folder: folder, name: name, isRunning: isRunning)
    tool.show(
      NewPack(path: folder, name: name, commands: commands),
      lines(tool, folder: folder, name: name, commands, isRunning: isRunning))
  }

  /// Where the schemas are, beside this program; nil where they are not.
  static func schemas() -> String? {
    let programs = siblingExecutable("..").split(separator: "/").dropLast(2).joined(separator: "/")
    let folder = "/" + programs + "/share/starlight/schemas"
    return access(folder + "/" + PackSchema.pack.fileName, R_OK) == 0 ? folder : nil
  }

  private static func write(_ template: PackTemplate, _ staging: PackStaging) throws(ToolFailure) {
    for (file, text) in template.texts { try replaceFile(staging.place(file), with: Array(text.utf8)) }
    for (file, sound) in template.sounds { try writeWave(sound, rate: StruckTone.rate, to: staging.place(file)) }
  }

  /// What has a daemon know it, and what to play.
  private static func commands(_ tool: Tool, folder: String, name: String, isRunning: Bool) -> [String] {
    // Another terminal may be in another folder.
    let place = quotedForShell(PackFolders.absolute(folder, from: FileManager.default.currentDirectoryPath))
    let starlight = typedName("starlight", environment: tool.environment)
    if isRunning {
      // Bare names stay those of the pack that is active there.
      return ["\(starlight) pack load \(place)", "\(starlight) cue fire \(name):hello"]
    }
    return [
      "\(typedName("starlightd", environment: tool.environment)) --packs \(place) --pack \(name)",
      "\(starlight) cue fire hello",
    ]
  }

  private static func lines(
    _ tool: Tool, folder: String, name: String, _ commands: [String], isRunning: Bool
  ) -> [String] {
    let starlight = typedName("starlight", environment: tool.environment)
    return [
      "\(folder): a pack with a track, a sound, a pattern, three cues and a chapter. To hear it:", "",
      "  \(commands[0])", "  \(commands[1])", "",
      (isRunning
        ? "run the first again after each change. " : "the first in a terminal of its own. ")
        + "`\(starlight) rhythm play \(isRunning ? name + ":" : "")first` plays its chapter, and",
      "`\(starlight) pack check \(quotedForShell(folder))` says what is wrong with it once it is changed.",
    ]
  }

  /// What `--json` prints.
  private struct NewPack: Encodable {
    var path: String
    var name: String
    /// To hear it: where no daemon runs each in a terminal of its own.
    var commands: [String]
  }
}
