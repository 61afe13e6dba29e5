// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What another program has done to a regular file that is being written: what was written is lost, and what follows would be.
public enum FileDamage: Error {
  /// It has no name any more.
  case removed
  /// It is shorter than what was written to it.
  case cutShort

  /// Of the file behind a descriptor that one program alone writes, from its beginning on; nil while it is whole. A pipe or a
  /// device always is.
  public init?(to descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    if status.st_nlink == 0 {
      self = .removed
    } else if status.st_size < lseek(descriptor, 0, SEEK_CUR) {
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
    }
  }
}
