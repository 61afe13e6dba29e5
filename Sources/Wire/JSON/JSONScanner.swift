/// What a look at a whole JSON text found, before anything in it is decoded.
package enum JSONShape: Sendable {
  /// An object, with where the values of its own members stand.
  case object([JSONMember])
  case array
  /// A string, a number, true, false or null.
  case scalar
}

/// One member of an object: its name and the bytes of its value.
package struct JSONMember: Sendable {
  package var name: String
  package var value: Range<Int>
}

/// Why a text is not JSON, or not JSON that is read here.
package struct JSONSyntaxError: Error, Equatable {
  package enum Reason: Equatable, Sendable {
    case unexpected(UInt8)
    case ended
    case badString
    case badNumber
    case badLiteral
    case badEncoding
    case tooDeep
  }

  package var reason: Reason
  /// Counted from the text's first byte.
  package var offset: Int
}

/// Checks that `text` is JSON (RFC 8259), in one pass and without recursion, so that hostile nesting costs nothing.
///
/// `maximumDepth` counts arrays and objects within one another, 63 at most.
package func scanJSON(_ text: ArraySlice<UInt8>, maximumDepth: Int) throws(JSONSyntaxError) -> JSONShape {
  var scanner = JSONScanner(text: text, maximumDepth: min(maximumDepth, 63))
  return try scanner.scan()
}

private struct JSONScanner {
  let text: ArraySlice<UInt8>
  let maximumDepth: Int
  var position: Int
  var depth = 0
  /// One bit a level, set for an object.
  var kinds: UInt64 = 0
  var members: [JSONMember] = []
  var memberName = ""
  var memberStart = 0

  enum Expectation { case value, valueOrEnd, name, nameOrEnd, separatorOrEnd, nothing }

  init(text: ArraySlice<UInt8>, maximumDepth: Int) {
    self.text = text
    self.maximumDepth = maximumDepth
    self.position = text.startIndex
  }

  var insideObject: Bool { kinds & (1 << UInt64(depth)) != 0 }

  mutating func scan() throws(JSONSyntaxError) -> JSONShape {
    var expectation = Expectation.value
    var root = JSONShape.scalar
    while let byte = nextByte() {
      if depth == 0, case .value = expectation { root = byte == brace ? .object([]) : byte == bracket ? .array : root }
      expectation = try step(byte, expectation)
    }
    guard case .nothing = expectation else { throw error(.ended) }
    if case .object = root { return .object(members) }
    return root
  }

  mutating func step(_ byte: UInt8, _ expectation: Expectation) throws(JSONSyntaxError) -> Expectation {
    switch expectation {
    case .value, .valueOrEnd:
      if case .valueOrEnd = expectation, byte == closingBracket { return close() }
      if depth == 1, insideObject { memberStart = position }
      return try beginValue(byte)
    case .name, .nameOrEnd:
      if case .nameOrEnd = expectation, byte == closingBrace { return close() }
      guard byte == quote else { throw error(.unexpected(byte)) }
      let start = position
      try scanString()
      if depth == 1 { memberName = try decodeName(start..<position) }
      guard let colon = nextByte() else { throw error(.ended) }
      guard colon == UInt8(ascii: ":") else { throw error(.unexpected(colon)) }
      position += 1
      return .value
    case .separatorOrEnd:
      if byte == UInt8(ascii: ",") {
        position += 1
        return insideObject ? .name : .value
      }
      guard byte == (insideObject ? closingBrace : closingBracket) else { throw error(.unexpected(byte)) }
      return close()
    case .nothing: throw error(.unexpected(byte))
    }
  }

  mutating func beginValue(_ byte: UInt8) throws(JSONSyntaxError) -> Expectation {
    switch byte {
    case brace, bracket:
      guard depth < maximumDepth else { throw error(.tooDeep) }
      depth += 1
      let bit = UInt64(1) << UInt64(depth)
      kinds = byte == brace ? kinds | bit : kinds & ~bit
      position += 1
      return byte == brace ? .nameOrEnd : .valueOrEnd
    case quote: try scanString()
    case UInt8(ascii: "t"): try scanLiteral("true")
    case UInt8(ascii: "f"): try scanLiteral("false")
    case UInt8(ascii: "n"): try scanLiteral("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
    default: throw error(.unexpected(byte))
    }
    return endValue()
  }

  mutating func close() -> Expectation {
    position += 1
    depth -= 1
    return endValue()
  }

  mutating func endValue() -> Expectation {
    if depth == 1, insideObject { members.append(JSONMember(name: memberName, value: memberStart..<position)) }
    return depth == 0 ? .nothing : .separatorOrEnd
  }

  /// The next byte that is not white space.
  mutating func nextByte() -> UInt8? {
    while position < text.endIndex {
      switch text[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  mutating func scanString() throws(JSONSyntaxError) {
    position += 1
    while position < text.endIndex {
      switch text[position] {
      case quote:
        position += 1
        return
      case UInt8(ascii: "\\"): try scanEscape()
      case 0..<0x20: throw error(.badString)
      default: position += 1
      }
    }
    throw error(.ended)
  }

  mutating func scanEscape() throws(JSONSyntaxError) {
    guard position + 1 < text.endIndex else { throw error(.ended) }
    switch text[position + 1] {
    case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      guard position + 6 <= text.endIndex else { throw error(.ended) }
      guard text[position + 2..<position + 6].allSatisfy(isHexDigit) else { throw error(.badString) }
      position += 6
    default: throw error(.badString)
    }
  }

  mutating func scanLiteral(_ word: StaticString) throws(JSONSyntaxError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard position + index < text.endIndex else { throw error(.ended) }
      guard text[position + index] == word.utf8Start[index] else { throw error(.badLiteral) }
    }
    position += word.utf8CodeUnitCount
  }

  mutating func scanNumber() throws(JSONSyntaxError) {
    let start = position
    if text[position] == UInt8(ascii: "-") { position += 1 }
    let whole = scanDigits()
    guard whole == 1 || (whole > 1 && text[position - whole] != UInt8(ascii: "0")) else {
      throw JSONSyntaxError(reason: .badNumber, offset: start - text.startIndex)
    }
    var complete = true
    if position < text.endIndex, text[position] == UInt8(ascii: ".") {
      position += 1
      complete = scanDigits() > 0
    }
    if complete, position < text.endIndex, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.endIndex, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
        position += 1
      }
      complete = scanDigits() > 0
    }
    guard complete else { throw JSONSyntaxError(reason: .badNumber, offset: start - text.startIndex) }
  }

  mutating func scanDigits() -> Int {
    let start = position
    while position < text.endIndex, isDigit(text[position]) { position += 1 }
    return position - start
  }

  func decodeName(_ range: Range<Int>) throws(JSONSyntaxError) -> String {
    let inner = text[range.lowerBound + 1..<range.upperBound - 1]
    if !inner.contains(UInt8(ascii: "\\")) { return String(decoding: inner, as: UTF8.self) }
    guard let name = try? decodeJSON(String.self, from: text[range]) else { throw error(.badString) }
    return name
  }

  func error(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
    JSONSyntaxError(reason: reason, offset: position - text.startIndex)
  }
}

private let brace = UInt8(ascii: "{")
private let closingBrace = UInt8(ascii: "}")
private let bracket = UInt8(ascii: "[")
private let closingBracket = UInt8(ascii: "]")
private let quote = UInt8(ascii: "\"")

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

private func isHexDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f"))
}

extension JSONSyntaxError: CustomStringConvertible {
  package var description: String {
    switch reason {
    case .unexpected(let byte) where byte > 0x20 && byte < 0x7F:
      "unexpected \"\(Character(Unicode.Scalar(byte)))\" at byte \(offset)"
    case .unexpected: "unexpected byte at byte \(offset)"
    case .ended: "the text ends too early, at byte \(offset)"
    case .badString: "a string is not well formed at byte \(offset)"
    case .badNumber: "a number is not well formed at byte \(offset)"
    case .badLiteral: "expected true, false or null at byte \(offset)"
    case .badEncoding: "not UTF-8"
    case .tooDeep: "nested too deeply at byte \(offset)"
    }
  }
}
