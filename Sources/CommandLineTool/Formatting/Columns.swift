// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// Rows in columns as wide as their widest entry, two spaces apart; the last column runs free, or is broken between
/// words to fit in `width`.
func columns(_ rows: [[String]], indent: Int = 0, width: Int = .max) -> [String] {
  var widths: [Int] = []
  for row in rows {
    for (index, entry) in row.enumerated() where index < row.count - 1 {
      if index == widths.count { widths.append(0) }
      widths[index] = max(widths[index], entry.count)
    }
  }
  return rows.flatMap { row in
    let padded = row.dropLast().enumerated().map { index, entry in entry.padded(widths[index]) }
    let head = String(repeating: " ", count: indent) + padded.map { $0 + "  " }.joined()
    let room = max(24, width == .max ? .max : width - head.count)
    let last = row.last ?? ""
    let parts = last.count <= room ? [last] : wrapped(last, width: room)
    return parts.enumerated().map { index, part in
      let line = (index == 0 ? head : String(repeating: " ", count: head.count)) + part
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

/// `text` set in by `indent` and broken between words to fit in `width`, what follows set in twice as far.
func hanging(_ text: String, indent: Int, width: Int) -> [String] {
  let margin = String(repeating: " ", count: indent)
  if width == .max { return [margin + text] }
  let parts = wrapped(text, width: max(24, width - 2 * indent))
  return parts.enumerated().map { index, part in margin + (index == 0 ? "" : margin) + part }
}
