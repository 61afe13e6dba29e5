// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// A folder that goes with all that is in it when the test is over.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/starlight-files-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, and the folder it is in, and gives its path.
  func write(_ name: String, _ bytes: [UInt8]) -> String {
    makeFolder(of: name)
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    return path + "/" + name
  }

  func link(_ name: String, to target: String) {
    makeFolder(of: name)
    symlink(target, path + "/" + name)
  }

  private func makeFolder(of name: String) {
    var place = path
    for part in name.split(separator: "/").dropLast() {
      place += "/" + part
      mkdir(place, 0o755)
    }
  }
}
