// SPDX-License-Identifier: Apache-2.0

import Wire

/// A chapter as it is played on a whole terminal: everything has its place, and only what changes moves.
///
/// A pure function of its properties; what does not fit is left out, what matters least first.
struct ChapterScreen {
  let board: ChapterBoard
  var lastTap: RhythmTap.Result?
  /// What happened, the newest at the end.
  var log: [String] = []
  /// Which keys there are.
  var hint: String
  /// Why nothing is heard, where that is so.
  var silence: String?
  let style: Style

  /// The lines at an instant, at most `rows`, each of at most `columns`.
  func lines(atUs nowUs: Int64, rows: Int, columns: Int) -> [String] {
    // The lower a part's number, the longer it stays on a terminal that is made smaller.
    var parts: [(rank: Int, line: String)] = [
      (4, title(atUs: nowUs, columns)),
      (3, "  " + progress(atUs: nowUs, width: min(columns, 100) - 4)),
      (1, counts(columns)),
      (6, ""),
    ]
    parts += board.laneLines(atUs: nowUs, width: columns, style: style).map { (0, $0) }
    // The words beside it are never longer than so much.
    let scale = (max(9, min(41, columns - 39)) - 1) | 1
    let shown = tapScale(errorUs: lastTap?.errorUs, windowUs: board.windowUs, width: scale)
    parts += [(6, ""), (2, "  early \(shown) late  " + verdict), (5, board.feltLine(width: columns, style: style))]
    if let silence { parts.append((3, style.paint("  " + silence, .warning))) }
    parts.append((6, ""))
    let below = (rank: 4, line: style.paint("  " + hint, .dim))
    let free = max(0, rows - parts.count - 1)
    parts += log.suffix(free).map { (7, $0) }
    parts += Array(repeating: (7, ""), count: max(0, free - log.count))
    parts.append(below)
    while parts.count > max(1, rows), let least = parts.map(\.rank).max(),
      let index = parts.lastIndex(where: { $0.rank == least })
    {
      parts.remove(at: index)
    }
    return parts.map { clipped($0.line, to: columns) }
  }

  /// "firewall                0:12.3 of 0:45.0".
  private func title(atUs nowUs: Int64, _ columns: Int) -> String {
    let chapter = board.chapter
    let place =
      nowUs < chapter.startUs
      ? "begins in \(fixed(Double(chapter.startUs - nowUs) / 1e6, 1)) s"
      : "\(clockTime(min(nowUs, chapter.endUs) - chapter.startUs)) of \(clockTime(chapter.endUs - chapter.startUs))"
    let room = min(columns, 100) - 4
    let left = style.paint(clipped(chapter.chapter, to: max(0, room - 2 - place.count)), .bold)
    return "  " + left + place.rightAligned(max(0, room - columnCount(left)))
  }

  private func progress(atUs nowUs: Int64, width: Int) -> String {
    let length = Double(max(1, board.chapter.endUs - board.chapter.startUs))
    let cells = max(4, width)
    let done = Int((max(0, min(1, Double(nowUs - board.chapter.startUs) / length)) * Double(cells)).rounded())
    return style.paint(String(repeating: "━", count: done), .accent)
      + style.paint(String(repeating: "─", count: cells - done), .dim)
  }

  /// What the player looks for most comes first, and stays longest.
  private func counts(_ columns: Int) -> String {
    let (combo, best) = ("combo \(board.combo)", "best \(board.bestCombo)")
    let percent = board.accuracy.map { "\(Int(($0 * 100).rounded())) %" } ?? "-"
    return figureLine(
      [
        [combo, board.window, board.tally, "accuracy \(percent)", best],
        [combo, board.window, board.tally, percent, best], [combo, board.halfWidth, board.tally, percent, best],
        [combo, board.halfWidth, board.judged, percent, best], [combo, board.halfWidth, board.judged, percent],
        [combo, board.halfWidth, board.judged], [combo, board.halfWidth], [combo],
      ], width: columns)
  }

  private var verdict: String {
    guard let lastTap else { return "" }
    if lastTap.verdict == .ghost { return style.paint("ghost", .warning) }
    return style.paint("hit " + signedMilliseconds(lastTap.errorUs ?? 0), .good)
  }
}
