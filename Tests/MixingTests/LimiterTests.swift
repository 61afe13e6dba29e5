// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import SeededNumbers
import Testing

@Suite struct LimiterTests {
  @Test func upToFullScaleSamplesPassBitForBit() {
    var numbers = SeededRandom(seed: 3)
    let noise = (0..<20_000).map { _ in Float.random(in: -1...1, using: &numbers) }
    let studio = Studio()
    studio.start(studio.source(frames: 10_000) { Frame(left: noise[2 * $0], right: noise[2 * $0 + 1]) }, at: 0)
    let out = studio.render(10_000)
    for frame in 0..<10_000 {
      #expect(out[frame] == Frame(left: noise[2 * frame], right: noise[2 * frame + 1]))
    }
  }

  @Test func nothingGetsBeyondFullScale() {
    var numbers = SeededRandom(seed: 5)
    let studio = Studio()
    for _ in 0..<8 {
      let noise = (0..<2_000).map { _ in Float.random(in: -1...1, using: &numbers) }
      let source = studio.source(frames: 1_000, loop: 0..<1_000) {
        Frame(left: noise[2 * $0], right: noise[2 * $0 + 1])
      }
      let id = studio.start(source, at: Int64.random(in: 0..<5_000, using: &numbers), gain: 4)
      studio.submit(.stop(id, at: Int64.random(in: 6_000..<20_000, using: &numbers), fade: .none))
    }
    let out = studio.render(48_000, periods: [256, 17, 400])
    #expect(out.peak <= 1)
    #expect(out.peak > 0.9)
    #expect(studio.controller.readStatistics().peak > 3)
  }

  @Test func theGainComesDownBeforeThePeakAndTheRestIsUntouched() {
    // A quiet constant with one sample at 4: turned down over the look-ahead before it, back up behind it.
    let studio = Studio()
    let source = studio.source(frames: 60_000) { frame in
      Frame(left: 0.1, right: frame == 10_000 ? -4 : 0.1)
    }
    studio.start(source, at: 0)
    let out = studio.render(60_000)
    let lookahead = studio.controller.configuration.lookaheadFrames
    for frame in 0..<10_000 - lookahead { #expect(out[frame] == Frame(left: 0.1, right: 0.1)) }
    #expect(abs(out[10_000].right + 1) < 1e-6)
    #expect(abs(out[10_000].left - 0.025) < 1e-6)
    // Down without a step that a gain of 1/4 within the look-ahead but for a group does not explain; up slower by far.
    let ramp = Float(lookahead - 16)
    for frame in 10_000 - lookahead..<10_000 {
      #expect(out[frame].left - out[frame + 1].left >= -1e-7)
      #expect(out[frame].left - out[frame + 1].left < 0.1 * 0.75 / ramp * 1.2)
    }
    // 80 ms behind, the gain has come 1 - 1/e of the way back; after a second it is 1 again, exactly.
    let later = Double(out[10_000 + 3_840 + 48].left) / 0.1
    #expect(abs(later - (1 - 0.75 / M_E)) < 0.02)
    #expect(out[59_999] == Frame(left: 0.1, right: 0.1))
  }

  @Test func aLoudSteadyToneIsScaledNotClipped() {
    let studio = Studio()
    let source = studio.source(frames: 48_000) { frame in
      let value = Float(Oracle.tone(1_000, frame, amplitude: 2))
      return Frame(left: value, right: value / 2)
    }
    studio.start(source, at: 0)
    let out = studio.render(40_000)
    // Both channels by the same gain, so that the picture stays where it is.
    for value in out { #expect(abs(value.right - value.left / 2) < 1e-6) }
    #expect(abs(out[20_000...].map(\.left).max()! - 1) < 0.01)
  }

  /// A millisecond, in whole groups and at least two.
  @Test(arguments: [(8_000, 32), (44_100, 48), (48_000, 48), (96_000, 96), (192_000, 192)])
  func itLooksAheadByAsMuchAtAnyRate(rate: Int, frames: Int) {
    #expect(MixerConfiguration(rate: rate).lookaheadFrames == frames)
  }

  /// What a low tone at 6 dB above full scale comes out with besides itself, of its own level. The release of 80 ms lets the
  /// gain move within a period of 60 Hz, and the shorter the look-ahead the steeper it comes down: 2.1 % with 1 ms, 1.5 %
  /// with 2.
  @Test(arguments: [(48, 0.022), (96, 0.0155)]) func aLowToneThatIsTurnedDownKeepsItsShape(
    _ lookahead: Int, _ bound: Double
  ) {
    let studio = Studio(MixerConfiguration(lookaheadFrames: lookahead))
    let source = studio.source(frames: 96_000) { frame in
      let value = Float(Oracle.tone(60, frame, amplitude: 2))
      return Frame(left: value, right: value)
    }
    studio.start(source, at: 0)
    let heard = studio.render(96_000)[48_000...].map { Double($0.left) }
    // 60 whole periods: its own sine and cosine are orthogonal.
    var (sine, cosine) = (0.0, 0.0)
    for (index, value) in heard.enumerated() {
      sine += value * sin(2 * .pi * 60 * Double(index) / 48_000) / 24_000
      cosine += value * cos(2 * .pi * 60 * Double(index) / 48_000) / 24_000
    }
    var rest = 0.0
    for (index, value) in heard.enumerated() {
      let phase = 2 * .pi * 60 * Double(index) / 48_000
      let own = sine * sin(phase) + cosine * cos(phase)
      rest += (value - own) * (value - own)
    }
    let distortion = (rest / Double(heard.count)).squareRoot() / ((sine * sine + cosine * cosine) / 2).squareRoot()
    #expect(distortion < bound, "\(distortion)")
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude]) func brokenSamplesNeverGetOut(
    _ broken: Float
  ) {
    let studio = Studio()
    let source = studio.source(frames: 2_000) { frame in
      frame == 1_000 ? Frame(left: broken, right: 0.25) : Frame(left: 0.25, right: 0.25)
    }
    studio.start(source, at: 0)
    studio.start(studio.constant(0.5), at: 0, gain: broken)
    let out = studio.render(4_000)
    #expect(out.peak <= 1)
    #expect(out[500].left > 0)
  }

  @Test func brokenSamplesAreCountedAndSilent() {
    let studio = Studio()
    let source = studio.source(frames: 2_000) { frame in
      frame == 1_000 ? Frame(left: .nan, right: 0.25) : Frame(left: 0.25, right: 0.25)
    }
    studio.start(source, at: 0)
    let out = studio.render(2_000)
    for frame in 0..<2_000 {
      let expected: Float = frame == 1_000 ? 0 : 0.25
      #expect(out[frame] == Frame(left: expected, right: expected), "frame \(frame)")
    }
    #expect(studio.controller.readStatistics().brokenFrames == 1)
  }

  @Test func denormalsAreFlushed() {
    let studio = Studio()
    let tiny = Float.leastNormalMagnitude / 4
    studio.start(studio.constant(tiny), at: 0)
    studio.start(studio.constant(0x1p-100), at: 300, gain: 0x1p-40)
    let out = studio.render(1_000)
    #expect(out.allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(Float.leastNormalMagnitude * 0.5 != 0)
  }

  @Test func statisticsBeginAnewWhenRead() {
    let studio = Studio()
    let id = studio.start(studio.constant(2), at: 0)
    studio.submit(.stop(id, at: 1_000, fade: .none))
    _ = studio.render(2_000)
    let loud = studio.controller.readStatistics()
    #expect(loud.peak == 2)
    #expect(abs(loud.limiterGain - 0.5) < 1e-6)
    _ = studio.render(48_000)
    _ = studio.controller.readStatistics()
    _ = studio.render(1_000)
    let quiet = studio.controller.readStatistics()
    #expect(quiet.peak == 0 && quiet.limiterGain == 1 && quiet.activeVoices == 0)
  }
}
