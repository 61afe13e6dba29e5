// SPDX-License-Identifier: Apache-2.0

/// Reads JSON in one pass, in time linear in the text and with a bounded depth, whatever the text. What is not JSON is
/// refused at its place.
struct JSONScanner {
  private(set) var nodes: [JSONTape.Node] = []
  private(set) var trailingCommas: [Int] = []
  private(set) var repeatedNames: [Int] = []
  /// Whether a string holds a byte that is no ASCII: whether it is UTF-8 is then to be seen.
  private(set) var isBeyondASCII = false
  private let text: UnsafeBufferPointer<UInt8>
  private let rules: JSONRules
  private var at = 0

  /// `text` must outlive the scanner's work.
  init(_ text: UnsafeBufferPointer<UInt8>, _ rules: JSONRules) {
    self.text = text
    self.rules = rules
    nodes.reserveCapacity(min(text.count / 8, 1 << 16) + 4)
    if text.starts(with: byteOrderMark) { at = byteOrderMark.count }
  }

  mutating func scan() throws(JSONFault) {
    if text.count > Int(Int32.max) { throw fault(.tooLarge, "the text has more bytes than are read", "split it") }
    skipSpace()
    if at == text.count { throw fault(.empty, "there is no JSON in it", "write an object: { ... }") }
    try value(depth: 0)
    skipSpace()
    if at < text.count {
      throw fault(.syntax, "\(found) follows the end of the value", "remove it, or the bracket too many before it")
    }
  }

  private mutating func value(depth: Int) throws(JSONFault) {
    switch peek {
    case UInt8(ascii: "{"): try object(depth: depth + 1)
    case UInt8(ascii: "["): try array(depth: depth + 1)
    case UInt8(ascii: "\""): try string(atMost: rules.textBytes, "text")
    case UInt8(ascii: "t"): try word("true", .true)
    case UInt8(ascii: "f"): try word("false", .false)
    case UInt8(ascii: "n"): try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || isDigit(byte): try number()
    default: throw unexpected(.value)
    }
  }

  private mutating func object(depth: Int) throws(JSONFault) {
    let index = try open(.object, depth: depth)
    var manyNames: Set<[UInt8]> = []
    while true {
      skipSpace()
      if peek == UInt8(ascii: "}") { break }
      let name = nodes.count
      guard peek == UInt8(ascii: "\"") else { throw unexpected(.keyOrEnd, in: index) }
      try string(atMost: rules.nameBytes, "name")
      if isRepeated(name, of: index, &manyNames) { repeatedNames.append(name) }
      skipSpace()
      guard peek == UInt8(ascii: ":") else { throw unexpected(.colon, in: index) }
      at += 1
      skipSpace()
      try value(depth: depth)
      nodes[index].count += 1
      if try !comma(before: UInt8(ascii: "}"), of: index) { break }
    }
    close(index)
  }

  private mutating func array(depth: Int) throws(JSONFault) {
    let index = try open(.array, depth: depth)
    while true {
      skipSpace()
      if peek == UInt8(ascii: "]") { break }
      guard let byte = peek, byte != UInt8(ascii: "}") else { throw unexpected(.valueOrEnd, in: index) }
      try value(depth: depth)
      nodes[index].count += 1
      if try !comma(before: UInt8(ascii: "]"), of: index) { break }
    }
    close(index)
  }

  private mutating func open(_ kind: JSONTape.Kind, depth: Int) throws(JSONFault) -> Int {
    if depth > rules.depth {
      throw fault(.tooDeep, "more than \(rules.depth) objects and arrays inside one another", "nest them less deeply")
    }
    let index = nodes.count
    try append(JSONTape.Node(kind: kind, start: Int32(at), end: 0, next: 0))
    at += 1
    return index
  }

  private mutating func close(_ index: Int) {
    at += 1
    nodes[index].end = Int32(at)
    nodes[index].next = Int32(nodes.count)
  }

  private mutating func append(_ node: JSONTape.Node) throws(JSONFault) {
    if nodes.count >= rules.values {
      throw fault(.tooLarge, "more than \(rules.values) values", "split the text")
    }
    nodes.append(node)
  }

  /// Whether another value of the object or array at `index` follows; if not, `closing` does.
  private mutating func comma(before closing: UInt8, of index: Int) throws(JSONFault) -> Bool {
    skipSpace()
    if peek == closing { return false }
    guard peek == UInt8(ascii: ",") else {
      var fault = unexpected(.commaOr(closing), in: index)
      fault.isBetweenValues = true
      throw fault
    }
    let comma = at
    at += 1
    skipSpace()
    guard peek == closing else { return true }
    if !rules.allowsTrailingCommas {
      at = comma
      throw fault(.syntax, "a comma stands before \(Character(UnicodeScalar(closing)))", "remove the comma")
    }
    trailingCommas.append(comma)
    return false
  }

  private mutating func string(atMost longest: Int, _ what: StaticString) throws(JSONFault) {
    at += 1
    let start = at
    var hasEscapes = false
    while true {
      guard let byte = peek else {
        at = start - 1
        throw fault(.truncated, "the string that begins here is not closed", "close it with a double quote")
      }
      if byte == UInt8(ascii: "\"") { break }
      if isLineEnd {
        at = start - 1
        throw fault(
          .syntax, "the string that begins here is not closed on its line",
          "close it with a double quote; a line break in a text is written \\n")
      }
      if byte < 0x20 { throw fault(.syntax, "a string holds a raw control character", "write it as \\n or \\u") }
      if byte >= 0x80 { isBeyondASCII = true }
      at += 1
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try escape()
      }
      if at - start > longest {
        at = start - 1
        throw fault(.tooLong, "a \(what) has more than \(longest) bytes", "shorten it")
      }
    }
    try append(
      JSONTape.Node(
        kind: .string, hasEscapes: hasEscapes, start: Int32(start), end: Int32(at), next: Int32(nodes.count + 1)))
    at += 1
  }

  private mutating func escape() throws(JSONFault) {
    switch peek {
    case UInt8(ascii: "u"):
      for offset in 1...4 where at + offset >= text.count || hexValue(text[at + offset]) == nil {
        throw fault(.syntax, "\\u is not followed by four hexadecimal digits", "write \\u00e9, for instance")
      }
      at += 5
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 1
    case nil: break
    default: throw fault(.syntax, "\\ is followed by \(found)", "write \\\\ for a backslash")
    }
  }

  private mutating func number() throws(JSONFault) {
    let start = at
    if peek == UInt8(ascii: "-") { at += 1 }
    let first = peek
    try digits("a number needs a digit here")
    if first == UInt8(ascii: "0"), at - start > (text[start] == UInt8(ascii: "-") ? 2 : 1) {
      at = start
      throw fault(.syntax, "a number begins with a zero too many", "write 5 for 05")
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
    if at - start > JSONRules.numberBytes {
      at = start
      throw fault(.tooLong, "a number has more than \(JSONRules.numberBytes) bytes", "seventeen digits are exact")
    }
    try append(JSONTape.Node(kind: .number, start: Int32(start), end: Int32(at), next: Int32(nodes.count + 1)))
  }

  private mutating func digits(_ complaint: String) throws(JSONFault) {
    let start = at
    while let byte = peek, isDigit(byte) { at += 1 }
    if at == start { throw fault(.syntax, complaint, "write 0.5 for .5, 5 or 5.0 for 5.") }
  }

  private mutating func word(_ word: StaticString, _ kind: JSONTape.Kind) throws(JSONFault) {
    let start = at
    let length = word.utf8CodeUnitCount
    let matches =
      at + length <= text.count
      && word.withUTF8Buffer { word in (0..<length).allSatisfy { word[$0] == text[start + $0] } }
    if !matches { throw unexpected(.value) }
    at += length
    try append(JSONTape.Node(kind: kind, start: Int32(start), end: Int32(at), next: Int32(nodes.count + 1)))
  }

  private var isLineEnd: Bool {
    let next = at + 1 < text.count ? text[at + 1] : 0
    return text[at] == UInt8(ascii: "\n") || text[at] == UInt8(ascii: "\r") && next == UInt8(ascii: "\n")
  }

  private var peek: UInt8? { at < text.count ? text[at] : nil }

  private mutating func skipSpace() {
    while at < text.count {
      switch text[at] {
      case 0x20, 0x0A, 0x0D, 0x09: at += 1
      default: return
      }
    }
  }
}

/// Names that repeat one of their object: few are compared one by one, many are hashed, so that no text takes quadratic
/// time.
///
/// They are the same where their bytes are, not where Unicode calls them alike: that would take time with the square of
/// the combining marks in one.
extension JSONScanner {
  private func isRepeated(_ name: Int, of object: Int, _ many: inout Set<[UInt8]>) -> Bool {
    let isOneOfFew = nodes[object].count < 8
    if isOneOfFew || many.isEmpty {
      var other = object + 1
      while other < name {
        if isOneOfFew {
          if isEqual(nodes[other], nodes[name]) { return true }
        } else {
          many.insert(resolved(nodes[other]))
        }
        other = Int(nodes[other + 1].next)
      }
    }
    return isOneOfFew ? false : !many.insert(resolved(nodes[name])).inserted
  }

  private func isEqual(_ a: JSONTape.Node, _ b: JSONTape.Node) -> Bool {
    if a.hasEscapes || b.hasEscapes { return resolved(a) == resolved(b) }
    guard a.end - a.start == b.end - b.start else { return false }
    for offset in 0..<Int(a.end - a.start) where text[Int(a.start) + offset] != text[Int(b.start) + offset] {
      return false
    }
    return true
  }

  private func resolved(_ name: JSONTape.Node) -> [UInt8] {
    let bytes = Array(text[Int(name.start)..<Int(name.end)])
    return name.hasEscapes ? Array(unescaped(bytes[...]).utf8) : bytes
  }
}

/// What is said of a fault.
extension JSONScanner {
  /// What could have stood where something else does.
  private enum Wanted: CustomStringConvertible {
    case value, valueOrEnd, keyOrEnd, colon
    case commaOr(UInt8)

    var description: String {
      switch self {
      case .value: "a value"
      case .valueOrEnd: "a value or ]"
      case .keyOrEnd: "a key in quotes or }"
      case .colon: ": after the key"
      case .commaOr(let closing): ", or \(Character(UnicodeScalar(closing)))"
      }
    }
  }

  /// What stands at the place reached, for messages: a word, or the scalar there.
  private var found: String {
    guard at < text.count else { return "the end of the text" }
    let rest = String(decoding: text[at..<min(at + 16, text.count)], as: UTF8.self).unicodeScalars
    let word = rest.prefix { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    if !word.isEmpty { return String(String.UnicodeScalarView(word)) }
    guard let scalar = rest.first, scalar.value > 0x20, scalar.value != 0x7F else { return "a control character" }
    return String(scalar)
  }

  private func unexpected(_ wanted: Wanted) -> JSONFault {
    guard at < text.count else {
      return fault(.truncated, "the text ends where \(wanted) should be", "restore its end")
    }
    let remedy =
      switch (found, wanted) {
      case ("/", _), ("#", _): "remove the comment: JSON has none"
      case ("NaN", _), ("Infinity", _), ("inf", _), ("nan", _): "write a number"
      case ("'", _): "use double quotes"
      case ("\u{201C}", _), ("\u{201D}", _), ("\u{2018}", _), ("\u{2019}", _): "use straight double quotes"
      case (let word, .keyOrEnd) where word.unicodeScalars.allSatisfy(\.properties.isAlphabetic):
        "write the key in quotes"
      case (let word, .value) where word.utf8.count > 1 && !word.utf8.contains(0x20):
        "write a value here: text goes in double quotes"
      default: "write \(wanted) here"
      }
    return fault(.syntax, "found \(found) where \(wanted) should be", remedy)
  }

  /// The same inside an object or array, whose own end may be what is missing.
  private func unexpected(_ wanted: Wanted, in index: Int) -> JSONFault {
    var fault = unexpected(wanted)
    fault.opening = Int(nodes[index].start)
    // A word right behind a closing quote: the quote was meant to open the next string.
    if let last = nodes.last, last.kind == .string, Int(last.end) + 1 == at, let byte = peek, isWord(byte) {
      fault.string = Int(last.start) - 1
    }
    return fault
  }

  private func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }

  private func fault(_ kind: JSONFault.Kind, _ reason: String, _ remedy: String) -> JSONFault {
    JSONFault(kind: kind, offset: at, reason: reason, remedy: remedy)
  }
}

extension JSONFault {
  /// Where `bytes` stop being UTF-8; nil when they are all UTF-8.
  init?(notUTF8 bytes: [UInt8]) {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      self.init(
        kind: .notUTF8, offset: error.byteOffsets.lowerBound,
        reason: isUTF16 ? "this is UTF-16" : "this is not UTF-8",
        remedy: "save it as UTF-8" + (isUTF16 ? " (iconv -f UTF-16 -t UTF-8)" : ""))
    }
  }
}
