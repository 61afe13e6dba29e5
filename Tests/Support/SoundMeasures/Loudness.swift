// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Sound {
  /// How loud the whole is, pauses left out, in LUFS (ITU-R BS.1770); of what is shorter than 400 ms nothing can be told.
  public var loudness: Double {
    let loud = blocks(padding: 0).filter { $0 > Self.energy(-70) }
    let gate = Self.energy(Self.units(mean(loud)) - 10)
    return Self.units(mean(loud.filter { $0 > gate }))
  }

  /// How loud its loudest 400 ms are, in LUFS; silence is added to what is shorter.
  public var momentaryLoudness: Double { Self.units(blocks(padding: 3).max() ?? 0) }

  /// Energies of 400 ms each, a tenth of a second apart, weighted as ears do; `padding` tenths of silence on either side.
  private func blocks(padding: Int) -> [Double] {
    var tenths = [Double](repeating: 0, count: (frames + 4_799) / 4_800)
    for channel in [left, right] {
      // The two filters that the recommendation gives for 48 kHz.
      var head = Biquad(
        b: (1.53512485958697, -2.69169618940638, 1.19839281085285), a: (-1.69065929318241, 0.73248077421585))
      var low = Biquad(b: (1, -2, 1), a: (-1.99004745483398, 0.99007225036621))
      for (frame, sample) in channel.enumerated() {
        let value = low(head(Double(sample)))
        tenths[frame / 4_800] += value * value / 4_800
      }
    }
    // A tenth that is not whole is none, but where silence makes it one.
    if padding == 0, !frames.isMultiple(of: 4_800) { tenths.removeLast() }
    let silence = [Double](repeating: 0, count: padding)
    let padded = silence + tenths + silence
    return padded.indices.dropLast(3).map { mean(Array(padded[$0..<$0 + 4])) }
  }

  private func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  private static func units(_ energy: Double) -> Double { decibels(energy) - 0.691 }

  private static func energy(_ units: Double) -> Double { pow(10, (units + 0.691) / 10) }
}
