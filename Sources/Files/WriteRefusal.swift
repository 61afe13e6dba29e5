// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a file was not written, told to people: the file and the reason.
public struct WriteRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, as it was named.
  public let path: String
  /// The system's reason, an errno.
  public let code: Int32

  /// The file and the reason.
  public var description: String { "\(printable(path)) cannot be written (\(String(cString: strerror(code))))" }
}
