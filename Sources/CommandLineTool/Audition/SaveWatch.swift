// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// Tells when a file was saved, also by an editor that writes another and renames it: so it is the folder that is watched.
struct SaveWatch: ~Copyable {
  /// Readable when something in the folder was saved.
  let descriptor: Int32
  private let name: String

  /// Watches the file that `path` leads to.
  init(_ path: String) throws(ToolFailure) {
    let parts = (resolvedPath(path) ?? path).split(separator: "/", omittingEmptySubsequences: false)
    name = String(parts.last ?? "")
    let folder = parts.dropLast().joined(separator: "/")
    descriptor = rt_watch_saves(parts.count == 1 ? "." : folder.isEmpty ? "/" : folder)
    guard descriptor >= 0 else {
      throw ToolFailure(
        "cannot watch \(path): \(errnoText())",
        hint: errno == ENOSPC || errno == EMFILE
          ? "raise the limit: sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512"
          : "check the permissions of its folder")
    }
  }

  deinit { close(descriptor) }

  /// Whether it was saved since the last call.
  func takeSave() -> Bool { rt_watch_take_save(descriptor, name) != 0 }
}
