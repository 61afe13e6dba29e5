// SPDX-License-Identifier: Apache-2.0

/// The bytes of the regular file at `path`, which may have `limit` at most: a larger one is refused before it is read, and
/// what is no file (a folder, a pipe, a device) without waiting for it.
public func readFile(_ path: String, atMost limit: Int) throws(FileRefusal) -> [UInt8] {
  try RegularFile.open(path).contents(atMost: limit)
}
