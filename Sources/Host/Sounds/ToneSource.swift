// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Mixing
import Timing

/// A tone without end: the least whole number of periods that fills whole frames, to be repeated.
///
/// Its overtones have 1/k^2 of the fundamental's amplitude, up to the twelfth: their sum stays within 1.02 of the sine
/// alone (Clausen's integral), so brightness changes the colour and hardly the peak. At brightness b they have b times
/// that.
final class ToneSource {
  /// Of the fundamental: half of full scale, so that a tone and what it goes with do not at once reach the limiter.
  static let amplitude = 0.5
  /// The highest partial; 2.4 kHz for 200 Hz, so that an octave more is far from folding back.
  static let partials = 12

  let source: ResidentSource

  /// `frequency` and `rate` in whole Hz, above zero.
  init(frequency: Int, rate: Int, part: SoundPart = .whole) {
    let common = greatestCommonDivisor(frequency, rate)
    let (periods, frames) = (frequency / common, rate / common)
    let partials = part == .whole ? 1...Self.partials : 1...1
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    for frame in 0..<frames {
      var sum = 0.0
      for partial in partials where 2 * partial * frequency < rate {
        let phase = 2 * Double.pi * Double(frame * periods * partial % frames) / Double(frames)
        sum += sin(phase) / Double(partial * partial)
      }
      let value = Float(Self.amplitude * sum)
      (samples + 2 * frame).initialize(to: value)
      (samples + 2 * frame + 1).initialize(to: value)
    }
    source = ResidentSource(samples: .float(samples), frames: frames, loop: 0..<frames)
  }

  deinit { source.samples.address.deallocate() }
}
