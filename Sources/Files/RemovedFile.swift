// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether the regular file behind a descriptor has no name any more: what is written to it is lost. No pipe or device is ever so.
public func isRemoved(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 0
}
