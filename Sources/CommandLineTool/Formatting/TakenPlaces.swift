// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc

/// Of all commands that write files by name and may be asked to replace what is there.
let replacing = OptionKey.flag("force", help: "replace what is there already")

/// Before work is done whose result would find no place: somebody may have worked on what is there since it was made. `-`, the
/// standard output, is free, and what is no file, as a device or a pipe, is written to.
func checkPlace(_ path: String, _ tool: Tool) throws(ToolFailure) {
  try checkPlaces([path], replaces: tool.invocation[replacing])
}

/// The same for all files of some work.
func checkPlaces(_ paths: [String], replaces: Bool) throws(ToolFailure) {
  let taken = replaces ? [] : paths.filter { $0 != "-" && isTaken($0) }
  guard let first = taken.first else { return }
  throw ToolFailure(
    .unwritable, file: first, "\(first) is there already" + (taken.count > 1 ? ", and \(taken.count - 1) more" : ""),
    hint: "--force replaces \(taken.count > 1 ? "them" : "it")")
}

private func isTaken(_ path: String) -> Bool {
  fileStatus(path).map { [S_IFREG, S_IFDIR].contains($0.kind) } ?? false
}
