// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How the energy of a sound lies over the frequencies.
public struct Spectrum {
  /// Energy of each bin from 0 Hz to 24 kHz.
  private let energies: [Double]
  private let total: Double

  /// Of the whole of these samples; of long ones the mean over pieces of 1.4 s, which overlap.
  public init(_ samples: [Float]) {
    let piece = 65_536
    var size = 2
    while size < min(piece, samples.count) { size *= 2 }
    var energies = [Double](repeating: 0, count: size / 2 + 1)
    for start in stride(from: 0, to: max(1, samples.count - piece + 1), by: piece / 2) {
      var real = [Double](repeating: 0, count: size)
      var imaginary = real
      for index in 0..<min(size, samples.count - start) {
        let weight = samples.count > piece ? 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(size)) : 1
        real[index] = weight * Double(samples[start + index])
      }
      transform(&real, &imaginary)
      for bin in energies.indices { energies[bin] += real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }
    }
    self.energies = energies
    total = max(energies.reduce(0, +), .leastNonzeroMagnitude)
  }

  /// The mean frequency, weighted by energy, in Hz.
  public var centroid: Double {
    energies.enumerated().reduce(0) { $0 + hertz($1.offset) * $1.element } / total
  }

  /// The share of the energy that lies in a band, 0 to 1.
  public func share(of band: Band) -> Double {
    let bins = Double(energies.count - 1) / 24_000
    let first = max(0, Int((band.lowerBound * bins).rounded(.up)))
    let last = min(energies.count - 1, Int(band.upperBound * bins))
    return first > last ? 0 : energies[first...last].reduce(0, +) / total
  }

  private func hertz(_ bin: Int) -> Double { Double(bin) * 24_000 / Double(energies.count - 1) }
}

/// Fourier's transform in place (Cooley and Tukey's), of a power of two.
private func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
  let size = real.count
  var target = 0
  for index in 1..<size {
    var bit = size / 2
    while target & bit != 0 {
      target ^= bit
      bit /= 2
    }
    target ^= bit
    if index < target {
      real.swapAt(index, target)
      imaginary.swapAt(index, target)
    }
  }
  let turns = (0..<size / 2).map { 2 * Double.pi * Double($0) / Double(size) }
  let (cosines, sines) = (turns.map { cos($0) }, turns.map { -sin($0) })
  var half = 1
  while half < size {
    let stride = size / 2 / half
    var block = 0
    while block < size {
      for place in 0..<half {
        let (x, y) = (cosines[place * stride], sines[place * stride])
        let (index, other) = (block + place, block + place + half)
        let (a, b) = (real[other] * x - imaginary[other] * y, real[other] * y + imaginary[other] * x)
        (real[other], imaginary[other]) = (real[index] - a, imaginary[index] - b)
        (real[index], imaginary[index]) = (real[index] + a, imaginary[index] + b)
      }
      block += 2 * half
    }
    half *= 2
  }
}
