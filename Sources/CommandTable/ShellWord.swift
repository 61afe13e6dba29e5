// SPDX-License-Identifier: Apache-2.0

/// A path as a shell reads it as one word.
public func quotedForShell(_ path: String) -> String {
  let harmless = path.utf8.allSatisfy { byte in
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+")].contains(byte)
  }
  return harmless && !path.isEmpty ? path : shellQuoted(path)
}
