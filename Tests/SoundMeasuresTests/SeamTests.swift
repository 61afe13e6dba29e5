// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundMeasures
import Testing

/// A loop that closes, and the same loop spoiled: what the seam's measures say of both.
@Suite struct SeamTests {
  /// Three tones of whole rounds in a second, over a breath of noise as an instrument has it: where it ends it goes on.
  private static let good: [Float] = {
    var seed: UInt32 = 1
    return (0..<48_000).map { frame in
      let turn = 2 * Double.pi * Double(frame) / 48_000
      seed = seed &* 1_664_525 &+ 1_013_904_223
      let noise = 2e-4 * Double(Int32(bitPattern: seed)) / 2_147_483_648
      return Float(0.3 * sin(110 * turn) + 0.15 * sin(277 * turn + 1) + 0.08 * sin(1_320 * turn + 2) + noise)
    }
  }()

  private func surprise(_ loop: [Float]) -> Double { Sound(left: loop, right: loop).surprise(around: 0) }

  @Test func whereALoopClosesItIsAsAnywhere() {
    #expect(surprise(Self.good) < 5)
    let sound = Sound(left: Self.good, right: Self.good)
    let others = stride(from: 1_000, to: 47_000, by: 1_000).map { sound.quietestMillisecond(around: $0) }
    #expect(sound.quietestMillisecond(around: 0) > (others.min() ?? 0) - 3)
  }

  /// At its end, at its beginning, and a few frames from either.
  @Test(arguments: [0, 1, 3, 47_995, 47_998, 47_999]) func aFrameThatIsLeftOutIsFound(_ place: Int) {
    var loop = Self.good
    loop.remove(at: place)
    #expect(surprise(loop) > 5)
  }

  /// 96 frames, before the seam, behind it or across it.
  @Test(arguments: [0, 48, 96]) func twoMillisecondsOfSilenceAreFound(_ before: Int) {
    var loop = Self.good
    for frame in 48_000 - before..<48_000 { loop[frame] = 0 }
    for frame in 0..<96 - before { loop[frame] = 0 }
    // A whole millisecond of nothing at all.
    #expect(Sound(left: loop, right: loop).quietestMillisecond(around: 0) == -200)
  }

  /// Of a hundredth of full scale: all of the loop leads up to it, a five-millionth a frame.
  @Test(arguments: [Float(0.01), -0.01]) func aStepOfAHundredthIsFound(_ step: Float) {
    let loop = Self.good.enumerated().map { $1 + step * Float($0) / 48_000 }
    #expect(surprise(loop) > 10)
  }

  @Test func whatIsSpoiledOnOneSideAloneIsFoundToo() {
    var spoiled = Self.good
    spoiled[47_999] += 0.01
    for (left, right) in [(Self.good, spoiled), (spoiled, Self.good)] {
      #expect(Sound(left: left, right: right).surprise(around: 0) > 10)
    }
    #expect(Sound(left: spoiled, right: spoiled).surprise(around: 24_000) < 5, "and only where it is")
  }
}
