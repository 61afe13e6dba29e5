// SPDX-License-Identifier: Apache-2.0

extension JSONTape {
  /// The string at `index`, its escapes resolved; an unpaired surrogate becomes U+FFFD.
  public func string(at index: Int) -> String {
    let node = nodes[index]
    let text = bytes[Int(node.start)..<Int(node.end)]
    return node.hasEscapes ? unescaped(text) : String(decoding: text, as: UTF8.self)
  }

  /// Whether the string at `index` has half of a surrogate pair, which no text can hold.
  public func hasHalfSurrogate(at index: Int) -> Bool {
    let node = nodes[index]
    guard node.hasEscapes else { return false }
    var isOpen = false
    var at = Int(node.start)
    while at < Int(node.end) {
      var unit: UInt16?
      if bytes[at] == UInt8(ascii: "\\") {
        unit = bytes[at + 1] == UInt8(ascii: "u") ? codeUnit(bytes[...], at + 2) : nil
        at += unit == nil ? 2 : 6
      } else {
        at += 1
      }
      let isLow = unit.map { $0 & 0xFC00 == 0xDC00 } ?? false
      if isOpen != isLow { return true }
      isOpen = unit.map { $0 & 0xFC00 == 0xD800 } ?? false
    }
    return isOpen
  }
}

func unescaped(_ text: ArraySlice<UInt8>) -> String {
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
      units.append(codeUnit(text, at))
      at += 4
    default: units.append(UInt16(letter))
    }
    plain = at
  }
  flush()
  return result + String(decoding: text[plain..<at], as: UTF8.self)
}

/// The four hexadecimal digits at `at`.
private func codeUnit(_ text: ArraySlice<UInt8>, _ at: Int) -> UInt16 {
  text[at..<at + 4].reduce(0) { $0 << 4 | UInt16(hexValue($1) ?? 0) }
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
