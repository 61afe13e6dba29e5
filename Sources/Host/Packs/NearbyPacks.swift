// SPDX-License-Identifier: Apache-2.0

import Files
import GamePacks
import Glibc
import Problems

extension Problem {
  /// The same of a path that was taken for a pack's folder and has no manifest, where it is plain what was meant: the folder
  /// of a manifest, or a pack in a folder of packs. Nil where it is not.
  func knowingPacks(near path: String) -> Problem? {
    guard kind == .missing else { return nil }
    var problem = self
    var status = stat()
    let parts = path.split(separator: "/")
    if parts.last == "pack.json", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      problem.reason = "\(printable(path)) is a manifest, and a pack is named by its folder"
      problem.where.file = path
      problem.remedy = "name /\(printable(parts.dropLast().joined(separator: "/")))"
      return problem
    }
    let packs = PackSearch(PackFolders(named: [path])).packs.map(\.path)
    guard let first = packs.first else { return nil }
    problem.reason = "\(printable(path)) is a folder of packs, and has no pack.json itself"
    problem.remedy = "name a pack in it, as in \(printable(first))"
    return problem
  }
}
