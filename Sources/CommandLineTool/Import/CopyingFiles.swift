// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Copies a file byte for byte, to where none is yet.
func copyFile(_ source: String, to destination: String) throws(ToolFailure) {
  let input = open(source, O_RDONLY | O_CLOEXEC)
  let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
  defer { for descriptor in [input, output] where descriptor >= 0 { close(descriptor) } }
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  while input >= 0, output >= 0 {
    let count = read(input, &buffer, buffer.count)
    if count == 0 { return }
    if count < 0, errno == EINTR { continue }
    if count < 0 || !isWritten(Array(buffer[..<count]), to: output) { break }
  }
  throw ToolFailure(input < 0 ? .unreadable : .unwritable, file: source, "cannot copy \(source): \(errnoText())")
}
