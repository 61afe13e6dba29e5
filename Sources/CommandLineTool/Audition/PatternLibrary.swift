// SPDX-License-Identifier: Apache-2.0

import CommandTable
import FoundationEssentials
import GamePacks
import Haptics
import Suggestions
import Wire

/// Where patterns are found by name: the packs of a running daemon, or those that a daemon started here would load, or both where
/// nothing is played.
///
/// A bare name is of the active pack, else of the first that has it. What is found is told, and played, by its whole name: so
/// nothing else is ever drawn than what plays.
struct PatternLibrary {
  fileprivate struct Pack {
    var name: String
    var folder: String
    var patterns: Set<String>
    /// What else it has of a name.
    var kinds: (_ name: String) -> [ListCommand.Kind]
  }

  /// In the order in which they are looked through.
  private let packs: [Pack]

  private init(_ packs: [Pack], active: String?) {
    self.packs = packs.filter { $0.name == active } + packs.filter { $0.name != active }
  }

  /// What can be read by a name on the command line: of the packs of the daemon that answers, then of those on disk. One of the
  /// daemon's that lies where this user cannot read it stands behind one of its name that can be.
  init(readableBy tool: Tool) {
    let list = tool.packsOfDaemon()
    let (onDisk, active) = Self.packs(onDisk: tool.environment)
    let loaded = (list?.packs ?? []).map(Pack.init).filter { pack in
      isReadablePack(pack.folder) || !onDisk.contains { $0.name == pack.name }
    }
    self.init(
      loaded + onDisk.filter { other in !loaded.contains { $0.name == other.name } },
      active: list == nil ? active : list?.active)
  }

  /// The packs that a daemon has loaded, and no others: it plays nothing else.
  init(_ list: PackList.Result) { self.init(list.packs.map(Pack.init), active: list.active) }

  /// The packs in the folders that a daemon started here would look in.
  init(environment: [String: String]) {
    let (packs, active) = Self.packs(onDisk: environment)
    self.init(packs, active: active)
  }

  /// The packs in the folders that a daemon started here would look in, and which of them it would make active.
  private static func packs(onDisk environment: [String: String]) -> (packs: [Pack], active: String?) {
    let folders = PackFolders(onDisk: environment).all.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return ([folder] + names.sorted().map { folder + "/" + $0 }).filter(isPack)
    }
    var packs: [Pack] = []
    var active: String?
    for folder in folders {
      // Of packs of one name the first counts.
      guard let manifest = try? manifest(of: folder), !packs.contains(where: { $0.name == manifest.name }) else {
        continue
      }
      packs.append(
        Pack(
          name: manifest.name, folder: folder, patterns: Set(manifest.patterns.keys), kinds: manifest.kinds))
      if active == nil, !manifest.tracks.isEmpty || !manifest.sounds.isEmpty { active = manifest.name }
    }
    return (packs, active)
  }

  /// What a word of the command line names, a pattern of a pack by its whole name.
  func source(_ text: String, _ errors: Complaints) throws(ToolFailure) -> PatternSource {
    var source = try PatternSource(file(insteadOf: text, errors) ?? text)
    guard let name = source.name else { return source }
    let (pack, pattern) = try find(name)
    source.title = AssetKey(pack: pack.name, name: pattern).description
    source.name = source.title
    return source
  }

  /// The document of a source: its own, or that of the pattern it names.
  func document(of source: PatternSource) throws(ToolFailure) -> AHAPDocument {
    if let document = source.document { return document }
    return try document(named: source.name ?? source.title)
  }

  /// The file of a source that can be edited: its own, or that of the pattern it names.
  func editable(_ source: PatternSource) throws(ToolFailure) -> EditedFile {
    if let path = source.path { return EditedFile(path: path, title: source.title) }
    return EditedFile(path: try file(named: source.name ?? source.title), title: source.title)
  }

  /// The file `./name.ahap`, or else `./name`, where no pattern is called `name` and there is such a file; says so.
  func file(insteadOf name: String, _ errors: Complaints) -> String? {
    guard !isFileName(name), (try? file(named: name)) == nil,
      let file = ["./\(name).ahap", "./\(name)"].first(where: isPlainFile)
    else { return nil }
    errors.note("no pattern is called \(name); \(file) is taken")
    return file
  }

  /// The pattern called `name` or `pack:name`.
  func document(named name: String) throws(ToolFailure) -> AHAPDocument { try readPattern(file(named: name)) }

  /// The file of the pattern called `name` or `pack:name`.
  private func file(named name: String) throws(ToolFailure) -> String {
    let (pack, pattern) = try find(name)
    // A daemon's pack may have been edited since it was read.
    guard let entry = try manifest(of: pack.folder).patterns[pattern] else {
      throw ToolFailure(
        "the daemon has the pattern \(pack.name):\(pattern), and \(pack.folder)/pack.json has it no more",
        hint: "`starlight pack load \(quotedForShell(pack.folder))` has the daemon read it again", kind: .unknownName)
    }
    return pack.folder + "/" + entry.file
  }

  /// The pattern called `name` or `pack:name`, and the pack that it is of.
  private func find(_ name: String) throws(ToolFailure) -> (pack: Pack, pattern: String) {
    let key = AssetKey(name, active: nil)
    let pattern = key?.name ?? name
    let meant = packs.filter { key == nil || key?.pack == $0.name }
    if let pack = meant.first(where: { $0.patterns.contains(pattern) }) { return (pack, pattern) }
    let known = Set(meant.flatMap(\.patterns)).sorted()
    let folder = isFolder(name) ? "for the folder of that name write ./\(name); " : ""
    if packs.isEmpty {
      throw ToolFailure(
        "no pattern \(name): no pack was found",
        hint: folder + "name an .ahap file, or the folders of packs in $STARLIGHT_PACKS", kind: .unknownName)
    }
    for pack in meant {
      let whole = AssetKey(pack: pack.name, name: pattern).description
      let hint = folder + "`starlight list patterns` names the patterns"
      if let other = ToolFailure.otherKind(whole, pack.kinds(pattern), wanted: "pattern", hint: hint) { throw other }
    }
    if let key, meant.isEmpty {
      let near = nearest(to: key.pack, among: packs.map(\.name))
      throw ToolFailure(
        "no pattern \(name): no pack \(key.pack) is here\(didYouMean(oneOf: near))",
        hint: folder + "`starlight list` names the packs, and `starlight pack load FOLDER` has the daemon load one",
        kind: .unknownName, candidates: near)
    }
    throw ToolFailure(
      "no pattern \(name) in \(packs.map(\.folder).joined(separator: ", "))\(didYouMean(name, among: known))",
      hint: folder + "or name a file that ends in .ahap", kind: .unknownName,
      candidates: nearest(to: name, among: known))
  }
}

extension PatternLibrary.Pack {
  fileprivate init(_ pack: PackList.Pack) {
    self.init(
      name: pack.name, folder: pack.path,
      patterns: Set(pack.patterns.map { String($0.name.dropFirst(pack.name.count + 1)) }), kinds: pack.kinds)
  }
}

/// The manifest of a pack as it stands on the disk.
private func manifest(of folder: String) throws(ToolFailure) -> PackManifest {
  let path = folder + "/pack.json"
  let bytes = try readWhole(path, limit: PackManifest.maximumBytes)
  do throws(PackFaults) {
    return try PackManifest.parse(bytes, path: path)
  } catch {
    var failure = ToolFailure("\(path) cannot be read as it is now", hint: "`starlight pack check` says why")
    if let first = error.cures.first { failure = ToolFailure(first) }
    throw failure
  }
}

private func isPlainFile(_ path: String) -> Bool {
  FileManager.default.fileExists(atPath: path) && !isFolder(path)
}

extension PackList.Result {
  /// The folder of a pack that a daemon has loaded, where this user can read it: it may lie where the daemon alone can.
  func readableFolder(of pack: String) -> String? {
    packs.first { $0.name == pack && isReadablePack($0.path) }?.path
  }
}

private func isReadablePack(_ folder: String) -> Bool {
  FileManager.default.isReadableFile(atPath: folder + "/pack.json")
}

private func isPack(_ folder: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/pack.json") }

private func readPattern(_ path: String) throws(ToolFailure) -> AHAPDocument {
  let bytes = try readWhole(path)
  do throws(AHAPError) {
    return try AHAPDocument.parse(bytes, name: path).document
  } catch {
    throw ToolFailure(error)
  }
}
