// SPDX-License-Identifier: Apache-2.0

import Glibc

extension [Float] {
  /// The MIDI number of the semitone that is strongest in it, of a range of them.
  public func strongestTone(of notes: ClosedRange<Int>) -> Int {
    let windowed = enumerated().map { index, sample in
      Double(sample) * (1 - cos(2 * .pi * Double(index) / Double(count)))
    }
    func size(_ note: Int) -> Double {
      // Goertzel's sum.
      let turn = 2 * cos(2 * .pi * 440 * pow(2, Double(note - 69) / 12) / 48_000)
      var (before, now) = (0.0, 0.0)
      for sample in windowed { (before, now) = (now, turn * now - before + sample) }
      return before * before + now * now - turn * before * now
    }
    return notes.max { size($0) < size($1) } ?? notes.lowerBound
  }
}

extension Spectrum {
  /// How much there is of each of the twelve tones, C first, in the three octaves above C5, where no drum has a pitch: their
  /// mean taken off, and of length 1 as a vector.
  public var tones: [Double] {
    let sizes = (0..<12).map { tone in
      (0..<3).reduce(0.0) { sum, octave in
        let hertz = 440 * pow(2, Double(72 + tone + 12 * octave - 69) / 12)
        return sum + share(of: hertz / pow(2, 1.0 / 48)...hertz * pow(2, 1.0 / 48)).squareRoot()
      }
    }
    let mean = sizes.reduce(0, +) / 12
    let length = sizes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
    return sizes.map { ($0 - mean) / length }
  }
}
