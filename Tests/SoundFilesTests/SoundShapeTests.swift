// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems
import Testing

@testable import SoundFiles

/// How loud a file is and what it looks like; levels are those that EBU Tech 3341 gives for sines.
@Suite struct SoundShapeTests {
  private let directory = TestDirectory()

  private func shape(_ path: String, columns: Int = 4) throws -> SoundShape {
    try #require(try SoundShape(path: path, inside: directory.path, columns: columns))
  }

  /// Of 1 kHz on both sides loudness is the level of its peaks.
  @Test(arguments: [8_000, 44_100, 48_000, 96_000])
  func aSineOnBothSidesIsAsLoudAsItsPeaks(_ rate: Int) throws {
    let amplitude = pow(10, -23.0 / 20)
    let path = directory.sound(.wav, rate: rate, channels: 2, frames: 3 * rate) { frame, _ in
      sine(1_000, amplitude, at: frame, rate: rate)
    }
    let shape = try shape(path)
    #expect(abs((shape.loudness ?? 0) + 23) < 0.1, "\(shape.loudness ?? 0)")
    #expect(abs((shape.momentary ?? 0) + 23) < 0.1, "\(shape.momentary ?? 0)")
    #expect(shape.peaks.count == 4 && shape.peaks.allSatisfy { abs(Double($0) - amplitude) < 1e-4 })
  }

  /// A pause of ten seconds is left out, and a part 20 dB below the rest counts for nothing.
  @Test func pausesAreLeftOut() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 14 * 48_000) { frame, _ in
      let level = frame < 2 * 48_000 ? 0.1 : frame < 4 * 48_000 ? 0.005 : 0
      return sine(1_000, level, at: frame, rate: 48_000)
    }
    let shape = try shape(path)
    // Three blocks lie across the step.
    #expect(abs((shape.loudness ?? 0) + 20) < 0.6, "\(shape.loudness ?? 0)")
    #expect(shape.peaks[0] > 0.09 && shape.peaks[3] == 0)
  }

  @Test func silenceHasNoLevelAndWhatIsShortHasOne() throws {
    let silent = try shape(directory.sound(.wav, rate: 48_000, channels: 1, frames: 100) { _, _ in 0 })
    #expect(silent.loudness == nil && silent.momentary == nil && silent.peak == 0)
    let short = try shape(
      directory.sound(.wav, rate: 48_000, channels: 1, frames: 4_800) { sine(1_000, 1, at: $0 + $1, rate: 48_000) })
    // A tenth of a second of full scale in 400 ms: a quarter of the energy.
    #expect(abs((short.momentary ?? 0) + 6) < 0.2, "\(short.momentary ?? 0)")
  }
}
