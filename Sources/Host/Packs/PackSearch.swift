// SPDX-License-Identifier: Apache-2.0

import Files
import GamePacks
import Glibc
import Problems

/// Looks for packs: folders with a `pack.json`.
struct PackSearch {
  /// The folders of packs, in the order in which they count. Of a higher rank are those that give way to all of a lower.
  private(set) var packs: [(path: String, rank: Int)] = []
  private var rank = 0
  /// What could not be looked into.
  private(set) var problems: [Problem] = []

  /// The most packs that are looked for.
  static let mostPacks = 256

  /// Looks into folders, each of which is a pack or holds packs. One that is not there is passed over: those looked in
  /// by habit may be missing.
  init(_ folders: PackFolders) {
    for folder in folders.named { look(into: folder) }
    for folder in folders.usual {
      rank += 1
      look(into: folder)
    }
    if packs.count > Self.mostPacks {
      problems.append(
        Problem(
          .tooManyPacks, "there are more than \(Self.mostPacks) game packs",
          remedy: "name folders with fewer; until then the others are left out"))
      packs.removeLast(packs.count - Self.mostPacks)
    }
  }

  private mutating func look(into folder: String) {
    switch Self.holdsManifest(folder) {
    case 0: packs.append((folder, rank))
    case ENOENT:
      guard let names = folderNames(folder) else {
        if errno != ENOENT || Self.isLink(folder) { problems.append(.looking(into: folder, code: errno)) }
        return
      }
      // What is hidden is nobody's pack yet: one that is being written, say.
      for name in names.sorted() where !name.hasPrefix(".") { lookAt(folder + "/" + name) }
    case let code: problems.append(.looking(into: folder, code: code))
    }
  }

  /// A file or folder beside packs: other files and folders may be there too.
  private mutating func lookAt(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return problems.append(.looking(into: path, code: errno)) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return }
    switch Self.holdsManifest(path) {
    case 0: packs.append((path, rank))
    case ENOENT: break
    case let code: problems.append(.looking(into: path, code: code))
    }
  }

  /// 0 where there is a `pack.json` of whatever kind in the folder; else the system's error.
  private static func holdsManifest(_ folder: String) -> Int32 {
    var status = stat()
    return lstat(folder + "/pack.json", &status) == 0 ? 0 : errno
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    defer { errno = ENOENT }
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
