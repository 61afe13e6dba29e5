// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a file was not opened or read, told to people: the file, the reason and the remedy.
public struct FileRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for programs.
  public enum Reason: Hashable, Sendable {
    /// A folder stands where a file was expected.
    case isFolder
    /// A pipe, socket or device stands where a file was expected.
    case isNoRegularFile
    /// Links lead out of the folder that the file must lie in, to another place.
    case leadsOut(of: String, to: String)
    /// It has more than so many bytes.
    case isLargerThan(Int)
    /// The system refused it, with this errno.
    case system(Int32)
  }

  /// The file, as it was named.
  public let path: String
  /// What is wrong, for programs.
  public let reason: Reason

  /// The reason alone, without the file's name: goes on from it.
  public var predicate: String {
    switch reason {
    case .isFolder: "is a directory"
    case .isNoRegularFile: "is no regular file"
    case .leadsOut(let folder, let target):
      "leads out of \(printable(folder)) through a link, to \(printable(target)); copy the file into the folder"
    case .isLargerThan(let limit): "is larger than \(limit >> 20) MiB"
    case .system(ENOENT), .system(ENOTDIR): "does not exist; check its name"
    case .system(EACCES), .system(EPERM): "may not be read (permission denied)"
    case .system(ELOOP): "is a link that leads round to itself; mend the link"
    case .system(EMFILE), .system(ENFILE):
      "cannot be opened (\(Self.words(reason))); allow more open files, for a service with LimitNOFILE="
    case .system: "cannot be read (\(Self.words(reason))); check the file and its disk"
    }
  }

  /// The file and the reason.
  public var description: String { "\(printable(path)) \(predicate)" }

  /// A refusal of `path`.
  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  private static func words(_ reason: Reason) -> String {
    if case .system(let code) = reason { String(cString: strerror(code)) } else { "" }
  }
}
