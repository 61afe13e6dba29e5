// SPDX-License-Identifier: Apache-2.0

/// Where game packs are looked for: the same for the daemon and the tool.
public enum PackSearchPath {
  /// The environment variable that names the folders.
  public static let variable = "STARLIGHT_PACKS"

  /// The folders named by hand, separated by colons; else the user's own, those beside the program whose resolved path
  /// is `executable` (in a build folder as when installed), and the system's.
  public static func folders(chosen: String?, environment: [String: String], executable: String) -> [String] {
    if let chosen = chosen ?? environment[variable], !chosen.isEmpty {
      return chosen.split(separator: ":").map(String.init)
    }
    let data = environment["XDG_DATA_HOME"] ?? environment["HOME"].map { $0 + "/.local/share" }
    let beside = executable.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/share"
    var folders: [String] = []
    for folder in [data, beside, "/usr/local/share", "/usr/share"].compactMap(\.self) {
      let packs = folder + "/starlight/packs"
      if !folders.contains(packs) { folders.append(packs) }
    }
    return folders
  }
}
