// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundMeasures
import Testing

/// Where the energy of tones lies.
@Suite struct SpectrumTests {
  private func tones(_ parts: [(hertz: Double, size: Double)], frames: Int = 96_000) -> [Float] {
    (0..<frames).map { frame in
      Float(parts.reduce(0) { $0 + $1.size * sin(2 * .pi * $1.hertz * Double(frame) / 48_000) })
    }
  }

  @Test(arguments: [110.0, 997, 8_000]) func aToneIsWhereItsFrequencyIs(_ hertz: Double) {
    let spectrum = Spectrum(tones([(hertz, 0.5)]))
    #expect(abs(spectrum.centroid - hertz) < 5, "\(spectrum.centroid)")
    #expect(spectrum.share(of: hertz - 10...hertz + 10) > 0.999)
    #expect(spectrum.share(of: hertz + 20...24_000) < 0.001)
  }

  /// Energies of 4 to 1: shares of 0.8 and 0.2, and their mean frequency 0.8 x 500 + 0.2 x 3000.
  @Test func sharesAreOfEnergy() {
    let spectrum = Spectrum(tones([(500, 0.4), (3_000, 0.2)]))
    #expect(abs(spectrum.share(of: 400...600) - 0.8) < 0.001)
    #expect(abs(spectrum.share(of: 2_900...3_100) - 0.2) < 0.001)
    #expect(abs(spectrum.centroid - 1_000) < 5)
  }

  /// Two of one level, in bands that are octaves apart: each is in its own, at half the energy of its peak.
  @Test func aBandHasTheLevelOfWhatIsInIt() {
    let sound = tones([(100, 0.5), (6_000, 0.05)])
    // 20 log 0.5 and 20 log 0.05, less 3.01.
    #expect(abs(sound.level(of: 20...500) - -9.03) < 0.2, "\(sound.level(of: 20...500))")
    #expect(abs(sound.level(of: 2_000...16_000) - -29.03) < 0.4, "\(sound.level(of: 2_000...16_000))")
  }

  @Test(arguments: [57, 69, 76]) func theStrongestToneIsTold(_ note: Int) {
    let hertz = 440 * pow(2, Double(note - 69) / 12)
    #expect(tones([(hertz, 0.5), (hertz * 1.122, 0.2)], frames: 24_000).strongestTone(of: 50...90) == note)
  }
}
