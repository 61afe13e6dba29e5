// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Testing
import Wire

@testable import CommandLineTool

@Suite struct ChapterScreenTests {
  private let started = RhythmStart.Result(
    chapter: "firewall", startUs: 10_000_000, endUs: 55_000_000, beats: 32, lanes: ["left", "right", "top"],
    windowUs: 150_000, spawnLeadUs: 2_000_000)

  private func screen(_ change: (inout ChapterBoard) -> Void = { _ in }, log: [String] = []) -> ChapterScreen {
    var board = ChapterBoard(started)
    change(&board)
    return ChapterScreen(board: board, log: log, hint: "← left, → right, ↑ top; q ends", style: .plain)
  }

  private func judged(_ verdict: JudgementKind, _ misses: Int) -> Event.Notification {
    .rhythmJudgement(RhythmJudgement(verdict: verdict, beat: 1, lane: "left", errorUs: nil, misses: misses))
  }

  @Test func showsProgressComboAndAccuracy() {
    let lines = screen { board in
      board.take(judged(.hit, 0), tUs: 11_000_000)
      board.take(judged(.hit, 0), tUs: 12_000_000)
      board.take(judged(.miss, 1), tUs: 13_000_000)
      board.take(judged(.hit, 1), tUs: 14_000_000)
    }.lines(atUs: 21_250_000, rows: 24, columns: 80)
    #expect(lines.count == 24)
    #expect(lines[0] == "  firewall" + String(repeating: " ", count: 52) + "0:11.3 of 0:45.0")
    #expect(lines[1] == "  " + String(repeating: "━", count: 19) + String(repeating: "─", count: 57))
    #expect(lines[2] == "  combo 1   accuracy 75 %   best 2   3 hits, 1 miss, 0 ghosts   window ±150 ms")
    #expect(lines[4].hasPrefix("  left   ──◎"))
    #expect(lines.last == "  ← left, → right, ↑ top; q ends")
  }

  @Test func aGhostCostsNoCombo() {
    var board = ChapterBoard(started)
    for verdict in [JudgementKind.hit, .ghost, .hit] { board.take(judged(verdict, 0), tUs: 11_000_000) }
    #expect(board.combo == 2 && board.bestCombo == 2 && board.accuracy == 1)
    board.take(judged(.miss, 1), tUs: 12_000_000)
    #expect(board.combo == 0 && board.bestCombo == 2)
    #expect(ChapterBoard(started).accuracy == nil)
  }

  @Test(arguments: [(15, 40), (24, 80), (50, 200), (6, 20), (3, 10), (1, 1)])
  func fitsWhateverTerminal(rows: Int, columns: Int) {
    let log = (0..<300).map { "line \($0) that is rather long, longer than a narrow terminal has columns for it" }
    let lines = screen(log: log).lines(atUs: 12_000_000, rows: rows, columns: columns)
    #expect(lines.count == rows)
    for line in lines { #expect(columnCount(line) <= columns, "\(line)") }
    // The lanes are what is left last.
    if rows >= 3, columns >= 20 { #expect(lines.filter { $0.contains("◎") }.count == 3) }
  }

  @Test func theNewestOfWhatHappenedIsSeen() {
    let lines = screen(log: (0..<30).map { "line \($0)" }).lines(atUs: 12_000_000, rows: 24, columns: 80)
    #expect(lines.contains("line 29") && !lines.contains("line 3"))
  }

  @Test func whereNothingIsHeardThatIsSaid() {
    var silent = screen()
    silent.silence = "no sound device: heard nowhere"
    #expect(silent.lines(atUs: 0, rows: 24, columns: 80).contains("  no sound device: heard nowhere"))
    #expect(screen().lines(atUs: 0, rows: 24, columns: 80)[0].hasSuffix("begins in 10.0 s"))
  }
}
