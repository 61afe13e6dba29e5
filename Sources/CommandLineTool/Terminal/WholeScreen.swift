// SPDX-License-Identifier: Apache-2.0

/// A terminal that is drawn on whole, on a screen of its own: what stood there before comes back at the end.
enum WholeScreen {
  /// Goes to the other screen (xterm's 1049, which terminals know by now) and hides the cursor.
  static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  /// Shows the cursor and goes back.
  static let end = "\u{1B}[?25h\u{1B}[?1049l"

  /// What to write so that the screen shows these lines and nothing else; at once, where the terminal can (mode 2026).
  static func drawing(_ lines: [String], style: Style) -> String {
    "\u{1B}[?2026h\u{1B}[H" + lines.map { style.visible($0) + "\u{1B}[K" }.joined(separator: "\r\n")
      + "\u{1B}[J\u{1B}[?2026l"
  }
}
