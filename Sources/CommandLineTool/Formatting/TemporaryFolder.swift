// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// A folder for files that are there while the program runs, for this user alone.
final class TemporaryFolder {
  let path: String

  init(named name: String) throws(ToolFailure) {
    var template = Array("/tmp/starlight-\(name)-\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolFailure("cannot make a folder in /tmp: \(errnoText())", kind: .unwritable)
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { _ = try? FileManager.default.removeItem(atPath: path) }
}
