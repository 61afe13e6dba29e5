// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import ImportedBeats

/// What is to be imported: the files that were named, and those of folders that were named.
struct ImportSources {
  /// A file that means something to a pack.
  struct File: Equatable {
    var path: String
    /// Where it is in its folder, and will be in the pack.
    var relative: String
    var kind: Kind

    /// Without what its name ends in; of `calm.beats.json` that is both.
    var stem: String {
      let stem = Self.stem(of: relative)
      return kind == .beatMap && stem.hasSuffix(".beats") ? String(stem.dropLast(6)) : stem
    }

    static func stem(of name: String) -> String {
      let slash = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
      return name[slash...].lastIndex(of: ".").flatMap { $0 > slash ? String(name[..<$0]) : nil } ?? name
    }
  }

  enum Kind: Equatable {
    /// What the daemon reads as well as anything that could be made of it.
    case kept
    /// For ffmpeg.
    case foreign
    case pattern
    case beats(BeatFormat)
    /// A beat map as packs have them.
    case beatMap
  }

  private(set) var files: [File] = []
  /// Files of folders that mean nothing to a pack.
  private(set) var leftAlone: [String] = []

  /// The most files of a folder and all below it.
  private static let mostFiles = 10_000

  /// Looks at what was named.
  init(_ names: [String]) throws(ToolFailure) {
    for name in names {
      guard let status = fileStatus(name) else {
        throw ToolFailure(
          .unreadable, file: name, "\(name) does not exist",
          hint: "name sound files, beat maps, patterns, or a folder of them")
      }
      if status.kind == S_IFDIR {
        try addFolder(name)
      } else {
        // Whatever is named is taken for sound where its name tells nothing else.
        let own = name.split(separator: "/").last.map(String.init) ?? name
        files.append(File(path: name, relative: own, kind: Self.kind(own) ?? .foreign))
      }
    }
    files.sort { $0.relative < $1.relative }
  }

  private mutating func addFolder(_ folder: String) throws(ToolFailure) {
    let root = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: root) else {
      throw ToolFailure(.unreadable, file: folder, "\(folder) cannot be read")
    }
    guard names.count <= Self.mostFiles else {
      throw ToolFailure(
        "\(folder) holds \(names.count) files and folders; the most is \(Self.mostFiles)",
        hint: "name a folder of assets",
        place: .init(file: folder))
    }
    var found: [File] = []
    for name in names.sorted() where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      guard fileStatus(root + "/" + name)?.kind == S_IFREG else { continue }
      if let kind = Self.kind(name), Self.isMeant(name, kind, root: root) {
        found.append(File(path: root + "/" + name, relative: name, kind: kind))
      } else {
        leftAlone.append(name)
      }
    }
    // A text that bears a sound's name is a list of its beats; any other may be anything.
    let sounds = Set(found.filter { $0.kind == .kept || $0.kind == .foreign }.map(\.stem))
    for file in found {
      if file.kind == .beats(.times), !sounds.contains(file.stem) {
        leftAlone.append(file.relative)
      } else {
        files.append(file)
      }
    }
  }

  /// What a file is by its name.
  static func kind(_ name: String) -> Kind? {
    let ending = name.split(separator: ".").last?.lowercased() ?? ""
    if let format = BeatFormat(fileName: name) { return .beats(format) }
    if ["flac", "ogg", "oga", "opus"].contains(ending) { return .kept }
    if Self.foreign.contains(ending) { return .foreign }
    if ending == "ahap" { return .pattern }
    return ending == "json" ? .beatMap : nil
  }

  private static let foreign: Set = [
    "wav", "wave", "aif", "aiff", "aifc", "caf", "au", "w64", "m4a", "m4b", "m4r", "aac", "alac", "mp3", "mp2", "wma",
    "mka",
    "weba", "ape", "wv", "tta", "ac3", "amr",
  ]

  private static func isMeant(_ name: String, _ kind: Kind, root: String) -> Bool {
    guard kind == .beatMap else { return true }
    return (try? readWhole(root + "/" + name)).map { isBeatMap(name, $0) } ?? false
  }
}
