// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Glibc
import ImportedBeats
import JSON

/// A manifest as it grows: what it has already, and what is added.
struct PackDraft {
  let name: String
  /// The manifest's text; of a new pack one without entries.
  private let bytes: [UInt8]
  /// What it says by now.
  private let manifest: PackManifest
  private(set) var additions: [ManifestAddition] = []

  /// Of the pack in that folder, or of a new one.
  init(folder: String, schemas: String?) throws(ToolFailure) {
    let path = folder + "/pack.json"
    if access(path, F_OK) == 0 {
      bytes = try readWhole(path)
    } else {
      let name = folder.split(separator: "/").last.map(String.init) ?? ""
      if let refusal = refusalOfPackName(name) {
        throw .usage("a pack cannot be called that: \(refusal)", hint: "name its folder as in lighthouse")
      }
      bytes = Array(PackTemplate(name: name, schemas: schemas).bareManifest.utf8)
    }
    let read = PackManifest.read(bytes, path: path)
    guard let manifest = read.manifest, read.faults == nil else {
      throw ToolFailure(
        .badFile, file: path, "\(path) has faults, and is left as it is",
        hint: "`starlight pack check \(quotedForShell(folder))` tells them")
    }
    (self.manifest, name) = (manifest, manifest.name)
  }

  /// The text of the manifest with all that was added.
  func text(path: String) throws(ToolFailure) -> [UInt8] {
    do throws(PackFaults) {
      let text = try ManifestAddition.manifest(bytes, adding: additions, path: path)
      _ = try PackManifest.parse(text, path: path)
      return text
    } catch {
      throw ToolFailure(
        "the manifest would have faults: \(error.first.description)", hint: "nothing was written",
        kind: .badFile)
    }
  }

  /// Enters a file under a name like its own; where it is entered already that stays as it is. Gives the name that it has.
  mutating func enter(
    _ section: ManifestAddition.Section, file: String, like wish: String, _ fields: [(String, String)]
  ) -> String {
    if let name = entered(file, in: section) { return name }
    let base = nameForPack(wish, most: 60) ?? String(section.rawValue.dropLast())
    var (name, number) = (base, 2)
    while isTaken(name, in: section) {
      name = "\(base)-\(number)"
      number += 1
    }
    let text = fields.map { "\(jsonString($0.0)): \($0.1)" }.joined(separator: ", ")
    additions.append(ManifestAddition(section, name, "{ \(text) }"))
    return name
  }

  /// The track whose file, without what it ends in, is that; the manifest's own.
  func track(stem: String) -> (name: String, track: PackTrack)? {
    manifest.tracks.sorted { $0.key < $1.key }.first { ImportSources.File.stem(of: $0.value.file) == stem }
      .map { ($0.key, $0.value) }
  }

  private func entered(_ file: String, in section: ManifestAddition.Section) -> String? {
    func first<Entry>(_ entries: [String: Entry], _ holds: (Entry) -> Bool) -> String? {
      entries.filter { holds($0.value) }.keys.min()
    }
    return switch section {
    case .tracks: first(manifest.tracks) { $0.file == file }
    case .sounds: first(manifest.sounds) { $0.file == file }
    case .patterns: first(manifest.patterns) { $0.file == file }
    case .chapters: first(manifest.chapters) { $0.beats == .file(file) }
    }
  }

  private func isTaken(_ name: String, in section: ManifestAddition.Section) -> Bool {
    if additions.contains(where: { $0.section == section && $0.name == name }) { return true }
    return switch section {
    case .tracks: manifest.tracks[name] != nil
    case .sounds: manifest.sounds[name] != nil
    case .patterns: manifest.patterns[name] != nil
    case .chapters: manifest.chapters[name] != nil
    }
  }
}
