// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import Testing

@testable import CommandLineTool

@Suite struct ConvertTests {
  @Test func theFormatIsSaidOrReadFromTheEnding() throws {
    #expect(try ConvertCommand.chosenFormat(nil, out: "a/b.SVG") == .svg)
    #expect(try ConvertCommand.chosenFormat("csv", out: "-") == .csv)
    #expect(try ConvertCommand.chosenFormat("csv", out: "table.txt") == .csv)
    for (named, out) in [(nil, "-"), (nil, "picture.png"), (nil, "svg"), ("wav", "-")] as [(String?, String)] {
      #expect { try ConvertCommand.chosenFormat(named, out: out) } throws: { ($0 as? ToolFailure)?.exit == .usage }
    }
  }

  @Test func aPatternOfADayIsNotWrittenPointByPoint() throws {
    let text = #"{"Pattern": [{"Event": {"Time": 86400, "EventType": "HapticTransient"}}]}"#
    let day = HapticPattern(try AHAPDocument.parse(Array(text.utf8), name: "day.ahap").document)
    for format in [ConvertCommand.Format.csv, .wav] {
      #expect {
        try ConvertCommand.check(day, "day", for: format)
      } throws: { error in
        (error as? ToolFailure)?.message
          == "day lasts 86400.02 s, and at most 600.0 s are written as \(format.rawValue)"
      }
    }
    try ConvertCommand.check(day, "day", for: .svg)
    try ConvertCommand.check(day, "day", for: .ahap)
  }

  /// One channel with its polarity reversed is the same sound, and takes nothing away from the other.
  @Test func channelsThatCancelAreFeltAllTheSame() {
    let tone = (0..<480).map { sinf(Float($0) / 10) }
    #expect(SoundTwin.mono(tone.map { SIMD2($0, $0) }) == tone)
    #expect(SoundTwin.mono(tone.map { SIMD2($0, -$0) }) == tone)
    #expect(SoundTwin.mono(tone.map { SIMD2($0, 0) }) == tone.map { $0 / 2 })
  }
}
