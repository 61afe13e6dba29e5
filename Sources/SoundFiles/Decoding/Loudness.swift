// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How loud a stereo sound is, by ITU-R BS.1770-4, in LUFS: fed frame by frame, of any rate and length.
struct Loudness {
  /// Energy of each tenth of a second, both channels, weighted as ears do.
  private var tenths: [Double] = []
  private var energy = 0.0
  private var count = 0
  private let step: Int
  private var weights: (left: EarWeight, right: EarWeight)

  /// Of `rate` frames a second.
  init(rate: Int) {
    step = max(1, rate / 10)
    weights = (EarWeight(rate: Double(rate)), EarWeight(rate: Double(rate)))
  }

  /// Hears one frame.
  mutating func add(_ left: Float, _ right: Float) {
    let (a, b) = (weights.left(Double(left)), weights.right(Double(right)))
    energy += a * a + b * b
    count += 1
    if count == step { endTenth() }
  }

  private mutating func endTenth() {
    tenths.append(energy / Double(step))
    (energy, count) = (0, 0)
  }

  /// Of the whole, pauses left out; nil where nothing is loud enough to count.
  var integrated: Double? {
    // What is shorter than a block is one with the silence behind it.
    let whole = tenths.count < 4 ? [blocks.max() ?? 0] : Self.blocks(of: tenths)
    let loud = whole.filter { Self.units($0) > -70 }
    guard !loud.isEmpty else { return nil }
    let gate = Self.units(Self.mean(loud)) - 10
    return Self.units(Self.mean(loud.filter { Self.units($0) > gate }))
  }

  /// Of the loudest 400 ms, silence added to what is shorter; nil where nothing is loud enough to count.
  var momentary: Double? {
    let most = Self.units(blocks.max() ?? 0)
    return most > -70 ? most : nil
  }

  /// Energies of 400 ms each, a tenth of a second apart, from the first that has some of the sound in it to the last.
  private var blocks: [Double] {
    let last = count > 0 ? [energy / Double(step)] : []
    return Self.blocks(of: [0, 0, 0] + tenths + last + [0, 0, 0])
  }

  private static func blocks(of tenths: [Double]) -> [Double] {
    (0...(tenths.count - 4)).map { tenths[$0..<$0 + 4].reduce(0, +) / 4 }
  }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  private static func units(_ energy: Double) -> Double { energy > 0 ? -0.691 + 10 * log10(energy) : -.infinity }
}

/// The two filters of BS.1770, a head's shelf and a high-pass, whose analogue forms are taken to any rate by the bilinear
/// transform; at 48 kHz they have the coefficients that the recommendation prints.
private struct EarWeight {
  private var shelf: Biquad
  private var pass: Biquad

  init(rate: Double) {
    func corner(_ frequency: Double, _ q: Double) -> (k: Double, a: (Double, Double), scale: Double) {
      let k = tan(Double.pi * min(frequency, rate * 0.49) / rate)
      let scale = 1 + k / q + k * k
      return (k, (2 * (k * k - 1) / scale, (1 - k / q + k * k) / scale), scale)
    }
    let q = 0.7071752369554196
    let head = corner(1_681.974450955533, q)
    let high = pow(10, 3.999843853973347 / 20)
    let middle = pow(high, 0.4996667741545416) * head.k / q
    let square = head.k * head.k
    shelf = Biquad(
      b: (
        (high + middle + square) / head.scale, 2 * (square - high) / head.scale, (high - middle + square) / head.scale
      ), a: head.a)
    pass = Biquad(b: (1, -2, 1), a: corner(38.13547087602444, 0.5003270373238773).a)
  }

  mutating func callAsFunction(_ input: Double) -> Double { pass(shelf(input)) }
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
