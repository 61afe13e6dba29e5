// SPDX-License-Identifier: Apache-2.0

/// `text`, which may hold what comes from outside, as one line that is safe to show: what would move a cursor, end the
/// line or turn its direction is written as JSON escapes it, `\u001b`.
///
/// With `colours` the sequences that only colour (ECMA-48 SGR) are left as they are.
public func visibleText(_ text: String, colours: Bool = false) -> String {
  guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
  var shown = String.UnicodeScalarView()
  var rest = Substring(text).unicodeScalars
  while let scalar = rest.first {
    if colours, scalar == "\u{1B}", let end = endOfColour(rest) {
      shown.append(contentsOf: rest[..<end])
      rest = rest[end...]
      continue
    }
    rest.removeFirst()
    guard isUnsafe(scalar) else {
      shown.append(scalar)
      continue
    }
    let digits = String(scalar.value, radix: 16)
    shown.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
  }
  return String(shown)
}

/// Control characters of both sets, separators of lines and paragraphs, and what turns the direction of text.
private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}

/// Where a sequence that only colours ends; nil where none begins.
private func endOfColour(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index? {
  var sequence = text.dropFirst()
  guard sequence.popFirst() == "[" else { return nil }
  sequence = sequence.drop { ("0"..."9").contains($0) || $0 == ";" }
  return sequence.popFirst() == "m" ? sequence.startIndex : nil
}
