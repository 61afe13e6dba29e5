// SPDX-License-Identifier: Apache-2.0

/// Characters in rows, each with its ink: what a picture is put together on before it becomes text.
struct Canvas {
  private var cells: [[(character: Character, ink: Ink)]]

  /// A canvas of spaces.
  init(width: Int, height: Int) {
    cells = Array(repeating: Array(repeating: (" ", .normal), count: max(0, width)), count: max(0, height))
  }

  /// Puts `text` at a place; what would stand outside is left out.
  mutating func put(_ text: some StringProtocol, row: Int, column: Int, _ ink: Ink = .normal) {
    guard cells.indices.contains(row) else { return }
    for (offset, character) in text.enumerated() where cells[row].indices.contains(column + offset) {
      cells[row][column + offset] = (character, ink)
    }
  }

  /// Puts characters one above the other, the first of them in `row`.
  mutating func stack(_ characters: [Character], from row: Int, column: Int, _ ink: Ink) {
    for (above, character) in characters.enumerated() { put(String(character), row: row - above, column: column, ink) }
  }

  /// The character at a place; a space outside.
  func character(row: Int, column: Int) -> Character {
    guard cells.indices.contains(row), cells[row].indices.contains(column) else { return " " }
    return cells[row][column].character
  }

  /// The rows as text, without spaces at their ends, neighbours of one ink painted together.
  func lines(_ style: Style) -> [String] {
    cells.map { row in
      let end = row.lastIndex { $0.character != " " }.map { $0 + 1 } ?? 0
      var line = ""
      var run = ""
      var ink = Ink.normal
      for cell in row[..<end] {
        if cell.ink != ink, cell.character != " " {
          line += style.paint(run, ink)
          run = ""
          ink = cell.ink
        }
        run.append(cell.character)
      }
      return line + style.paint(run, ink)
    }
  }
}
