// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files of patterns as they are named on the command line: one by one, or by the folder they are in, or by their pack.
struct PatternFiles {
  /// The file itself, or all that end in .ahap in a folder and below it, in the order of their paths.
  private(set) var paths: [String] = []
  /// Folders of packs, among those that were looked into or named by their pack.json.
  private(set) var packs: [String] = []
  /// Folders that cannot be looked into, or have none.
  private(set) var failures: [ToolFailure] = []
  private var seen: Set<FolderID> = []

  /// Looks for them. Links are followed, into each folder once. A folder that cannot be looked into hides no other.
  init(_ path: String) {
    if path == "pack.json" || path.hasSuffix("/pack.json"), !isFolder(path), access(path, F_OK) == 0 {
      let folder = String(path.dropLast("/pack.json".utf8.count))
      packs = [path == "pack.json" ? "." : folder.isEmpty ? "/" : folder]
      return
    }
    guard path != "-", isFolder(path) else {
      paths = [path]
      return
    }
    look(into: path)
    paths.sort()
    packs.sort()
    if paths.isEmpty, packs.isEmpty, failures.isEmpty {
      failures = [
        ToolFailure(
          "no .ahap file and no pack.json is in the folder \(path) or below it",
          hint: "name the files, or another folder")
      ]
    }
  }

  /// A folder, by whichever path.
  private struct FolderID: Hashable {
    var device: UInt
    var inode: UInt
  }

  private mutating func look(into folder: String) {
    guard let status = fileStatus(folder),
      seen.insert(FolderID(device: UInt(status.st_dev), inode: UInt(status.st_ino))).inserted
    else { return }
    do throws(ToolFailure) {
      let content = try PatternFolder(folder)
      paths += content.files
      if content.isPack { packs.append(folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder) }
      for folder in content.folders { look(into: folder) }
    } catch {
      failures.append(error)
    }
  }
}
