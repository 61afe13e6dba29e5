// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where in music something begins: how much louder each hundredth of a second is than the one before, in each of three bands.
public struct Onsets {
  /// Nothing, or decibels, for every 5 ms.
  private let rises: [Double]
  private static let step = 240

  /// Of the whole of these samples.
  public init(_ samples: [Float]) {
    var rises = [Double](repeating: 0, count: samples.count / Self.step)
    for band in [30.0...150, 150...1_500, 1_500...16_000] {
      let energies = samples.energies(of: band, every: Self.step).map { decibels($0 + 1e-7) }
      for index in 2..<energies.count { rises[index] += max(0, energies[index] - energies[index - 2]) }
    }
    self.rises = rises
  }

  /// How much begins at the beats of a tempo, `phase` of a beat after each: the mean over all of them.
  public func strength(bpm: Double, phase: Double = 0) -> Double {
    let beat = 60 / bpm * 48_000 / Double(Self.step)
    var sum = 0.0
    var count = 0
    var place = phase * beat
    while place + 4 < Double(rises.count) {
      // What begins there is heard in the 15 ms after it.
      let index = Int(place)
      sum += rises[index...index + 3].max() ?? 0
      count += 1
      place += beat
    }
    return sum / Double(max(1, count))
  }
}

extension [Float] {
  /// What drums add to a band, in dB: the energy above what has sounded for the larger part of the 610 ms around it.
  public func drums(in band: Band) -> Double {
    let energies = energies(of: band, every: 480)
    var sum = 0.0
    for index in energies.indices {
      let around = energies[Swift.max(0, index - 30)...Swift.min(energies.count - 1, index + 30)].sorted()
      sum += Swift.max(0, energies[index] - around[around.count / 2])
    }
    return decibels(sum / Double(energies.count))
  }
}
