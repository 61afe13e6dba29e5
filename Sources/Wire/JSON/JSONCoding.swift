// SPDX-License-Identifier: Apache-2.0

import JSON

/// Decodes one JSON value, which may be a scalar: what the other end of the socket said, in the bounds of its line.
package func decodeJSON<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws -> Value {
  try JSONDecoding(JSONTape(scanning: Array(bytes), .ofTheDaemon)).decode(type)
}

/// Encodes on one line with its fields in alphabetical order, so that equal values give equal bytes.
package func encodeJSON(_ value: some Encodable) throws -> [UInt8] {
  var writer = JSONWriter()
  try writer.write(value)
  return writer.bytes
}

extension JSONRules {
  /// What a client reads of its daemon, whose lines it has bounded already.
  package static var ofTheDaemon: JSONRules { JSONRules(depth: 512, nameBytes: .max) }
}
