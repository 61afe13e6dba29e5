// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A path of its own in the temporary directory, removed when it goes.
final class TemporaryFile {
  let path: String

  init() {
    var template = Array("/tmp/starlight-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    if descriptor >= 0 { close(descriptor) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { unlink(path) }

  var bytes: [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&block, 1, block.count, file)
      if count == 0 { return result }
      result += block[..<count]
    }
  }

  /// The floats that follow `offset` bytes.
  func floats(after offset: Int) -> [Float] {
    let all = bytes
    guard all.count > offset else { return [] }
    return all.withUnsafeBytes { raw in
      (0..<((all.count - offset) / 4)).map { raw.loadUnaligned(fromByteOffset: offset + 4 * $0, as: Float.self) }
    }
  }
}
