// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import SeededNumbers
import Testing

@Suite struct PitchTests {
  /// Signal to noise, in dB, of a tone of `hertz` played at `pitch`, against the tone it should have become.
  private func signalToNoise(_ hertz: Double, pitch: Float) -> Double {
    let studio = Studio()
    let source = studio.source(frames: 48_000) { frame in
      let value = Float(Oracle.tone(hertz, frame))
      return Frame(left: value, right: value)
    }
    studio.start(source, at: 0, pitch: pitch)
    let frames = 12_000
    let out = studio.render(frames)
    // What the voice steps by is a multiple of 2^-32.
    let step = (Double(pitch) * 4_294_967_296).rounded(.down) / 4_294_967_296
    var signal = 0.0
    var noise = 0.0
    for frame in 100..<frames {
      let expected = 0.5 * sin(2 * .pi * hertz * Double(frame) * step / 48_000)
      signal += expected * expected
      noise += (Double(out[frame].left) - expected) * (Double(out[frame].left) - expected)
    }
    return 10 * log10(signal / noise)
  }

  @Test(arguments: [
    (440.0, 1.5 as Float, 90.0), (1_000, 1.0594631, 90), (4_000, 0.75, 90), (10_000, 0.9, 90), (15_000, 0.9, 85),
    (15_000, 1.2, 85), (5_000, 2, 90),
  ])
  func tonesKeepTheirShape(_ hertz: Double, _ pitch: Float, _ atLeast: Double) {
    let measured = signalToNoise(hertz, pitch: pitch)
    #expect(measured >= atLeast, "\(measured) dB")
  }

  @Test func aPitchOfOneIsBitExact() {
    let studio = Studio()
    studio.start(studio.counter(frames: 1_000), at: 0, pitch: 1)
    #expect(studio.render(1_000).map(\.left) == (0..<1_000).map(count))
  }

  @Test(arguments: [0.5 as Float, 1.0594631, 1.5, 2, 7.3]) func aConstantStaysOne(pitch: Float) {
    let studio = Studio()
    studio.start(studio.constant(0.5), at: 0, pitch: pitch)
    let out = studio.render(1_000)
    for frame in 100..<1_000 { #expect(abs(out[frame].left - 0.5) < 1e-6 && out[frame].left == out[frame].right) }
  }

  /// What the tone of `hertz` played at `pitch` has at the frequency `at`, in dB of the tone as it went in.
  private func level(at: Double, of hertz: Double, pitch: Float) -> Double {
    let studio = Studio()
    let source = studio.source(frames: 24_000, loop: 0..<24_000) { frame in
      let value = Float(Oracle.tone(hertz, frame))
      return Frame(left: value, right: value)
    }
    studio.start(source, at: 0, pitch: pitch)
    let out = studio.render(9_700).dropFirst(100)
    var (sine, cosine, weights) = (0.0, 0.0, 0.0)
    for (frame, value) in out.enumerated() {
      let weight = 1 - cos(2 * .pi * (Double(frame) + 0.5) / 9_600)
      sine += weight * Double(value.left) * sin(2 * .pi * at * Double(frame) / 48_000)
      cosine += weight * Double(value.left) * cos(2 * .pi * at * Double(frame) / 48_000)
      weights += weight
    }
    return 20 * log10(2 * (sine * sine + cosine * cosine).squareRoot() / weights / 0.5)
  }

  @Test(arguments: [
    (15_000.0, -120.0, -88.0), (16_000, -69, -65), (18_000, -39, -37), (20_000, -23, -21), (22_000, -13, -11),
  ])
  func whatASourceHasAbove15kHzLeavesAMirrorImage(_ hertz: Double, _ atLeast: Double, _ atMost: Double) {
    for pitch in [0.5 as Float, 0.7] {
      let image = level(at: (48_000 - hertz) * Double(pitch), of: hertz, pitch: pitch)
      #expect(image >= atLeast && image <= atMost, "\(image) dB at \(pitch)")
    }
  }

  @Test(arguments: [(20_000.0, 1.25 as Float), (22_000, 1.125), (23_000, 1.25)])
  func littleFasterThanItsOwnSpeedWhatLiesBeyondHalfTheRateFoldsToNoLessThan17800Hz(_ hertz: Double, _ pitch: Float) {
    let folded = 48_000 - hertz * Double(pitch)
    let loud = level(at: folded, of: hertz, pitch: pitch)
    #expect(folded > 17_800 && loud < 0 && loud > -4.5, "\(loud) dB")
    // No lower than that: only the mirror image, as at any speed.
    let below = level(at: 15_000, of: hertz, pitch: pitch)
    #expect(below < -85, "\(below) dB")
  }

  @Test(arguments: [
    (20_000.0, 1.5874 as Float), (20_900, 1.5874), (16_600, 2), (13_200, 2.5), (18_000, 2), (10_500, 3.15), (8_300, 4),
    (10_000, 4), (20_000, 3), (8_000, 8),
  ])
  func whatWouldFoldBackIsFilteredOut(_ hertz: Double, _ pitch: Float) {
    // At that speed the tone lies beyond half the rate, where it cannot be heard and must not come back mirrored.
    let studio = Studio()
    let source = studio.source(frames: 48_000) { frame in
      let value = Float(Oracle.tone(hertz, frame))
      return Frame(left: value, right: value)
    }
    studio.start(source, at: 0, pitch: pitch)
    let peak = studio.render(3_000).dropFirst(100).map { abs($0.left) }.max() ?? 1
    // -85 dB of the tone's 0.5.
    #expect(peak < 2.8e-5, "\(20 * log10(peak / 0.5)) dB")
  }

  @Test(arguments: [1, 2, 7, 40, 100], [0.3 as Float, 1.1, 1.9, 5]) func aShortLoopSoundsLikeItsRepetition(
    length: Int, pitch: Float
  ) {
    // Loops shorter than the filter go into it several times over. Before its first turn a loop follows its lead-in.
    let studio = Studio()
    var numbers = SeededRandom(seed: UInt64(length))
    let lead = 30
    let noise = (0..<lead + length).map { _ in Float.random(in: -0.5...0.5, using: &numbers) }
    let loop = studio.source(frames: lead + length, loop: lead..<lead + length) {
      Frame(left: noise[$0], right: -noise[$0])
    }
    let unrolled = studio.source(frames: 12_000) { frame in
      let value = noise[frame < lead ? frame : lead + (frame - lead) % length]
      return Frame(left: value, right: -value)
    }
    studio.start(loop, at: 0, pitch: pitch)
    let heard = studio.render(1_500)
    studio.submit(.stopAll(nil, at: 1_500, fade: .none))
    _ = studio.render(500)
    studio.start(unrolled, at: 2_200, pitch: pitch)
    _ = studio.render(200)
    let expected = studio.render(1_500)
    // In the first turn the loop looks back on its lead-in, from the second on at its own end.
    let turned = Int(Float(lead + 2 * length + 80) / pitch)
    let wrong = (0..<1_500).first { ($0 < 5 || $0 > turned) && heard[$0] != expected[$0] }
    #expect(wrong == nil)
  }

  @Test(arguments: [1, 7, 40, 100, 700], [0.3 as Float, 1.1, 5, 8]) func aShortLoopIsTheSameInAnyPartition(
    length: Int, pitch: Float
  ) {
    func play(_ periods: [Int]) -> [Frame] {
      let studio = Studio()
      var numbers = SeededRandom(seed: UInt64(length))
      let noise = (0..<30 + length).map { _ in Float.random(in: -0.5...0.5, using: &numbers) }
      let source = studio.source(frames: 30 + length, loop: 30..<30 + length) {
        Frame(left: noise[$0], right: -noise[$0])
      }
      studio.start(source, at: 3, pitch: pitch)
      return studio.render(2_000, periods: periods)
    }
    let expected = play([256])
    #expect(play([1]) == expected && play([7, 100, 31]) == expected)
  }

  @Test(arguments: [(2 as Float, 500), (0.5, 2_000), (8, 125), (100, 125), (0.001, 8_000), (.nan, 1_000), (-1, 1_000)])
  func lengthFollowsSpeedWithinItsBounds(_ pitch: Float, _ frames: Int) {
    let studio = Studio()
    let id = studio.start(studio.counter(frames: 1_000), at: 0, pitch: pitch)
    _ = studio.render(9_000)
    #expect(studio.events.last == .finished(id, at: Int64(frames), .ended))
  }

  @Test func aLoopIsSeamlessAtAnySpeed() {
    // Ten periods of a sine in the loop: at any speed it goes on as a sine.
    let studio = Studio()
    let source = studio.source(frames: 960, loop: 0..<960) { frame in
      let value = Float(Oracle.tone(500, frame))
      return Frame(left: value, right: value)
    }
    studio.start(source, at: 0, pitch: 0.75)
    let out = studio.render(10_000)
    for frame in 2_000..<10_000 {
      #expect(abs(Double(out[frame].left) - Oracle.tone(375, frame)) < 1e-4, "frame \(frame)")
    }
  }
}
