// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What another program, or the disk, has done to a regular file that is being written: what was written is lost, and what follows would
/// be.
///
/// Looked for before each write, which would make a file that was cut short as long again unless it is opened with `O_APPEND`, and once at
/// the end. On a network's file system that waits for the disk, as the write does; there a file that is removed may have another name yet.
public enum FileDamage: Sendable, Equatable {
  /// It has no name any more.
  case removed
  /// It is shorter than what was written to it.
  case cutShort
  /// Nothing can be learnt of it, with `errno` as it was then.
  case unreachable(Int32)

  /// Of the file behind a descriptor to which one program alone has written so many bytes; nil while it is whole. A pipe or a device
  /// always is.
  public init?(to descriptor: Int32, after bytes: Int64) {
    var status = stat()
    if fstat(descriptor, &status) != 0 {
      self = .unreachable(errno)
    } else if status.st_mode & S_IFMT != S_IFREG {
      return nil
    } else if status.st_nlink == 0 {
      self = .removed
    } else if status.st_size < bytes {
      self = .cutShort
    } else {
      return nil
    }
  }

  /// Ends a sentence that begins with the file's name.
  public var reason: String {
    switch self {
    case .removed: "it was removed"
    case .cutShort: "another program cut it short"
    case .unreachable(let code): String(cString: strerror(code))
    }
  }
}
