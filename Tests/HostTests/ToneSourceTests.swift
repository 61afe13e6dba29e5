// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Mixing
import Testing

@testable import Host

@Suite struct ToneSourceTests {
  @Test(arguments: [(48_000, 240), (44_100, 441), (96_000, 480), (22_050, 441)])
  func theToneRepeatsOnWholeFramesAtAnyRate(_ rate: Int, frames: Int) {
    let tone = ToneSource(frequency: 200, rate: rate, part: .dull)
    #expect(tone.source.frames == frames)
    #expect(tone.source.loopStart == 0 && tone.source.loopEnd == frames)
    for frame in 0..<frames {
      let expected = Float(0.5 * sin(2 * Double.pi * 200 * Double(frame) / Double(rate)))
      #expect(abs(tone.source.samples[2 * frame] - expected) < 1e-6)
      #expect(tone.source.samples[2 * frame + 1] == tone.source.samples[2 * frame])
    }
  }

  @Test func brightnessAddsOvertonesThatFallWithTheSquare() {
    let parts = [SoundPart.whole, .dull].map { ToneSource(frequency: 200, rate: 48_000, part: $0) }
    func partial(_ number: Int, of source: ResidentSource) -> Double {
      let product = (0..<240).reduce(0.0) { sum, frame in
        sum + Double(source.samples[2 * frame]) * sin(2 * .pi * Double(number * frame) / 240)
      }
      return product / 120
    }
    for number in 1...20 {
      let expected = number > 12 ? 0 : 0.5 / Double(number * number)
      #expect(abs(partial(number, of: parts[0].source) - expected) < 1e-6)
      #expect(abs(partial(number, of: parts[1].source) - (number == 1 ? 0.5 : 0)) < 1e-6)
    }
    #expect((0..<240).allSatisfy { abs(parts[0].source.samples[2 * $0]) < 0.51 })
  }
}
