// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of its own, gone with its test.
final class TemporaryFolder: Sendable {
  let path = NSTemporaryDirectory().trimmingSuffix("/") + "/starlight-sync-" + UUID().uuidString

  init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
