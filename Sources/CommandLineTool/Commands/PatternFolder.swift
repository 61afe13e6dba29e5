// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// What a folder holds, in the order of the names; what begins with a dot is passed over, as by a shell.
struct PatternFolder {
  /// Those that end in .ahap. A link to nothing is among them, to be told; a pipe is not, which would be waited for.
  private(set) var files: [String] = []
  /// Links to folders too.
  private(set) var folders: [String] = []
  /// Whether it is a pack's: there is a pack.json.
  private(set) var isPack = false

  /// Reads the folder; throws when it cannot be looked into.
  init(_ folder: String) throws(ToolFailure) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ToolFailure(
        .unreadable, file: folder, "cannot look into the folder \(folder): \(errnoText())",
        hint: "check its permissions")
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    for name in names.sorted() where !name.hasPrefix(".") {
      let kind = fileStatus(prefix + name)?.kind ?? S_IFREG
      if kind == S_IFDIR {
        folders.append(prefix + name)
      } else if kind == S_IFREG, name.lowercased().hasSuffix(".ahap") {
        files.append(prefix + name)
      } else if kind == S_IFREG, name == "pack.json" {
        isPack = true
      }
    }
  }
}
