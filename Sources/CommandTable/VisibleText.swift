// SPDX-License-Identifier: Apache-2.0

/// `text`, which may hold what comes from outside, as one line that is safe to show: what would move a cursor, end the
/// line or turn its direction is written as JSON escapes it, `\u001b`.
///
/// Sequences that only colour (ECMA-48 SGR) and whose last parameter is `seal` are the program's own: they are written without it
/// where `colours` says so, and else left out. So nothing from outside colours or hides text, which it does not know.
public func visibleText(_ text: String, seal: String? = nil, colours: Bool = false) -> String {
  guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
  var shown = String.UnicodeScalarView()
  var rest = Substring(text).unicodeScalars
  while let scalar = rest.first {
    if let seal, let (parameters, end) = sealedColour(rest, seal: seal) {
      if colours { shown.append(contentsOf: "\u{1B}[\(parameters)m".unicodeScalars) }
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

/// The parameters, but for the seal, of a sequence that only colours and whose last parameter is `seal`, and where it ends; nil where
/// `text` does not begin with one.
public func sealedColour(
  _ text: Substring.UnicodeScalarView, seal: String
) -> (parameters: String, end: Substring.UnicodeScalarView.Index)? {
  var sequence = text
  guard sequence.popFirst() == "\u{1B}", sequence.popFirst() == "[" else { return nil }
  let parameters = sequence.prefix { ("0"..."9").contains($0) || $0 == ";" }
  sequence = sequence[parameters.endIndex...]
  let sealed = String(parameters)
  guard sequence.popFirst() == "m", sealed.hasSuffix(";" + seal) else { return nil }
  return (String(sealed.dropLast(seal.count + 1)), sequence.startIndex)
}
