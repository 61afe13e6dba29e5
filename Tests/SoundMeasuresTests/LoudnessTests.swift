// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundMeasures
import Testing

/// Loudness of tones that ITU-R BS.1770 and EBU Tech 3341 give the figures of.
@Suite struct LoudnessTests {
  /// Of 997 Hz, peaks at `level` dB of full scale.
  private func tone(_ level: Double, seconds: Int) -> [Float] {
    (0..<seconds * 48_000).map {
      Float(pow(10, level / 20) * sin(2 * .pi * 997 * Double($0) / 48_000))
    }
  }

  private func silence(seconds: Int) -> [Float] { Array(repeating: 0, count: seconds * 48_000) }

  @Test func aToneAtFullScaleInOneChannelIsThreeBelowNothing() {
    let full = tone(0, seconds: 5)
    for sound in [
      Sound(left: full, right: silence(seconds: 5)), Sound(left: silence(seconds: 5), right: full),
    ] {
      #expect(abs(sound.momentaryLoudness - -3.01) < 0.02, "\(sound.momentaryLoudness)")
    }
  }

  /// The same in both channels is twice the energy.
  @Test(arguments: [-18.0, -23, -36]) func inBothChannelsItIsAsLoudAsItsPeak(_ level: Double) {
    let channel = tone(level, seconds: 20)
    let sound = Sound(left: channel, right: channel)
    #expect(abs(sound.loudness - level) < 0.1, "\(sound.loudness)")
  }

  /// What is 10 below the rest, or under -70, takes no part: EBU's third case, shorter.
  @Test func whatIsMuchSofterThanTheRestTakesNoPart() {
    let channel = tone(-36, seconds: 10) + tone(-23, seconds: 60) + tone(-36, seconds: 10)
    #expect(abs(Sound(left: channel, right: channel).loudness - -23) < 0.1)
    let short = silence(seconds: 20) + tone(-23, seconds: 20)
    #expect(abs(Sound(left: short, right: short).loudness - -23) < 0.1)
  }

  /// Highs are lifted by 4 dB, and what is below 38 Hz counts for less than half.
  @Test func earsHearHighsBetterThanLows() {
    func loudness(_ hertz: Double) -> Double {
      let channel = (0..<96_000).map { Float(0.1 * sin(2 * .pi * hertz * Double($0) / 48_000)) }
      return Sound(left: channel, right: channel).loudness
    }
    // A peak of 0.1 is -20 dB, and 0.691 is what 997 Hz gains.
    #expect(abs(loudness(10_000) - (-20 - 0.691 + 4)) < 0.1, "\(loudness(10_000))")
    #expect(loudness(30) < -20 - 0.691 - 3)
  }
}
