// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Short sweeps one behind the other, each in its own part of the band, in an order that is the code's: found to the sample
/// in noise and echoes, and told from the others.
///
/// All together cover the band once, which makes the autocorrelation a single narrow peak (about 1 / bandwidth, 0.17 ms). The
/// orders are hyperbolic congruences, of which two agree in at most two places however they are shifted (Maric and Titlebaum,
/// "A class of frequency hop codes", IEEE Trans. Communications 40, 1992).
public struct CodedChirp: Sendable {
  /// How many there are.
  public static let codes = 16
  /// Seconds from its first to its last sample.
  public static let length = 0.06
  /// The band, in Hz: what small loudspeakers and microphones all pass.
  public static let band = 1_000.0...7_000.0
  /// The largest sample: what is mixed from one of these is far from the limiter.
  public static let amplitude = 0.5

  /// Seconds over which it comes and goes.
  private static let taper = 0.002

  /// Which of them: 0..<codes.
  public let code: Int
  /// Frames a second.
  public let rate: Int
  /// The wave, mono.
  public let samples: [Float]

  /// Chirp `code` (taken modulo their number) at `rate` frames a second, which has to be above twice the band's end.
  public init(code: Int, rate: Int) {
    self.code = (code % Self.codes + Self.codes) % Self.codes
    self.rate = rate
    let count = Int(Self.length * Double(rate))
    let taper = max(1, Int(Self.taper * Double(rate)))
    let width = (Self.band.upperBound - Self.band.lowerBound) / Double(Self.codes)
    let order = Self.order(of: self.code)
    var phase = 0.0
    samples = (0..<count).map { frame in
      let place = Double(frame * Self.codes) / Double(count)
      let part = Int(place)
      // Up within each part; the phase goes on from one to the next.
      let frequency = Self.band.lowerBound + width * (Double(order[part]) + place - Double(part))
      phase += 2 * Double.pi * frequency / Double(rate)
      let edge = Double(min(frame + 1, count - frame, taper)) / Double(taper)
      return Float(Self.amplitude * sin(phase) * sin(Double.pi / 2 * edge) * sin(Double.pi / 2 * edge))
    }
  }

  /// Which part of the band comes when: code / place in the field of 17 elements.
  private static func order(of code: Int) -> [Int] {
    let prime = codes + 1
    return (1..<prime).map { place in
      let inverse = (1..<prime).first { place * $0 % prime == 1 } ?? 1
      return (code + 1) * inverse % prime - 1
    }
  }
}
