// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder of the test's own, gone with it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/starlight-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
    precondition(!path.isEmpty)
  }

  deinit { Self.remove(path) }

  private static func remove(_ folder: String) {
    guard let directory = opendir(folder) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name == "." || name == ".." { continue }
      let path = folder + "/" + name
      if unlink(path) != 0 { remove(path) }
    }
    closedir(directory)
    rmdir(folder)
  }

  func mode(_ name: String) -> mode_t? {
    var status = stat()
    return stat(path + "/" + name, &status) == 0 ? status.st_mode & 0o777 : nil
  }
}
