import Glibc
import Testing

@testable import Host

@Suite struct ToneSourceTests {
  @Test(arguments: [(48_000, 240), (44_100, 441), (96_000, 480), (22_050, 441)])
  func theToneRepeatsOnWholeFramesAtAnyRate(_ rate: Int, frames: Int) {
    let tone = ToneSource(frequency: 200, rate: rate)
    #expect(tone.source.frames == frames)
    #expect(tone.source.loopStart == 0 && tone.source.loopEnd == frames)
    for frame in 0..<frames {
      let expected = Float(0.5 * sin(2 * Double.pi * 200 * Double(frame) / Double(rate)))
      #expect(abs(tone.source.samples[2 * frame] - expected) < 1e-6)
      #expect(tone.source.samples[2 * frame + 1] == tone.source.samples[2 * frame])
    }
  }
}
