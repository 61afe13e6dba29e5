// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Mixing
import SeededNumbers
import Testing

/// A sound kept as 16-bit integers mixes to the same bits as the same sound kept as floats, alone and beside floats.
@Suite struct SampleLayoutTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func aWholeSceneIsTheSameToTheBitInEveryLayoutOnEveryKernel(
    seed: UInt64
  ) {
    let expected = scene(seed: seed, kernel: .RT_MIX_BASELINE).render(8_000)
    #expect(expected.peak > 0.3)
    for kernel in kernels {
      for keeping in Keeping.allCases {
        let heard = scene(seed: seed, kernel: kernel, keeping: keeping).render(8_000, periods: [256, 33, 512])
        #expect(heard == expected, "kernel \(kernel.rawValue), \(keeping)")
      }
    }
  }

  /// One way for a voice to sound.
  enum Manner: CaseIterable {
    case steady, quiet, ramped, equalPower, panned, panning, looped, fading
    case slow, slightlyFaster, faster, fastest, loopedFaster, fadingFaster
  }

  @Test(arguments: Manner.allCases, [1, 2, 3, 7, 63, 501, 2_049]) func everyMannerIsTheSameToTheBit(
    manner: Manner, frames: Int
  ) {
    var numbers = SeededRandom(seed: UInt64(frames))
    let noise = (0..<13).map { _ in
      (0..<2 * frames).map { _ in Float(Int16.random(in: .min ... .max, using: &numbers)) * 0x1p-15 }
    }
    for kernel in kernels {
      let heard = Keeping.allCases.map { play(manner, noise, frames: frames, kernel: kernel, keeping: $0) }
      // One frame at the beginning of a fade is silent.
      #expect(frames == 1 || heard[0].contains { $0.left != 0 && $0.left != $0.right })
      #expect(heard[1] == heard[0] && heard[2] == heard[0], "kernel \(kernel.rawValue)")
    }
  }

  /// What as many voices in that manner come to, each with noise of its own, mono and stereo in turn.
  private func play(
    _ manner: Manner, _ noise: [[Float]], frames: Int, kernel: rt_mix_kernel, keeping: Keeping
  ) -> [Frame] {
    let studio = Studio(MixerConfiguration(), kernel: kernel, keeping: keeping)
    let loops = manner == .looped || manner == .loopedFaster
    for (number, noise) in noise.enumerated() {
      let loop = loops ? frames / 3..<max(frames - 1, 1) : nil
      let right = number % 2
      let source = studio.source(frames: frames, loop: loop) {
        Frame(left: noise[2 * $0], right: noise[2 * $0 + right])
      }
      let fadeIn: Fade =
        switch manner {
        case .ramped: Fade(frames: 700)
        case .equalPower: Fade(frames: 700, curve: .equalPower)
        default: .none
        }
      let pitch: Float =
        switch manner {
        case .slow: 0.37
        case .slightlyFaster: 1.1
        case .faster, .loopedFaster, .fadingFaster: 1.7
        case .fastest: 5.3
        default: 1
        }
      let at = Int64(number % 3)
      let voice = studio.start(
        source, at: at, gain: manner == .quiet ? 0x1p-40 : 0.7 / Float(number + 1), fadeIn: fadeIn,
        pan: manner == .panned ? Float(number) / 6 - 1 : 0, pitch: pitch)
      if manner == .panning { studio.submit(.pan(voice, to: 0.5, at: 1)) }
      if manner == .fading || manner == .fadingFaster { studio.submit(.stop(voice, at: 2, fade: Fade(frames: 333))) }
    }
    return studio.render(3_000, periods: [256, 31])
  }
}
