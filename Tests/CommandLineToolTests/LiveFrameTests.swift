// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct LiveFrameTests {
  @Test func aLineIsClippedByWhatItTakesOnScreen() {
    #expect(clipped("abcdef", to: 6) == "abcdef")
    #expect(clipped("abcdef", to: 4) == "abc…")
    #expect(clipped("日本語", to: 6) == "日本語")
    #expect(clipped("日本語", to: 5) == "日本…")
    #expect(clipped("日本語", to: 4) == "日…")
    let bold = Style.coloured.paint("abcdef", .bold)
    #expect(clipped(bold, to: 6) == bold)
    #expect(columnCount(bold) == 6)
    // Also where it begins with a mark that joins the sequence's last letter.
    #expect(columnCount(Style.coloured.paint("\u{301}bc", .bold)) == 3)
    // What was not painted here takes the room that it is shown in.
    #expect(clipped("\u{1B}[31mab", to: 9) == "?[31mab")
    #expect(columnCount("\u{1B}[31mab") == 7)
    #expect(Style.coloured.visible(clipped(bold, to: 3)) == "\u{1B}[1mab…\u{1B}[0m")
    #expect(clipped("a\nb", to: 9) == "a?b")
  }

  /// The rows that an update goes up before it draws.
  private func rowsUp(_ text: String) -> String? {
    text.split(separator: "\u{1B}").first { $0.hasPrefix("[") && $0.contains("A\r") }.map {
      String($0.dropFirst().prefix { $0 != "A" })
    }
  }

  @Test func itGoesUpAsManyRowsAsItDrew() {
    var frame = LiveFrame()
    let first = frame.update(frame: [String(repeating: "x", count: 100), "y"], size: (24, 80), style: .plain)
    #expect(rowsUp(first) == nil)
    #expect(first.contains(String(repeating: "x", count: 79) + "…\u{1B}[K\n"))
    #expect(rowsUp(frame.update(frame: ["z"], size: (24, 80), style: .plain)) == "2")
    #expect(rowsUp(frame.update(frame: [], size: (24, 80), style: .plain)) == "1")
  }

  @Test func aNarrowerTerminalHasBrokenTheLinesDrawnBefore() {
    var frame = LiveFrame()
    _ = frame.update(frame: [String(repeating: "x", count: 80), "y"], size: (24, 80), style: .plain)
    #expect(rowsUp(frame.update(frame: ["z"], size: (24, 30), style: .plain)) == "4")
  }

  @Test func itIsNeverTallerThanTheTerminal() {
    var frame = LiveFrame()
    _ = frame.update(frame: ["a", "b", "c", "d"], size: (3, 80), style: .plain)
    #expect(rowsUp(frame.update(frame: [], size: (3, 80), style: .plain)) == "2")
  }

  @Test func aNameFromOutsideHidesNothingAndColoursStay() {
    let painted = Style.coloured.paint("red", .bad)
    let name = "\u{1B}[8mhidden"
    var frame = LiveFrame()
    let drawn = frame.update(frame: [painted + name], size: (24, 80), style: .coloured)
    #expect(drawn.contains("\u{1B}[31mred\u{1B}[0m?[8mhidden"))
    #expect(WholeScreen.drawing([painted + name], style: .coloured).contains("\u{1B}[31mred\u{1B}[0m\\u001b[8mhidden"))
    // What is no terminal gets neither.
    #expect(Style.plain.visible(painted + name) == "red\\u001b[8mhidden")
  }
}
