// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How bright a stretch of sound is: a Hann window and a radix-2 Fourier transform over it.
struct Spectrum {
  let size: Int
  private let window: [Double]
  private let cosines: [Double]
  private let sines: [Double]
  private var real: [Double]
  private var imaginary: [Double]

  /// For stretches of 2^`bits` samples.
  init(bits: Int) {
    let size = 1 << bits
    self.size = size
    window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size)) }
    cosines = (0..<size / 2).map { cos(2 * .pi * Double($0) / Double(size)) }
    sines = (0..<size / 2).map { -sin(2 * .pi * Double($0) / Double(size)) }
    real = Array(repeating: 0, count: size)
    imaginary = real
  }

  /// The centre of gravity of the power spectrum in Hz, of the samples around `centre`; nil in silence.
  mutating func centroid(_ samples: [Float], around centre: Int, rate: Int) -> Double? {
    for index in 0..<size {
      let place = centre - size / 2 + index
      real[index] = samples.indices.contains(place) ? Double(samples[place]) * window[index] : 0
      imaginary[index] = 0
    }
    transform()
    var (weighted, total) = (0.0, 0.0)
    for bin in 1..<size / 2 {
      let power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
      weighted += power * Double(bin)
      total += power
    }
    return total > 1e-12 ? weighted / total * Double(rate) / Double(size) : nil
  }

  private mutating func transform() {
    var swapped = 0
    for index in 1..<size {
      var bit = size >> 1
      while swapped & bit != 0 {
        swapped ^= bit
        bit >>= 1
      }
      swapped |= bit
      if index < swapped {
        real.swapAt(index, swapped)
        imaginary.swapAt(index, swapped)
      }
    }
    var length = 2
    while length <= size {
      let stride = size / length
      for start in Swift.stride(from: 0, to: size, by: length) {
        for offset in 0..<length / 2 {
          let (a, b) = (start + offset, start + offset + length / 2)
          let (c, s) = (cosines[offset * stride], sines[offset * stride])
          let (re, im) = (real[b] * c - imaginary[b] * s, real[b] * s + imaginary[b] * c)
          (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im)
          (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im)
        }
      }
      length *= 2
    }
  }
}
