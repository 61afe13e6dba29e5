// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Files
import FoundationEssentials
import GamePacks
import Haptics
import StarlightClient
import Suggestions
import Wire

/// Where patterns are found by name: the packs of a running daemon, or the folders that a daemon would look in.
struct PatternLibrary {
  /// Folders of packs: each has a `pack.json`.
  let packs: [String]

  /// The packs that a daemon has loaded, the active one first.
  init(_ list: PackList.Result) {
    packs = list.packs.sorted { a, _ in a.name == list.active }.map(\.path)
  }

  /// The packs in the folders that a daemon started here would look in.
  init(environment: [String: String]) {
    let folders = PackFolders(onDisk: environment).all
    packs = folders.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return ([folder] + names.sorted().map { folder + "/" + $0 }).filter(isPack)
    }
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
    let key = AssetKey(name, active: nil)
    var known: [String] = []
    for path in packs {
      guard let bytes = try? readFile(path + "/pack.json", atMost: PackManifest.maximumBytes),
        let manifest = try? PackManifest.parse(bytes, path: path + "/pack.json")
      else { continue }
      if let key, key.pack != manifest.name { continue }
      if let pattern = manifest.patterns[key?.name ?? name] { return path + "/" + pattern.file }
      known += manifest.patterns.keys
    }
    let folder = isFolder(name) ? "for the folder of that name write ./\(name); " : ""
    if packs.isEmpty {
      throw ToolFailure(
        "no pattern \(name): no pack was found",
        hint: folder + "name an .ahap file, or the folders of packs in $STARLIGHT_PACKS", kind: .unknownName)
    }
    let guess = didYouMean(name, among: known.sorted())
    var failure = ToolFailure(
      "no pattern \(name) in \(packs.joined(separator: ", "))\(guess)",
      hint: folder + "or name a file that ends in .ahap", kind: .unknownName)
    failure.candidates = nearest(to: name, among: known.sorted())
    throw failure
  }
}

private func isPlainFile(_ path: String) -> Bool {
  FileManager.default.fileExists(atPath: path) && !isFolder(path)
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
