// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// Lines at the bottom of a terminal that are drawn over and over, while other lines scroll away above them.
struct LiveFrame {
  /// The columns of the lines drawn last.
  private var shown: [Int] = []

  /// What to write so that `scrolled` stands above and `frame` below, over the frame drawn last.
  ///
  /// `size` is the terminal's now: the frame is clipped to it, and what an earlier, wider one has become is counted as
  /// terminals break lines anew when they are made narrower.
  mutating func update(
    scrolled: [String] = [], frame: [String], size: (rows: Int, columns: Int), style: Style
  ) -> String {
    let width = max(1, size.columns)
    let rows = shown.reduce(0) { $0 + max(1, ($1 + width - 1) / width) }
    let frame = frame.prefix(max(1, size.rows - 1)).map { clipped($0, to: width) }
    var text = "\u{1B}[?2026h" + (rows > 0 ? "\u{1B}[\(rows)A\r" : "\r")
    for line in scrolled + frame { text += style.visible(line) + "\u{1B}[K\n" }
    text += "\u{1B}[J\u{1B}[?2026l"
    shown = frame.map(columnCount)
    return text
  }

  /// Hides the cursor, which would jump about.
  static let begin = "\u{1B}[?25l"
  /// Shows the cursor again.
  static let end = "\u{1B}[?25h"
}
