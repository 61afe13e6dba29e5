// SPDX-License-Identifier: Apache-2.0

/// Where game packs are looked for: the same for the daemon and the tool. Of packs of one name the first found counts.
public struct PackFolders: Equatable, Sendable {
  /// Named by hand, before all others.
  public var named: [String]
  /// Looked in by habit, in this order: the user's own, that beside the program, the system's. They may be missing.
  public var usual: [String]

  /// Folders in the order in which they count.
  public init(named: [String], usual: [String] = []) {
    self.named = named
    self.usual = usual
  }

  /// All of them.
  public var all: [String] { named + usual }
}

extension PackFolders {
  /// The environment variable that names folders, separated by colons.
  public static let variable = "STARLIGHT_PACKS"
  /// The environment variable that, if it is not empty, leaves out what is looked in by habit.
  public static let namedAloneVariable = "STARLIGHT_NO_BUILT_IN_PACKS"

  /// The folders named by hand, separated by colons and seen from the folder `workingFolder`, and then, unless these are to be the only ones, the user's own, those
  /// beside the program whose resolved path is `executable` (in a build folder as when installed), and the system's.
  public init(
    chosen: String?, namedAlone: Bool = false, environment: [String: String], executable: String, workingFolder: String
  ) {
    named = (chosen ?? environment[Self.variable] ?? "").split(separator: ":").map {
      Self.absolute(String($0), from: workingFolder)
    }
    usual = []
    if namedAlone || !(environment[Self.namedAloneVariable] ?? "").isEmpty { return }
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
      ?? environment["HOME"].map { $0 + "/.local/share" }
    let beside = executable.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/share"
    for folder in [data, beside, "/usr/local/share", "/usr/share"].compactMap(\.self) {
      let packs = folder + "/starlight/packs"
      if !all.contains(packs) { usual.append(packs) }
    }
  }

  /// The same folder, named so that it means the same from everywhere.
  public static func absolute(_ folder: String, from workingFolder: String) -> String {
    if folder.hasPrefix("/") { return folder }
    let parts = folder.split(separator: "/").drop { $0 == "." }
    return ([workingFolder == "/" ? "" : workingFolder] + parts.map(String.init)).joined(separator: "/")
  }
}
