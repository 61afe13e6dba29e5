// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import CommandLineTool

@Suite struct MetersTests {
  private let meters = [
    EngineStats.Meter(bus: .music, peakDb: -30), EngineStats.Meter(bus: .sound, peakDb: 3.52),
    EngineStats.Meter(bus: .voice, peakDb: nil), EngineStats.Meter(bus: .haptic, peakDb: -120),
    EngineStats.Meter(bus: .output, peakDb: -6.02),
  ]

  @Test func eachBusHasABarFromSixtyDecibelsBelowFullScale() {
    #expect(
      meterRows(meters, width: 31, style: .plain) == [
        "music  ▕█████     ▏ -30.0 dBFS",
        "sound  ▕██████████▏  +3.5 dBFS",
        "voice  ▕          ▏     silent",
        "haptic ▕          ▏-120.0 dBFS",
        "output ▕█████████ ▏  -6.0 dBFS",
      ])
  }

  @Test func whereThereIsNoRoomForABarTheNumberIsLeft() {
    #expect(meterRows(meters, width: 26, style: .plain)[0] == "music   -30.0 dBFS")
    #expect(meterRows(meters, width: -5, style: .plain)[4] == "output   -6.0 dBFS")
    #expect(meterRows([], width: 80, style: .plain) == [])
  }

  @Test(arguments: [27, 40, 70, 200]) func noRowIsWiderThanItsRoom(_ width: Int) {
    for style in [Style.plain, .coloured] {
      for row in meterRows(meters, width: width, style: style) { #expect(columnCount(row) <= min(width, 61)) }
    }
  }

  @Test func whatIsBeyondFullScaleIsRed() {
    let rows = meterRows(meters, width: 31, style: .coloured).map(Style.coloured.visible)
    #expect(rows[0].contains("\u{1B}[32m█████     \u{1B}[0m"))
    #expect(rows[1].contains("\u{1B}[31m██████████\u{1B}[0m"))
    #expect(!rows[2].contains("\u{1B}[3"))
  }

  @Test func silenceIsToldInOneLineToo() {
    #expect(peaksText([EngineStats.Meter(bus: .music, peakDb: nil)]) == "nothing was heard in the last second")
  }
}
