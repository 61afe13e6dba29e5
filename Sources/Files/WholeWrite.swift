// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether all of `bytes` could be written to a descriptor, in as many writes as that takes; else `errno` tells why not.
public func isWritten(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    if count <= 0 { return false }
    written += count
  }
  return true
}
