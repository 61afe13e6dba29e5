// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems

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

  /// The same as what is told to people and programs.
  public var problem: Problem {
    let (kind, predicate, remedy): (Problem.Kind, String, String?) =
      switch reason {
      case .isFolder: (.notAFile, "is a directory", nil)
      case .isNoRegularFile: (.notAFile, "is no regular file", nil)
      case .leadsOut(let folder, let target):
        (
          .leadsOut, "leads out of \(printable(folder)) through a link, to \(printable(target))",
          "copy the file into the folder"
        )
      case .isLargerThan(let limit): (.tooLarge, "is larger than \(Self.size(limit))", nil)
      case .system(ENOENT), .system(ENOTDIR): (.missing, "does not exist", "check its name")
      case .system(EACCES), .system(EPERM): (.unreadable, "may not be read (permission denied)", nil)
      case .system(ELOOP): (.unreadable, "is a link that leads round to itself", "mend the link")
      case .system(EMFILE), .system(ENFILE):
        (
          .unreadable, "cannot be opened (\(Self.words(reason)))",
          "allow more open files, for a service with LimitNOFILE="
        )
      case .system: (.unreadable, "cannot be read (\(Self.words(reason)))", "check the file and its disk")
      }
    return Problem(kind, "\(printable(path)) \(predicate)", remedy: remedy, where: Problem.Place(file: path))
  }

  /// The problem's sentence.
  public var description: String { problem.description }

  /// A refusal of `path`.
  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }

  private static func words(_ reason: Reason) -> String {
    if case .system(let code) = reason { String(cString: strerror(code)) } else { "" }
  }
}
