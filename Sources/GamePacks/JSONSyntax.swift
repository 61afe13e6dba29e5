/// Where a text stops being JSON; the decoder says only that it does.
struct JSONSyntaxFault: Equatable {
  /// From 1.
  var line: Int
  /// From 1, in bytes.
  var column: Int
  /// What is wrong there.
  var reason: String
}

/// Finds the first byte at which `bytes` cannot be JSON any more; nil where they are JSON.
///
/// RFC 8259 as the decoder reads it: with nesting to 512 levels and a comma allowed before the end of a list or object.
func jsonSyntaxFault(in bytes: [UInt8]) -> JSONSyntaxFault? {
  var scanner = JSONScanner(bytes: bytes)
  do throws(JSONScanner.Fault) {
    try scanner.document()
    return nil
  } catch {
    let before = bytes[..<error.offset]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONSyntaxFault(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: error.offset - lineStart + 1, reason: error.reason)
  }
}

private struct JSONScanner {
  struct Fault: Error {
    var offset: Int
    var reason: String
  }

  let bytes: [UInt8]
  var offset = 0
  var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func fault(_ reason: String) -> Fault {
    Fault(offset: offset, reason: offset >= bytes.count ? "the text ends too early" : reason)
  }

  mutating func document() throws(Fault) {
    try value()
    skipSpace()
    if offset < bytes.count { throw Fault(offset: offset, reason: "there is more after the end") }
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  private mutating func value() throws(Fault) {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): try members(until: "}", named: true)
    case UInt8(ascii: "["): try members(until: "]", named: false)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case .some(let byte) where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): try number()
    case UInt8(ascii: "/"): throw fault("JSON has no comments")
    default: throw fault("a value is expected")
    }
  }

  private mutating func members(until close: Unicode.Scalar, named: Bool) throws(Fault) {
    let close = UInt8(ascii: close)
    guard depth < 512 else { throw fault("objects and lists are nested too deep") }
    depth += 1
    offset += 1
    skipSpace()
    if next != close {
      while true {
        if named {
          skipSpace()
          guard next == UInt8(ascii: "\"") else { throw fault("a name in double quotes is expected") }
          try string()
          skipSpace()
          guard next == UInt8(ascii: ":") else { throw fault("a colon is expected after the name") }
          offset += 1
        }
        try value()
        skipSpace()
        if next == close { break }
        guard next == UInt8(ascii: ",") else { throw fault("a comma or the end of the list or object is expected") }
        offset += 1
        skipSpace()
        if next == close { break }
      }
    }
    offset += 1
    depth -= 1
  }

  private mutating func string() throws(Fault) {
    offset += 1
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return
      }
      if byte < 0x20 { throw fault("a control character in text; write it as \\n, \\t or \\u00XX") }
      if byte == UInt8(ascii: "\\") { try escape() } else { try character() }
    }
    throw fault("")
  }

  private mutating func escape() throws(Fault) {
    offset += 1
    guard let byte = next else { throw fault("") }
    guard "\"\\/bfnrtu".utf8.contains(byte) else { throw fault("no such escape in text") }
    offset += 1
    guard byte == UInt8(ascii: "u") else { return }
    for _ in 0..<4 {
      guard let digit = next, Character(Unicode.Scalar(digit)).isHexDigit else {
        throw fault("four hex digits expected")
      }
      offset += 1
    }
  }

  private mutating func character() throws(Fault) {
    let length = bytes[offset] < 0x80 ? 1 : bytes[offset] >= 0xF0 ? 4 : bytes[offset] >= 0xE0 ? 3 : 2
    guard String(validating: bytes[offset..<min(offset + length, bytes.count)], as: UTF8.self) != nil else {
      throw Fault(offset: offset, reason: "not UTF-8")
    }
    offset += length
  }

  private mutating func word(_ word: String) throws(Fault) {
    guard bytes[offset...].starts(with: word.utf8) else { throw fault("a value is expected; did you mean \(word)?") }
    offset += word.utf8.count
  }

  private mutating func number() throws(Fault) {
    if next == UInt8(ascii: "-") { offset += 1 }
    if next == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
  }

  private mutating func digits() throws(Fault) {
    guard let first = next, (0x30...0x39).contains(first) else { throw fault("a digit is expected") }
    while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
  }
}
