// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Engine
import GamePacks
import Glibc
import Host
import Suggestions

enum PackShowCommand {
  static let pack = Argument("PACK", help: "the name of a pack that is found, or a pack's folder", completion: .files)
  static let html = OptionKey.path(
    "html", value: "FILE", help: "write one page of HTML that needs nothing beside it, - for the standard output")

  static let command = ToolCommand(
    "show", summary: "shows all of a game pack: its music, sounds, patterns, cues and chapters, with pictures",
    discussion: [
      "Tracks with their loops and levels, sounds with their waveforms, patterns as pictures, cues on a timeline and chapters with their "
        + "beats. Needs no daemon: the pack is read as starlightd reads it, and what is wrong with it is said.",
      "A pack by its name is one of the daemon that answers, else one that a daemon started here would find. Levels are with the "
        + "gains that the pack gives.",
    ],
    arguments: [pack], options: [html.option],
    examples: [
      .init("starlight pack show freefall", "a pack that is installed"),
      .init("starlight pack show ~/lighthouse --html lighthouse.html", "a page to be looked at in a browser"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let shown = try shownPack(tool.invocation[pack] ?? "", tool)
    guard let file = tool.invocation[html] else {
      let page = PackPageText(
        pack: shown, width: tool.out.width, readableWidth: tool.out.readableWidth, style: tool.out.style)
      return tool.show(shown, page.lines())
    }
    return try tool.put(PackPageHTML(pack: shown).text(), to: file)
  }

  private static func shownPack(_ named: String, _ tool: Tool) throws(ToolFailure) -> ShownPack {
    let rate = HostConfiguration().rate
    // The daemon is asked once, and of a path not at all.
    let path = folder(named)
    let list = path == nil ? tool.packsOfDaemon() : nil
    if let folder = path ?? list?.readableFolder(of: named) {
      let catalog = PackLoader(rate: rate).catalog(of: PackFolders(named: [folder]))
      let said = catalog.problems.filter { !$0.tellsOfStandIn }
      if let pack = catalog.packs.first { return ShownPack(pack, problems: said + pack.problems, rate: rate) }
      if let pack = catalog.leftOut.first?.pack, !pack.manifest.name.isEmpty {
        return ShownPack(pack, problems: said, rate: rate)
      }
      throw ToolFailure(
        .badFile, file: folder, said.first?.cause ?? "\(folder) holds no pack", hint: said.first?.withoutDaemon.remedy)
    }
    let catalog = PackLoader(rate: rate).catalog(of: PackFolders(onDisk: tool.environment))
    if let pack = catalog.packs.first(where: { $0.manifest.name == named }) {
      return ShownPack(pack, problems: pack.problems, rate: rate)
    }
    let known = catalog.packs.map(\.manifest.name) + (list?.packs ?? []).map(\.name)
    if let key = AssetKey(named, active: nil), known.contains(key.pack) {
      let (pack, whole) = (quotedForShell(key.pack), quotedForShell(named))
      throw ToolFailure(
        "\(named) is in a pack, and a pack is shown whole",
        hint: "`starlight pack show \(pack)` shows it; `starlight list \(whole)` tells of this alone",
        kind: .unknownName)
    }
    let near = nearest(to: named, among: Set(known).sorted())
    throw ToolFailure(
      "no pack \(named)\(didYouMean(oneOf: near))",
      hint: "`starlight list` names the packs; a pack that lies elsewhere is named by its folder", kind: .unknownName,
      candidates: near)
  }

  /// The folder of a pack that is named by it, or by its manifest; nil for a name.
  private static func folder(_ named: String) -> String? {
    guard named.contains("/") || named == "pack.json" || access(named + "/pack.json", F_OK) == 0 else { return nil }
    return PackReloadingCommands.packFolder(named)
  }
}
