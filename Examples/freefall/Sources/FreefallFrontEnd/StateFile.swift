// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The small file that keeps a player from one run to the next. It is replaced as a whole: whenever the game or the machine
/// ends, it is what was stored before or what was stored last.
public struct StateFile: Sendable {
  public let path: String

  /// The file at `path`; nothing is read yet.
  public init(path: String) { self.path = path }

  /// In `$XDG_STATE_HOME/freefall`, where that is an absolute path as its specification wants it, else in
  /// `~/.local/state/freefall`; nil where there is no home either.
  public init?(environment: [String: String]) {
    let folder: String
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      folder = state
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = home + "/.local/state"
    } else {
      return nil
    }
    self.init(path: folder + "/freefall/progress.json")
  }

  /// What stands there: nil where there is no file. One that cannot be read, or is larger than any that was stored, gives no
  /// bytes, which nobody takes for progress.
  public func read() -> Data? {
    // A pipe in its place is not waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT ? nil : Data() }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: Self.mostBytes + 1)
    var count = 0
    while count < buffer.count {
      let taken = buffer.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if taken < 0, errno == EINTR { continue }
      guard taken >= 0 else { return Data() }
      if taken == 0 { break }
      count += taken
    }
    return count > Self.mostBytes ? Data() : Data(buffer[..<count])
  }

  /// Stores these bytes, and returns when they are on the disk. The folder is made where it is missing.
  public func write(_ bytes: Data) throws(StateFileProblem) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StateFileProblem(path: folder, reason: "the folder cannot be made")
    }
    // Of this process alone, so that two games at once do not write into one file.
    let new = "\(path).\(getpid())"
    do throws(StateFileProblem) {
      try Self.fill(new, with: bytes)
      guard rename(new, path) == 0 else { throw StateFileProblem(path: path) }
    } catch {
      unlink(new)
      throw error
    }
    // The name is on the disk when its folder is.
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StateFileProblem(path: folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StateFileProblem(path: folder) }
  }

  private static func fill(_ path: String, with bytes: Data) throws(StateFileProblem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StateFileProblem(path: path) }
    defer { close(descriptor) }
    var rest = [UInt8](bytes)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { throw StateFileProblem(path: path) }
      rest = rest.dropFirst(written)
    }
    guard fsync(descriptor) == 0 else { throw StateFileProblem(path: path) }
  }

  /// As much as `StoredProgress` reads.
  private static let mostBytes = 16 * 1024
}

/// Why progress was not stored, and what to do.
public struct StateFileProblem: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  /// Something is wrong with the file or folder at `path`.
  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The system's reason, of the call that has just failed.
  init(path: String) { self.init(path: path, reason: String(cString: strerror(errno))) }

  /// One sentence for people.
  public var description: String {
    "Progress is not stored: \(path): \(reason). Make room there or set XDG_STATE_HOME to a folder that you may write to."
  }
}
