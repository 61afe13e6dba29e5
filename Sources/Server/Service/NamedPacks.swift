// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Glibc

/// What is at a path that was named where a folder of packs is meant.
enum NamedPlace {
  case nothing
  case folder
  /// Anything else.
  case file

  /// What is at `path`, a link followed; what cannot be looked at is nothing.
  init(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .nothing
      return
    }
    self = status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }
}

/// Refuses a folder of packs that was named by hand and is not there or is none, where those looked in by habit may be missing, and a
/// pack's name that can be none. What was most likely meant is told: `--pack` and `--packs` are easily taken for one another.
func checkPacks(_ invocation: Invocation, place: (String) -> NamedPlace) throws(UsageError) {
  if let name = invocation[DaemonOptions.pack] { try checkPackName(name, isThere: place(name) != .nothing) }
  let folders = (invocation[DaemonOptions.packs] ?? "").split(separator: ":").map(String.init)
  if let file = folders.first(where: { place($0) == .file }) {
    throw UsageError(
      "\(file), named by --packs or $STARLIGHT_PACKS, is no folder",
      hint: "name \(folder(of: file)), the folder that it lies in")
  }
  guard let missing = folders.first(where: { place($0) == .nothing }) else { return }
  let isName = refusalOfPackName(missing) == nil && invocation[DaemonOptions.pack] == nil
  throw UsageError(
    "there is no folder \(missing), named by --packs or $STARLIGHT_PACKS",
    hint: isName
      ? "name a pack's folder, or a folder of such; where \(missing) is the name of a pack, --pack \(missing) makes it active"
      : "name a pack's folder, which has a pack.json (docs/packs.md), or a folder of such")
}

private func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

private func checkPackName(_ name: String, isThere: Bool) throws(UsageError) {
  if name.contains("/") || refusalOfPackName(name) != nil && isThere {
    throw UsageError(
      "--pack takes the name of a pack, and \(name) is \(isThere ? "a path" : "none")",
      hint: "--packs \(quotedForShell(name)) has packs looked for there; --pack NAME then chooses the active one")
  }
}
