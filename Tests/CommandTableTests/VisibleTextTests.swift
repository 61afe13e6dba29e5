// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Testing

@Suite struct VisibleTextTests {
  @Test func whatWouldActOnATerminalIsShown() {
    #expect(
      visibleText("a\u{1B}]0;title\u{07}b\nc\u{9B}2J\u{7F}") == "a\\u001b]0;title\\u0007b\\u000ac\\u009b2J\\u007f")
    #expect(visibleText("\u{202E}gpj.exe\u{2028}") == "\\u202egpj.exe\\u2028")
  }

  @Test func whatPeopleWriteStaysAsItIs() {
    for text in ["", "Grüße, 世界 ♪ e\u{301} 👩‍🚀 \\u001b"] { #expect(visibleText(text) == text) }
  }

  @Test func coloursThatBearTheSealAreKeptWhereTheyAreWanted() {
    let painted = "\u{1B}[1;31;77mred\u{1B}[0;77m"
    #expect(visibleText(painted, seal: "77", colours: true) == "\u{1B}[1;31mred\u{1B}[0m")
    #expect(visibleText(painted, seal: "77") == "red")
    #expect(visibleText(painted) == "\\u001b[1;31;77mred\\u001b[0;77m")
  }

  @Test func nothingFromOutsideColoursOrHides() {
    for text in ["\u{1B}[8mhidden", "\u{1B}[31;7mred", "\u{1B}[m", "\u{1B}[2J", "\u{1B}[31", "\u{1B}[177mx"] {
      #expect(visibleText(text, seal: "77", colours: true) == "\\u001b" + text.dropFirst())
    }
  }
}
