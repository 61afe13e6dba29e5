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
    #expect(lines[2] == "  combo 1   window ±150 ms   3 hits, 1 miss, 0 ghosts   accuracy 75 %   best 2")
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

  /// As wide as the figures of a chapter can be: 16,384 beats in a day, windows of 10 s, and names of 64 letters.
  @Test func noFigureIsCutOn80Columns() {
    let name = String(repeating: "n", count: 64)
    let day: Int64 = 86_400_000_000
    var board = ChapterBoard(
      RhythmStart.Result(
        chapter: "\(name):\(name)", startUs: day, endUs: 2 * day, beats: 16_384, lanes: ["left"], windowUs: 150_000,
        spawnLeadUs: 2_000_000))
    board.take(.musicChanged(MusicChanged(change: .started, track: "\(name):\(name)", positionUs: 0)), tUs: day)
    board.take(.rhythmAssist(RhythmAssist(windowUs: 10_000_000)), tUs: day)
    for _ in 0..<10_000 { board.take(judged(.ghost, 0), tUs: day) }
    for _ in 0..<10_000 { board.take(judged(.hit, 0), tUs: day) }
    let tap = RhythmTap.Result(verdict: .hit, beat: 1, errorUs: -10_000_000, tapUs: day, stamp: .at)
    func lines() -> [String] {
      ChapterScreen(board: board, lastTap: tap, hint: "q ends", style: .plain)
        .lines(atUs: 2 * day - 100_000, rows: 24, columns: 80)
    }
    #expect(lines()[2] == "  combo 10000   ±10000 ms   10000 hits, 0 misses   100 %   best 10000")
    board.take(judged(.miss, 6_384), tUs: day)
    #expect(lines()[2] == "  combo 0   ±10000 ms   10000 hits, 6384 misses   61 %   best 10000")
    #expect(lines()[0].hasSuffix("nn…  1439:59.9 of 1440:00.0"))
    #expect(lines().contains { $0.hasSuffix(" late  hit -10000.0 ms") })
    #expect(lines().dropFirst().allSatisfy { !$0.contains("…") })
    let heading = board.frame(atUs: 2 * day, width: 80, style: .plain)[0]
    #expect(heading == "  window ±10000 ms   10000 hits, 6384 misses, 10000 ghosts   ♪ 1440:00.0")
  }

  @Test(arguments: [
    (100, "  combo 28   window ±150 ms   28 hits, 0 misses, 12 ghosts   accuracy 100 %   best 28"),
    (80, "  combo 28   window ±150 ms   28 hits, 0 misses, 12 ghosts   100 %   best 28"),
    (72, "  combo 28   ±150 ms   28 hits, 0 misses, 12 ghosts   100 %   best 28"),
    (60, "  combo 28   ±150 ms   28 hits, 0 misses   100 %   best 28"),
    (50, "  combo 28   ±150 ms   28 hits, 0 misses   100 %"), (40, "  combo 28   ±150 ms   28 hits, 0 misses"),
    (30, "  combo 28   ±150 ms"), (12, "  combo 28"),
  ]) func whatMattersLeastGoesFirst(columns: Int, line: String) {
    let shown = screen { board in
      for _ in 0..<12 { board.take(judged(.ghost, 0), tUs: 11_000_000) }
      for _ in 0..<28 { board.take(judged(.hit, 0), tUs: 11_000_000) }
    }
    #expect(shown.lines(atUs: 12_000_000, rows: 24, columns: columns)[2] == line)
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
