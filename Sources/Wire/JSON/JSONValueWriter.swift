extension JSONValue {
  /// The value as JSON text without white space, members in no particular order; nil where that would be longer than
  /// `limit` bytes, told as soon as it is known.
  ///
  /// What an encoder does many times slower, for documents that are passed through whole.
  package func text(limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    return write(to: &bytes, limit: limit) ? bytes : nil
  }

  /// False as soon as there are more bytes than `limit`.
  private func write(to bytes: inout [UInt8], limit: Int) -> Bool {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += "\(value)".utf8
    // Not finite is nothing that JSON can say, so nothing that was read from it.
    case .number(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
    case .string(let value): JSONValue.write(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        if !value.write(to: &bytes, limit: limit) { return false }
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONValue.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if !member.value.write(to: &bytes, limit: limit) { return false }
      }
      bytes.append(UInt8(ascii: "}"))
    }
    return bytes.count <= limit
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
