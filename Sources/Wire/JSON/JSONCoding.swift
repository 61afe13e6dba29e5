import FoundationEssentials

/// Decodes one JSON value, which may be a scalar.
package func decodeJSON<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws -> Value {
  let decoder = JSONDecoder()
  if let jsonText { decoder.userInfo[jsonText] = bytes }
  return try decoder.decode(type, from: Data(bytes))
}

/// The text being decoded, for what is passed through without being understood.
let jsonText = CodingUserInfoKey(rawValue: "starlight.text")

/// Encodes on one line with its fields in alphabetical order, so that equal values give equal bytes.
package func encodeJSON(_ value: some Encodable) throws -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return [UInt8](try encoder.encode(value))
}
