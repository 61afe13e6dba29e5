/// Reads JSON (RFC 8259) in one pass, and lets a comma before a closing bracket pass with a remark, as Apple's reader
/// and Apple's own files do. Everything else that is not JSON is refused at its place. Time is linear in the text and
/// depth is bounded, whatever the text.
struct JSONScanner {
  /// Why a text is not JSON.
  struct Failure: Error {
    var offset: Int
    var code: String
    var reason: String
    var remedy: String
  }

  private(set) var tape: JSONTape
  /// Where commas stand that should not.
  private(set) var trailingCommas: [Int] = []
  /// The keys that repeat one of their object, by their indices in the tape.
  private(set) var duplicateKeys: [Int] = []
  private var at = 0
  private let depthLimit: Int

  /// Scans `bytes`, which must be UTF-8, from `start`.
  init(_ bytes: [UInt8], from start: Int, depthLimit: Int) throws(Failure) {
    tape = JSONTape(bytes: bytes)
    tape.nodes.reserveCapacity(bytes.count / 16 + 4)
    self.depthLimit = depthLimit
    at = start
    skipSpace()
    if at == bytes.count { throw failure("empty", "the file is empty", "write a Pattern in it") }
    try value(depth: 0)
    skipSpace()
    if at < bytes.count {
      throw failure("syntax", "\(found) follows the end of the value", "remove it, or the bracket too many before it")
    }
  }

  private mutating func value(depth: Int) throws(Failure) {
    switch peek {
    case UInt8(ascii: "{"): try object(depth: depth + 1)
    case UInt8(ascii: "["): try array(depth: depth + 1)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true", .true)
    case UInt8(ascii: "f"): try word("false", .false)
    case UInt8(ascii: "n"): try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): try number()
    default: throw unexpected("a value")
    }
  }

  private mutating func object(depth: Int) throws(Failure) {
    let index = try open(.object, depth: depth)
    var keys = KeySet()
    while true {
      skipSpace()
      if peek == UInt8(ascii: "}") { break }
      let key = tape.nodes.count
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes or }") }
      try string()
      if !keys.insert(key, of: tape) { duplicateKeys.append(key) }
      skipSpace()
      guard peek == UInt8(ascii: ":") else { throw unexpected(": after the key") }
      at += 1
      skipSpace()
      try value(depth: depth)
      tape.nodes[index].count += 1
      if try !comma(before: UInt8(ascii: "}")) { break }
    }
    close(index)
  }

  private mutating func array(depth: Int) throws(Failure) {
    let index = try open(.array, depth: depth)
    while true {
      skipSpace()
      if peek == UInt8(ascii: "]") { break }
      try value(depth: depth)
      tape.nodes[index].count += 1
      if try !comma(before: UInt8(ascii: "]")) { break }
    }
    close(index)
  }

  private mutating func open(_ kind: JSONTape.Kind, depth: Int) throws(Failure) -> Int {
    if depth > depthLimit {
      throw failure(
        "too-deep", "more than \(depthLimit) objects and arrays inside one another", "AHAP needs six; flatten the file")
    }
    tape.nodes.append(JSONTape.Node(kind: kind, start: Int32(at), end: 0, next: 0))
    at += 1
    return tape.nodes.count - 1
  }

  private mutating func close(_ index: Int) {
    at += 1
    tape.nodes[index].end = Int32(at)
    tape.nodes[index].next = Int32(tape.nodes.count)
  }

  /// Whether another value follows; if not, `closing` does.
  private mutating func comma(before closing: UInt8) throws(Failure) -> Bool {
    skipSpace()
    if peek == closing { return false }
    let character = Character(UnicodeScalar(closing))
    guard peek == UInt8(ascii: ",") else { throw unexpected(", or \(character)") }
    let comma = at
    at += 1
    skipSpace()
    if peek == closing {
      trailingCommas.append(comma)
      return false
    }
    return true
  }

  private mutating func string() throws(Failure) {
    at += 1
    let start = at
    var hasEscapes = false
    while true {
      guard let byte = peek else {
        at = start - 1
        throw failure("truncated", "this string does not end", "add the closing quote")
      }
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 { throw failure("syntax", "a string holds a raw control character", "write it as \\n or \\u") }
      at += 1
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try escape()
      }
    }
    tape.nodes.append(
      JSONTape.Node(
        kind: .string, hasEscapes: hasEscapes, start: Int32(start), end: Int32(at), next: Int32(tape.nodes.count + 1)))
    at += 1
  }

  private mutating func escape() throws(Failure) {
    switch peek {
    case UInt8(ascii: "u"):
      for offset in 1...4 where at + offset >= tape.bytes.count || hexValue(tape.bytes[at + offset]) == nil {
        throw failure("syntax", "\\u is not followed by four hexadecimal digits", "write \\u00e9, for instance")
      }
      at += 5
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 1
    case nil: break
    default: throw failure("syntax", "\\ is followed by \(found)", "write \\\\ for a backslash")
    }
  }

  private mutating func number() throws(Failure) {
    let start = at
    if peek == UInt8(ascii: "-") { at += 1 }
    let first = peek
    try digits("a number needs a digit here")
    if first == UInt8(ascii: "0"), at - start > (tape.bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
      at = start
      throw failure("syntax", "a number begins with a zero too many", "write 5 for 05")
    }
    if peek == UInt8(ascii: ".") {
      at += 1
      try digits("a number needs a digit after its point")
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      at += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { at += 1 }
      try digits("a number needs a digit in its exponent")
    }
    tape.nodes.append(
      JSONTape.Node(kind: .number, start: Int32(start), end: Int32(at), next: Int32(tape.nodes.count + 1)))
  }

  private mutating func digits(_ complaint: String) throws(Failure) {
    let start = at
    while let byte = peek, isDigit(byte) { at += 1 }
    if at == start { throw failure("syntax", complaint, "write 0.5 for .5, 5 or 5.0 for 5.") }
  }

  private mutating func word(_ text: StaticString, _ kind: JSONTape.Kind) throws(Failure) {
    let start = at
    let length = text.utf8CodeUnitCount
    let matches =
      at + length <= tape.bytes.count
      && text.withUTF8Buffer { word in (0..<length).allSatisfy { word[$0] == tape.bytes[start + $0] } }
    if !matches { throw unexpected("a value") }
    at += length
    tape.nodes.append(JSONTape.Node(kind: kind, start: Int32(start), end: Int32(at), next: Int32(tape.nodes.count + 1)))
  }

  private var peek: UInt8? { at < tape.bytes.count ? tape.bytes[at] : nil }

  private mutating func skipSpace() {
    while at < tape.bytes.count {
      switch tape.bytes[at] {
      case 0x20, 0x0A, 0x0D, 0x09: at += 1
      default: return
      }
    }
  }

  /// What stands at the place reached, for messages.
  private var found: String {
    guard at < tape.bytes.count else { return "the end of the file" }
    let rest = String(decoding: tape.bytes[at..<min(at + 16, tape.bytes.count)], as: UTF8.self)
    let word = rest.prefix { $0.isLetter || $0.isNumber }
    return String(word.isEmpty ? rest.prefix(1) : word)
  }

  private func unexpected(_ wanted: String) -> Failure {
    guard at < tape.bytes.count else {
      return failure("truncated", "the file ends where \(wanted) should be", "restore the end of the file")
    }
    let remedy =
      switch found {
      case "/", "#": "remove the comment: JSON has none"
      case "NaN", "Infinity", "inf", "nan": "write a number"
      case "'": "use double quotes"
      default: "write \(wanted) here"
      }
    return failure("syntax", "found \(found) where \(wanted) should be", remedy)
  }

  private func failure(_ code: String, _ reason: String, _ remedy: String) -> Failure {
    Failure(offset: at, code: code, reason: reason, remedy: remedy)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

/// The keys of one object. Few are compared one by one, many are hashed, so that no file takes quadratic time.
private struct KeySet {
  private var few: [Int] = []
  private var many: Set<String> = []

  /// False when the key is there already.
  mutating func insert(_ key: Int, of tape: JSONTape) -> Bool {
    if few.count < 8 {
      for other in few where equal(other, key, in: tape) { return false }
      few.append(key)
      return true
    }
    if many.isEmpty { many = Set(few.map { tape.string(at: $0) }) }
    return many.insert(tape.string(at: key)).inserted
  }

  private func equal(_ a: Int, _ b: Int, in tape: JSONTape) -> Bool {
    let (first, second) = (tape.nodes[a], tape.nodes[b])
    if first.hasEscapes || second.hasEscapes { return tape.string(at: a) == tape.string(at: b) }
    return tape.bytes[Int(first.start)..<Int(first.end)].elementsEqual(tape.bytes[Int(second.start)..<Int(second.end)])
  }
}
