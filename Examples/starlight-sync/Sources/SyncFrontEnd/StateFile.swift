// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The one file that a player's progress is kept in. It is replaced as a whole: who reads it finds the old or the new.
public struct StateFile: Sendable {
  /// Where it is.
  public let path: String

  /// Why something was not stored, and what to do about it.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    public let description: String

    /// What failed, with the remedy that all of it has.
    init(_ what: String) {
      description =
        "progress is not kept: \(what) (make its folder writable, or set XDG_STATE_HOME to one that is)"
    }
  }

  /// The file in this folder.
  public init(folder: String) { path = folder + "/progress" }

  /// `$XDG_STATE_HOME/starlight-sync`, or `~/.local/state/starlight-sync` where that is not an absolute path. Nil where there
  /// is no home either.
  public static func folder(environment: (String) -> String?) -> String? {
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/starlight-sync" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/state/starlight-sync"
  }

  /// What is stored, 4 KiB of it at most; nil on a first start. What is there and cannot be read is no bytes at all, which are
  /// nobody's progress.
  public func read() -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT ? nil : [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count < 0 ? [] : Array(bytes[..<count])
  }

  /// Replaces it, and returns once it would survive a loss of power. Where it cannot, all is as before, and nothing lies beside.
  public func write(_ bytes: [UInt8]) throws(Failure) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try Self.makeFolders(folder)
    // Of this process alone: a second one would write into the same.
    let new = path + ".\(getpid()).new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot create \(new)", errno) }
    do throws(Failure) {
      defer { close(descriptor) }
      try Self.fill(descriptor, with: bytes, of: new)
      guard rename(new, path) == 0 else { throw Self.failure("cannot replace \(path)", errno) }
    } catch {
      unlink(new)
      throw error
    }
    // The name, too, is to survive.
    let directory = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  private static func fill(_ descriptor: Int32, with bytes: [UInt8], of path: String) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("cannot write \(path)", errno) }
      start += count
    }
    guard fsync(descriptor) == 0 else { throw failure("cannot write \(path)", errno) }
  }

  private static func makeFolders(_ folder: String) throws(Failure) {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
      let code = errno
      // Where a folder is there and its parent is not to be written to, that is told in place of EEXIST.
      if access(path, F_OK) != 0 { throw failure("cannot create the folder \(path)", code) }
    }
  }

  private static func failure(_ what: String, _ code: Int32) -> Failure {
    Failure("\(what): \(String(cString: strerror(code)))")
  }
}
