// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundMeasures
import Testing

/// Strokes at a tempo that is known, and tempos beside it.
@Suite struct OnsetTests {
  /// Half a minute of strokes of 40 ms, `bpm` of them a minute, the first at 0, over a tone that goes on.
  private func strokes(bpm: Double) -> [Float] {
    let beat = 60 / bpm * 48_000
    return (0..<30 * 48_000).map { frame in
      let since = Double(frame).truncatingRemainder(dividingBy: beat)
      let tone = 0.05 * sin(2 * .pi * 220 * Double(frame) / 48_000)
      let stroke = since < 1_920 ? 0.5 * sin(2 * .pi * 1_000 * since / 48_000) * (1 - since / 1_920) : 0
      return Float(tone + stroke)
    }
  }

  @Test(arguments: [88.0, 120, 172]) func aTempoHalfAPercentOffIsTold(_ bpm: Double) {
    let onsets = Onsets(strokes(bpm: bpm))
    let on = onsets.strength(bpm: bpm)
    for percent in [-4, -1, -0.5, 0.5, 1, 4] {
      #expect(on > 1.15 * onsets.strength(bpm: bpm * (1 + percent / 100)), "\(percent) %")
    }
    for phase in [0.125, 0.5, 0.875] { #expect(on > 1.6 * onsets.strength(bpm: bpm, phase: phase), "\(phase)") }
    // Music half a percent too fast does not pass for one of the tempo that it should have.
    let fast = Onsets(strokes(bpm: bpm * 1.005))
    #expect(fast.strength(bpm: bpm * 1.005) > 1.15 * fast.strength(bpm: bpm))
  }

  @Test func aToneThatGoesOnBeginsNowhere() {
    let tone = (0..<480_000).map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
    // From the second beat on: it begins itself.
    #expect(Onsets(Array(tone[48_000...])).strength(bpm: 120, phase: 0.5) < 1)
  }
}
