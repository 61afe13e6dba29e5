// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// `value` as JSON: on one line for machines, or indented for reading. Keys are sorted, so that it can be compared.
func jsonText(_ value: some Encodable, indented: Bool) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting =
    indented ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { return "null" }
  return String(decoding: data, as: UTF8.self)
}

/// JSON bytes as a value, or nil when they are none.
func jsonValue(_ bytes: [UInt8]) -> JSONValue? {
  try? decodeJSON(JSONValue.self, from: bytes[...])
}
