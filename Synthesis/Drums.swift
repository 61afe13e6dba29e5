// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Drums, each made once from sines and noise.
struct DrumKit: Sendable {
  var kick: [Float]
  var snare: [Float]
  var hat: [Float]
  var openHat: [Float]
  var clap: [Float]
  var rim: [Float]
  var tom: [Float]
  var shaker: [Float]
  var crash: [Float]

  /// Worn and soft: for music to lean back to.
  static let dusty = DrumKit(
    kick: kickDrum(46, punch: 85, length: 0.2, click: 0.25).low(3_200),
    snare: snareDrum(182, tone: 0.6, length: 0.13, bright: 5_200), hat: hiHat(0.03, 7_500, seed: 3) * 0.8,
    openHat: hiHat(0.13, 7_000, seed: 4) * 0.7)
  /// Big and round, its snare with a gated tail.
  static let gated = DrumKit(
    kick: kickDrum(47, punch: 120, length: 0.22, click: 0.5), snare: gatedSnare(), hat: hiHat(0.028, 8_000, seed: 5),
    openHat: hiHat(0.16, 7_500, seed: 6))
  /// Tight and quick.
  static let breaks = DrumKit(
    kick: kickDrum(52, punch: 140, length: 0.13, click: 0.7),
    snare: snareDrum(212, tone: 0.8, length: 0.15, bright: 9_500),
    hat: hiHat(0.022, 8_500, seed: 7), openHat: hiHat(0.1, 8_000, seed: 8))
  /// Deep and long.
  static let deep = DrumKit(
    kick: kickDrum(49, punch: 150, length: 0.25, click: 0.6),
    snare: snareDrum(168, tone: 0.7, length: 0.2, bright: 7_500),
    hat: hiHat(0.025, 9_000, seed: 9), openHat: hiHat(0.14, 8_500, seed: 10))

  init(kick: [Float], snare: [Float], hat: [Float], openHat: [Float]) {
    self.kick = kick
    self.snare = snare
    self.hat = hat
    self.openHat = openHat
    clap = handClap()
    rim = (noise(0.05, seed: 21).band(2_400, resonance: 0.8) * 2).enumerated().map {
      $1 * expf(-Float($0) / rate / 0.008)
    }.faded()
    tom = zip(sweep(0.4) { 78 + 70 * expf(-$0 / 0.05) }, samples(0.4) { expf(-$0 / 0.13) }).map(*).faded(0.0005, 0.05)
    shaker = zip(noise(0.09, seed: 22).band(6_500, resonance: 0.3), samples(0.09) { sinf(.pi * $0 / 0.09) })
      .map { $0 * $1 * $1 }.faded(0.002, 0.01)
    crash = zip(noise(2.4, seed: 23).high(4_200), samples(2.4) { expf(-$0 / 0.55) }).map { 0.5 * $0 * $1 }
      .faded(0.001, 0.2)
  }
}

func kickDrum(_ hertz: Float, punch: Float, length: Float, click: Float) -> [Float] {
  let body = sweep(length * 2.6) { hertz + punch * expf(-$0 / 0.022) + punch * 3 * expf(-$0 / 0.004) }
  let tick = noise(length * 2.6, seed: 1).low(4_500)
  return body.indices.map { index in
    let time = Float(index) / rate
    return tanhf(1.6 * body[index] * expf(-time / length)) * 0.95 + click * tick[index] * expf(-time / 0.003)
  }.faded(0.0006, 0.04)
}

func snareDrum(_ hertz: Float, tone: Float, length: Float, bright: Float) -> [Float] {
  let wires = noise(length * 3, seed: 2).high(1_100).low(bright)
  let shell = sweep(length * 3) { hertz + 90 * expf(-$0 / 0.012) }
  let upper = sweep(length * 3) { _ in hertz * 1.78 }
  return wires.indices.map { index in
    let time = Float(index) / rate
    let rattle = wires[index] * (0.75 * expf(-time / length) + 0.5 * expf(-time / 0.012))
    let drum = tone * (shell[index] + 0.4 * upper[index]) * expf(-time / (0.45 * length))
    return tanhf(1.3 * (rattle + drum)) * 0.8
  }.faded(0.0004, 0.02)
}

/// The gated reverberation of its time: a bright tail that stops short.
func gatedSnare() -> [Float] {
  let close = snareDrum(176, tone: 0.8, length: 0.12, bright: 9_000)
  let room = noise(0.34, seed: 24).high(700).low(7_000).enumerated().map { index, sample in
    let time = Float(index) / rate
    return 0.34 * sample * expf(-time / 0.4) * (time < 0.25 ? 1 : expf(-(time - 0.25) / 0.014))
  }
  return (close + room).faded(0.0004, 0.02)
}

func hiHat(_ length: Float, _ hertz: Float, seed: UInt32) -> [Float] {
  let ratios: [Float] = [2, 3, 4.16, 5.43, 6.79, 8.21]
  var hiss = Noise(seed)
  let metal = samples(length * 5) { time in
    let squares = ratios.reduce(Float(0)) { $0 + (sinf(2 * .pi * 540 * $1 * time) > 0 ? 0.22 : -0.22) }
    return 0.5 * squares + 0.7 * hiss.next()
  }
  return metal.high(hertz).enumerated().map { $1 * expf(-Float($0) / rate / length) }.faded(0.0004, 0.01)
}

func handClap() -> [Float] {
  let hiss = noise(0.3, seed: 25).band(1_500, resonance: 0.45)
  return hiss.enumerated().map { index, sample in
    let time = Float(index) / rate
    let hands = [Float(0), 0.011, 0.023].reduce(Float(0)) {
      $0 + (time >= $1 ? expf(-(time - $1) / 0.005) : 0)
    }
    return 1.5 * sample * (hands + (time >= 0.03 ? 0.7 * expf(-(time - 0.03) / 0.07) : 0))
  }.faded(0.0004, 0.02)
}
