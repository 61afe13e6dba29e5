// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of its own, gone with its test.
final class TemporaryFolder: Sendable {
  let path = NSTemporaryDirectory().trimmingSuffix("/") + "/starlight-sync-" + UUID().uuidString

  init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  /// Puts the address of the message where a program looks for it whose configuration lies in `config`; where that is.
  @discardableResult
  func writeMessageURL(_ text: String) throws -> String {
    let place = path + "/config/starlight-sync"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data("\(text)\n".utf8).write(to: URL(filePath: place + "/message-url"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place + "/message-url")
    return place + "/message-url"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
