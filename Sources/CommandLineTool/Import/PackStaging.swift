// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// Files for a pack, made beside its folder and put into it all at once: either all of them come, or all is as it was.
final class PackStaging {
  /// The pack's folder.
  let pack: String
  /// Where files are made meanwhile.
  let folder: String
  /// Relative to the pack, in the order in which they come.
  private var files: [String] = []
  private let isNew: Bool

  /// For the pack in that folder, which need not be there.
  init(for pack: String) throws(ToolFailure) {
    self.pack = pack
    let parts = pack.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.dropLast().map { $0 + "/" }.joined()
    folder = parent + "." + (parts.last ?? "") + ".starlight-\(getpid())"
    isNew = access(pack, F_OK) != 0
    guard mkdir(folder, 0o777) == 0 else {
      throw ToolFailure(
        .unwritable, file: pack, "cannot write the pack \(pack): \(errnoText())",
        hint: "check its folder and who may write there")
    }
  }

  deinit { _ = try? FileManager.default.removeItem(atPath: folder) }

  /// Where to make a file that is to come to that place in the pack.
  func place(_ file: String) throws(ToolFailure) -> String {
    var made: [String] = []
    try makeFolders(of: file, in: folder, &made)
    files.append(file)
    return folder + "/" + file
  }

  /// Puts everything into its place, the manifest last. What is there already is replaced.
  func commit() throws(ToolFailure) {
    for file in files { try? sync(folder + "/" + file) }
    if isNew {
      guard rename(folder, pack) == 0 else { throw failure(pack, errno) }
      return
    }
    var (placed, made): ([(file: String, old: String?)], [String]) = ([], [])
    do throws(ToolFailure) {
      for (index, file) in files.enumerated() {
        try makeFolders(of: file, in: pack, &made)
        let (new, whole) = (folder + "/" + file, pack + "/" + file)
        var old: String?
        if isFolder(whole) { throw failure(whole, EISDIR) }
        if access(whole, F_OK) == 0 {
          let kept = folder + "/.old-\(index)"
          guard rename(whole, kept) == 0 else { throw failure(whole, errno) }
          old = kept
        }
        guard rename(new, whole) == 0 else {
          let code = errno
          if let old { rename(old, whole) }
          throw failure(whole, code)
        }
        placed.append((whole, old))
      }
    } catch {
      for (file, old) in placed.reversed() {
        unlink(file)
        if let old { rename(old, file) }
      }
      for folder in made.reversed() { rmdir(folder) }
      throw error
    }
  }

  /// Makes what is not there of the folders that a file is in; `made` are those that were made, the outer first.
  private func makeFolders(of file: String, in root: String, _ made: inout [String]) throws(ToolFailure) {
    var path = root
    for part in file.split(separator: "/").dropLast() {
      path += "/" + part
      if mkdir(path, 0o777) == 0 { made.append(path) } else if errno != EEXIST { throw failure(path, errno) }
    }
  }

  private func failure(_ path: String, _ code: Int32) -> ToolFailure {
    ToolFailure(.unwritable, file: path, "cannot write \(path): \(errnoText(code))", hint: "the pack is as it was")
  }
}
