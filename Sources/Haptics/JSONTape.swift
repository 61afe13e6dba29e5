/// JSON text as read, value after value in one array, each with its place in the text: an object or array is followed
/// by what is in it. Strings and numbers stay in the text until asked for.
struct JSONTape {
  /// What a value is.
  enum Kind: UInt8 {
    case object, array, string, number, `true`, `false`, null
  }

  /// One value. The members of an object are a string and a value in turn.
  struct Node {
    var kind: Kind
    /// Whether a string has escapes.
    var hasEscapes = false
    /// Where its text begins and ends; of a string without the quotes.
    var start: Int32
    var end: Int32
    /// Values (of an object: members) directly inside.
    var count: Int32 = 0
    /// The index after the last value inside.
    var next: Int32
  }

  let bytes: [UInt8]
  var nodes: [Node] = []

  /// The values of the array at `index`, by their indices.
  func elements(of index: Int) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(Int(nodes[index].count))
    var at = index + 1
    while at < nodes[index].next {
      result.append(at)
      at = Int(nodes[at].next)
    }
    return result
  }

  /// Calls `body` with the index of the key and of the value of each member of the object at `index`.
  func forEachMember(of index: Int, _ body: (_ key: Int, _ value: Int) -> Void) {
    var at = index + 1
    while at < nodes[index].next {
      body(at, at + 1)
      at = Int(nodes[at + 1].next)
    }
  }

  /// Whether the string at `index` is `text`.
  func isString(_ index: Int, _ text: StaticString) -> Bool {
    let node = nodes[index]
    guard node.kind == .string else { return false }
    if node.hasEscapes { return string(at: index) == "\(text)" }
    let length = Int(node.end - node.start)
    guard length == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { wanted in
      for offset in 0..<length where wanted[offset] != bytes[Int(node.start) + offset] { return false }
      return true
    }
  }

  /// The string at `index`, its escapes resolved; an unpaired surrogate becomes U+FFFD.
  func string(at index: Int) -> String {
    let node = nodes[index]
    let text = bytes[Int(node.start)..<Int(node.end)]
    return node.hasEscapes ? unescaped(text) : String(decoding: text, as: UTF8.self)
  }

  /// The number at `index`; infinite when it is too large for a Double.
  func number(at index: Int) -> Double {
    let node = nodes[index]
    return decimalNumber(bytes, Int(node.start), Int(node.end))
  }

  /// The value at `index` as it is written.
  func text(at index: Int) -> String {
    let node = nodes[index]
    let quote = node.kind == .string ? 1 : 0
    return String(decoding: bytes[(Int(node.start) - quote)..<(Int(node.end) + quote)], as: UTF8.self)
  }
}

private func unescaped(_ text: ArraySlice<UInt8>) -> String {
  var units: [UInt16] = []
  var result = ""
  var at = text.startIndex
  var plain = at
  func flush() {
    if !units.isEmpty { result += String(decoding: units, as: UTF16.self) }
    units = []
  }
  while at < text.endIndex {
    if text[at] != UInt8(ascii: "\\") {
      at += 1
      continue
    }
    if plain < at {
      flush()
      result += String(decoding: text[plain..<at], as: UTF8.self)
    }
    let letter = text[at + 1]
    at += 2
    switch letter {
    case UInt8(ascii: "b"): units.append(8)
    case UInt8(ascii: "f"): units.append(12)
    case UInt8(ascii: "n"): units.append(10)
    case UInt8(ascii: "r"): units.append(13)
    case UInt8(ascii: "t"): units.append(9)
    case UInt8(ascii: "u"):
      units.append(text[at..<at + 4].reduce(0) { $0 << 4 | UInt16(hexValue($1) ?? 0) })
      at += 4
    default: units.append(UInt16(letter))
    }
    plain = at
  }
  flush()
  return result + String(decoding: text[plain..<at], as: UTF8.self)
}

/// The value of a hexadecimal digit, or nil.
func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// The nearest Double to a JSON number that the scanner has passed. Up to 15 digits and 22 powers of ten both parts are
/// exact Doubles, so that one rounding is left (Clinger 1990); others go the library's way.
private func decimalNumber(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Double {
  var digits = UInt64(0)
  var count = 0
  var scale = 0
  var at = start
  var isNegative = false
  var seenPoint = false
  while at < end, count <= 15 {
    switch bytes[at] {
    case UInt8(ascii: "-"): isNegative = true
    case UInt8(ascii: "."): seenPoint = true
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      digits = digits * 10 + UInt64(bytes[at] - UInt8(ascii: "0"))
      if digits > 0 { count += 1 }
      if seenPoint { scale += 1 }
    default: count = .max - 1
    }
    at += 1
  }
  guard count <= 15, scale < powersOfTen.count else {
    return Double(String(decoding: bytes[start..<end], as: UTF8.self)) ?? .nan
  }
  let value = Double(digits) / powersOfTen[scale]
  return isNegative ? -value : value
}

private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]
