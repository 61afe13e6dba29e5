// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Loudness by ITU-R BS.1770, in LUFS, of sound at 48 kHz.
struct Loudness {
  /// Energy of each tenth of a second, both channels, weighted as ears do.
  private var tenths: [Double]

  init(_ sound: borrowing Stereo) {
    let step = Int(rate) / 10
    tenths = [Double](repeating: 0, count: (sound.frames + step - 1) / step)
    for channel in [sound.left, sound.right] {
      var shelf = Biquad(
        b: (1.53512485958697, -2.69169618940638, 1.19839281085285), a: (-1.69065929318241, 0.73248077421585))
      var pass = Biquad(b: (1, -2, 1), a: (-1.99004745483398, 0.99007225036621))
      for (frame, sample) in channel.enumerated() {
        let weighted = pass(shelf(Double(sample)))
        tenths[frame / step] += weighted * weighted / Double(step)
      }
    }
  }

  /// Of the whole, pauses left out.
  var integrated: Double {
    let loud = blocks.filter { Self.units($0) > -70 }
    let gate = Self.units(mean(loud)) - 10
    return Self.units(mean(loud.filter { Self.units($0) > gate }))
  }

  /// Of the loudest 400 ms, silence added to what is shorter.
  var momentary: Double { Self.units(blocks.max() ?? 0) }

  private var blocks: [Double] {
    let padded = [0, 0, 0] + tenths + [0, 0, 0]
    return (0...(padded.count - 4)).map { padded[$0..<$0 + 4].reduce(0, +) / 4 }
  }

  private func mean(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }

  private static func units(_ energy: Double) -> Double { energy > 0 ? -0.691 + 10 * log10(energy) : -120 }
}

private struct Biquad {
  let b: (Double, Double, Double)
  let a: (Double, Double)
  private var z: (Double, Double) = (0, 0)

  init(b: (Double, Double, Double), a: (Double, Double)) {
    self.b = b
    self.a = a
  }

  mutating func callAsFunction(_ input: Double) -> Double {
    let output = b.0 * input + z.0
    z = (b.1 * input - a.0 * output + z.1, b.2 * input - a.1 * output)
    return output
  }
}

/// Music sits at this loudness.
let musicLoudness = -17.0
/// No sample is larger than this: -1.5 dB.
let ceiling: Float = 0.841

/// Decibels of an amplitude.
func decibels(_ amplitude: Float) -> Double { amplitude > 0 ? 20 * log10(Double(amplitude)) : -120 }

extension Stereo {
  /// As loud as it is to be, with no sample above the ceiling.
  mutating func master(_ target: Double, loops: Bool = false, _ measure: KeyPath<Loudness, Double>) {
    for _ in 0..<2 {
      let gain = Float(pow(10, (target - Loudness(self)[keyPath: measure]) / 20))
      map { $0 * gain }
      limited(&self, ceiling: ceiling, loops: loops)
    }
  }
}

extension Stereo {
  /// The largest size that its wave comes to, also between two samples (four points each, as BS.1770 has it).
  var truePeak: Float {
    // A sinc of 32 samples under a raised cosine, for each quarter.
    let reach = 16
    let quarters: [[Float]] = (1...3).map { quarter in
      (1 - reach...reach).map { place in
        let x = Float.pi * (Float(place) - Float(quarter) / 4)
        return sinf(x) / x * (0.5 + 0.5 * cosf(x / Float(reach)))
      }
    }
    var most = peak
    for channel in [left, right] {
      for frame in reach..<max(reach, frames - reach)
      where max(abs(channel[frame]), abs(channel[frame + 1])) > 0.6 * most {
        for weights in quarters {
          var value: Float = 0
          for (index, weight) in weights.enumerated() { value += weight * channel[frame + 1 - reach + index] }
          most = max(most, abs(value))
        }
      }
    }
    return most
  }
}
