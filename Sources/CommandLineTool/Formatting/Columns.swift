// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// Rows in columns as wide as their widest entry, two spaces apart; the last column runs free, or is broken between
/// words to fit in `width`. Where that leaves it no room each row has lines of its own: its first entry, and below it the others.
func columns(_ rows: [[String]], indent: Int = 0, width: Int = .max) -> [String] {
  var widths: [Int] = []
  for row in rows {
    for (index, entry) in row.enumerated() where index < row.count - 1 {
      if index == widths.count { widths.append(0) }
      widths[index] = max(widths[index], entry.count)
    }
  }
  let heads = indent + widths.reduce(0) { $0 + $1 + 2 }
  let longest = rows.compactMap(\.last?.count).max() ?? 0
  if width != .max, heads + min(leastRoom, longest) > width { return stacked(rows, indent: indent, width: width) }
  return rows.flatMap { row in
    let padded = row.dropLast().enumerated().map { index, entry in entry.padded(widths[index]) }
    let head = String(repeating: " ", count: indent) + padded.map { $0 + "  " }.joined()
    let room = width == .max ? Int.max : width - head.count
    let last = row.last ?? ""
    let parts = last.count <= room ? [last] : wrapped(last, width: room)
    return parts.enumerated().map { index, part in
      let line = (index == 0 ? head : String(repeating: " ", count: head.count)) + part
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

/// A row for each text, with the heading before the first.
func headed(_ heading: String, _ texts: [String]) -> [[String]] {
  texts.enumerated().map { index, text in [index == 0 ? heading : "", text] }
}

/// What the last column has at least, or no columns are of use.
private let leastRoom = 20

/// `text` without the spaces at its end.
func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == " " }.reversed()) }

/// Each row without columns.
private func stacked(_ rows: [[String]], indent: Int, width: Int) -> [String] {
  rows.flatMap { row in
    let first = row.first ?? ""
    let rest = row.dropFirst().filter { !$0.isEmpty }.joined(separator: ", ")
    let margin = String(repeating: " ", count: indent)
    // A row without a name goes on with the one above.
    let head = first.isEmpty ? [] : [margin + first]
    return head
      + (rest.isEmpty ? [] : wrapped(rest, width: max(leastRoom, width - indent - 2)).map { margin + "  " + $0 })
  }
}

/// `text` set in by `indent` and broken between words to fit in `width`, what follows set in twice as far.
func hanging(_ text: String, indent: Int, width: Int) -> [String] {
  let margin = String(repeating: " ", count: indent)
  if width == .max { return [margin + text] }
  let parts = wrapped(text, width: max(24, width - 2 * indent))
  return parts.enumerated().map { index, part in margin + (index == 0 ? "" : margin) + part }
}
