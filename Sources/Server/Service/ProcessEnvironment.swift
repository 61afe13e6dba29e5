// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// The environment variables of this process, as they stand; of a name that is there twice the first, as getenv(3) has it.
public func processEnvironment() -> [String: String] {
  var found: [String: String] = [:]
  var next = rt_environment()
  while let entry = next?.pointee {
    let text = String(cString: entry)
    // A character may be "=" with marks on it, so its byte is looked for.
    if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
      let name = String(text[..<equals])
      if found[name] == nil { found[name] = String(text[text.utf8.index(after: equals)...]) }
    }
    next = next?.successor()
  }
  return found
}

/// Where this program lies, without links; what it was called by where that cannot be told.
func executablePath() -> String { taken(realpath("/proc/self/exe", nil)) ?? CommandLine.arguments[0] }

/// The folder that relative paths start from; "." where it cannot be told, as where it was removed.
func workingFolder() -> String { taken(getcwd(nil, 0)) ?? "." }

/// A string that the C library made, which is freed.
private func taken(_ string: UnsafeMutablePointer<CChar>?) -> String? {
  guard let string else { return nil }
  defer { free(string) }
  return String(cString: string)
}
