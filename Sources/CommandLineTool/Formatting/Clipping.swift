// SPDX-License-Identifier: Apache-2.0

/// `text` in at most `width` columns of a terminal, the last an ellipsis where something was cut.
///
/// What was painted takes no room, and colours end where the text is cut. Control characters, and sequences that were not painted
/// here, are shown with a `?`: they would move the cursor, or paint.
func clipped(_ text: String, to width: Int) -> String {
  let pieces = terminalPieces(text)
  let fits = pieces.reduce(0) { $0 + $1.columns } <= width
  var result = ""
  var used = 0
  var isStyled = false
  for piece in pieces {
    if !fits, used + piece.columns > width - 1 {
      return result + (width > 0 ? "…" : "") + (isStyled ? Style.normal : "")
    }
    result += piece.text
    used += piece.columns
    isStyled = isStyled || piece.columns == 0
  }
  return result
}

/// The columns that `text` takes on a terminal.
func columnCount(_ text: String) -> Int { terminalPieces(text).reduce(0) { $0 + $1.columns } }

/// Characters and escape sequences, each with its columns.
private func terminalPieces(_ text: String) -> [(text: String, columns: Int)] {
  var pieces: [(text: String, columns: Int)] = []
  var rest = Substring(text)
  while true {
    if let end = Style.endOfPaint(rest) {
      pieces.append((String(rest[..<end]), 0))
      rest = rest[end...]
      continue
    }
    guard let character = rest.popFirst() else { break }
    guard let scalar = character.unicodeScalars.first else { continue }
    if scalar.properties.generalCategory == .control {
      pieces.append(("?", 1))
    } else {
      pieces.append((String(character), isWide(scalar) ? 2 : 1))
    }
  }
  return pieces
}

/// Whether a character takes two columns: East Asian Width W or F (Unicode Standard Annex 11), by its blocks, and emoji.
private func isWide(_ scalar: UnicodeScalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
    true
  default: scalar.properties.isEmojiPresentation
  }
}
