// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A filter of second order, as its five numbers.
struct Biquad {
  let b: (Double, Double, Double)
  let a: (Double, Double)
  private var z: (Double, Double) = (0, 0)

  init(b: (Double, Double, Double), a: (Double, Double)) {
    self.b = b
    self.a = a
  }

  /// Butterworth's low-pass or high-pass at 48 kHz.
  init(_ hertz: Double, isHigh: Bool) {
    let w = 2 * Double.pi * hertz / 48_000
    let alpha = sin(w) / (2 * 0.5.squareRoot())
    let scale = 1 / (1 + alpha)
    let side = (isHigh ? 1 + cos(w) : 1 - cos(w)) / 2 * scale
    self.init(b: (side, (isHigh ? -2 : 2) * side, side), a: (-2 * cos(w) * scale, (1 - alpha) * scale))
  }

  mutating func callAsFunction(_ input: Double) -> Double {
    let output = b.0 * input + z.0
    z = (b.1 * input - a.0 * output + z.1, b.2 * input - a.1 * output)
    return output
  }
}

/// From which hertz to which.
public typealias Band = ClosedRange<Double>

extension [Float] {
  /// Energy of a band in each stretch of `frames`.
  public func energies(of band: Band, every frames: Int) -> [Double] {
    var pass = (Biquad(band.lowerBound, isHigh: true), Biquad(band.upperBound, isHigh: false))
    var sums = [Double](repeating: 0, count: count / frames)
    for index in 0..<sums.count * frames {
      let value = pass.1(pass.0(Double(self[index])))
      sums[index / frames] += value * value / Double(frames)
    }
    return sums
  }

  /// The level of a band in the whole of it, in dB of full scale.
  public func level(of band: Band) -> Double { decibels(energies(of: band, every: count).first ?? 0) }
}
