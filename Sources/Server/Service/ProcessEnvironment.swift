// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The environment variables the server goes by, as they stand.
public func processEnvironment() -> [String: String] {
  var found: [String: String] = [:]
  for name in ["STARLIGHT_SOCKET", "XDG_RUNTIME_DIR", "RUNTIME_DIRECTORY", "JOURNAL_STREAM"] {
    if let value = getenv(name) { found[name] = String(cString: value) }
  }
  return found
}
