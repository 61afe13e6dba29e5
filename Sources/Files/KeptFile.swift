// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A small file that keeps something from one run to the next.
public struct KeptFile: Sendable {
  /// Where it is.
  public let path: String
  /// The most that is read of it, in bytes: what is larger is refused.
  private let limit: Int

  /// The file at `path`, which need not be there.
  public init(path: String, atMost limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// What it holds; nil where it is not there.
  public func read() throws(FileRefusal) -> [UInt8]? {
    do throws(FileRefusal) {
      return try readFile(path, atMost: limit)
    } catch {
      if error.reason == .system(ENOENT) { return nil }
      throw error
    }
  }

  /// Replaces it as a whole, so that a reader finds the old or the new, also after a loss of power. Waits for the disk.
  public func replace(with bytes: [UInt8]) throws(WriteRefusal) {
    makeFolders()
    // Of this process alone: two daemons of a user keep the same file.
    let new = path + ".\(getpid()).new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw WriteRefusal(path: path, code: errno) }
    var code = isWritten(bytes, to: descriptor) && fsync(descriptor) == 0 ? 0 : errno
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, rename(new, path) == 0 { return }
    let reason = code == 0 ? errno : code
    unlink(new)
    throw WriteRefusal(path: path, code: reason)
  }

  /// The folders above it, for this user alone where they are not there.
  private func makeFolders() {
    for (index, character) in zip(path.indices, path) where character == "/" && index != path.startIndex {
      mkdir(String(path[..<index]), 0o700)
    }
  }
}
