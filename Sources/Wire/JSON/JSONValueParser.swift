extension JSONValue {
  /// The value of a JSON text, read in one pass.
  ///
  /// Many times faster than asking a decoder of each value which type it might be: what is passed through can be long.
  package init(parsing text: ArraySlice<UInt8>) throws {
    _ = try scanJSON(text, maximumDepth: .max)
    var parser = JSONValueParser(text: text)
    self = try parser.value()
  }

  /// The value at `path` within `text`, where every key names a member of an object; nothing when there is none.
  init?(at path: [any CodingKey], in text: ArraySlice<UInt8>) {
    guard path.allSatisfy({ $0.intValue == nil }) else { return nil }
    var text = text
    for key in path {
      guard case .object(let members)? = try? scanJSON(text, maximumDepth: .max),
        let member = members.first(where: { $0.name == key.stringValue })
      else { return nil }
      text = text[member.value]
    }
    guard let value = try? JSONValue(parsing: text) else { return nil }
    self = value
  }
}

/// Reads what `scanJSON` found to be well formed: nothing is checked twice, and the depth is bounded.
private struct JSONValueParser {
  let text: ArraySlice<UInt8>
  var position: Int

  init(text: ArraySlice<UInt8>) {
    self.text = text
    position = text.startIndex
  }

  mutating func value() throws -> JSONValue {
    switch nextByte() {
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return skip(4, .bool(true))
    case UInt8(ascii: "f"): return skip(5, .bool(false))
    case UInt8(ascii: "n"): return skip(4, .null)
    default: return number()
    }
  }

  /// The next byte that is not white space: there is one wherever a value or an end is due.
  private mutating func nextByte() -> UInt8 {
    while text[position] <= 0x20 { position += 1 }
    return text[position]
  }

  private mutating func skip(_ count: Int, _ value: JSONValue) -> JSONValue {
    position += count
    return value
  }

  private mutating func object() throws -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    position += 1
    while nextByte() != UInt8(ascii: "}") {
      if text[position] == UInt8(ascii: ",") { position += 1 }
      _ = nextByte()
      let name = try string()
      _ = nextByte()
      position += 1
      members[name] = try value()
    }
    position += 1
    return members
  }

  private mutating func array() throws -> [JSONValue] {
    var elements: [JSONValue] = []
    position += 1
    while nextByte() != UInt8(ascii: "]") {
      if text[position] == UInt8(ascii: ",") { position += 1 }
      elements.append(try value())
    }
    position += 1
    return elements
  }

  private mutating func string() throws -> String {
    let start = position
    var escaped = false
    position += 1
    while text[position] != UInt8(ascii: "\"") {
      if text[position] == UInt8(ascii: "\\") {
        escaped = true
        position += 1
      }
      position += 1
    }
    position += 1
    if escaped { return try decodeJSON(String.self, from: text[start..<position]) }
    return String(decoding: text[start + 1..<position - 1], as: UTF8.self)
  }

  private mutating func number() -> JSONValue {
    let start = position
    while position < text.endIndex, isPartOfNumber(text[position]) { position += 1 }
    let digits = String(decoding: text[start..<position], as: UTF8.self)
    if let whole = Int64(digits) { return .integer(whole) }
    let value = Double(digits) ?? 0
    // 2.0 is as whole as 2, as far as doubles count every whole number.
    return value == value.rounded() && value.magnitude < 0x1p53 ? .integer(Int64(value)) : .number(value)
  }
}

private func isPartOfNumber(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
    UInt8(ascii: "e"), UInt8(ascii: "E"):
    true
  default: false
  }
}
