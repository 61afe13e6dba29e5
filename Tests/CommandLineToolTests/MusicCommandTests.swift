// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct MusicCommandTests {
  @Test func aPlaceIsSecondsOrAsTheStatusShowsIt() throws {
    for (text, seconds) in [("0", 0), ("12.5", 12.5), ("90", 90), ("1:02", 62), ("1:02.5", 62.5), ("90:00", 5_400)] {
      #expect(try musicPlace(text) == seconds)
    }
  }

  @Test(arguments: ["", "-1", "nan", "inf", "86400", ":5", "1:", "1:60", "-1:05", "1.5:05", "1:02:03", "1440:00", "x"])
  func whatIsNoPlaceIsRefused(text: String) {
    #expect { try musicPlace(text) } throws: { ($0 as? ToolFailure)?.exit == .usage }
  }

  @Test func aLoudnessIsAFactorOrDecibels() throws {
    #expect(try musicGain("0.5") == (0.5, nil))
    #expect(try musicGain("-6dB") == (nil, -6))
    #expect(try musicGain("3db") == (nil, 3))
  }

  @Test func aLoudnessBelowSilenceIsMostLikelyOfDecibels() {
    let refused = #expect(throws: ToolFailure.self) { try musicGain("-6") }
    #expect(refused?.exit == .usage && refused?.hint == "for decibels write -6dB")
  }

  @Test(arguments: ["", "loud", "nan", "inf", "-infdB", "nandB", "dB"])
  func whatIsNoLoudnessIsRefused(text: String) {
    #expect { try musicGain(text) } throws: { ($0 as? ToolFailure)?.exit == .usage }
  }
}
