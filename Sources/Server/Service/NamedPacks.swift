// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Glibc

/// What is at a path that was named where a folder of packs is meant.
enum NamedPlace: Equatable {
  case nothing
  /// A folder, or what cannot be looked at: why is told by whoever reads the packs.
  case folder
  case file

  /// What is at `path`, links followed.
  init(at path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      self = status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
    } else {
      switch errno {
      case ENOENT: self = .nothing
      case ENOTDIR: self = .file
      default: self = .folder
      }
    }
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
      hint: folder(ofManifest: file).map { "name \(quotedForShell($0)), the folder that it lies in" } ?? whatToName)
  }
  guard let missing = folders.first(where: { place($0) == .nothing }) else { return }
  let isName = refusalOfPackName(missing) == nil && invocation[DaemonOptions.pack] == nil
  throw UsageError(
    "there is no folder \(missing), named by --packs or $STARLIGHT_PACKS",
    hint: isName
      ? "name a pack's folder, or a folder of such; where \(missing) is the name of a pack, --pack \(missing) makes it active"
      : whatToName)
}

private let whatToName = "name a pack's folder, which has a pack.json (docs/packs.md), or a folder of such"

/// The folder of a path that ends with `pack.json`.
private func folder(ofManifest path: String) -> String? {
  let parts = path.split(separator: "/")
  guard parts.last == "pack.json" else { return nil }
  let folder = parts.dropLast().joined(separator: "/")
  return path.hasPrefix("/") ? "/" + folder : folder.isEmpty ? "." : folder
}

private func checkPackName(_ name: String, isThere: Bool) throws(UsageError) {
  if name.contains("/") || refusalOfPackName(name) != nil && isThere {
    throw UsageError(
      "--pack takes the name of a pack, and \(name) is \(isThere ? "a path" : "none")",
      hint: "--packs \(quotedForShell(name)) has packs looked for there; --pack NAME then chooses the active one")
  }
}
