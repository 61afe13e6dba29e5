// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededNumbers
import Timing

/// Noise of several shapes, the same for a seed.
struct SeededNoise {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed &* 0xD134_2543_DE82_EF95) }

  /// In 0..<1.
  mutating func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }

  mutating func gaussian(sigma: Double) -> Double {
    sigma * sqrt(-2 * log(1 - uniform())) * cos(2 * .pi * uniform())
  }

  mutating func exponential(mean: Double) -> Double { -mean * log(1 - uniform()) }
}

/// How a device's readings miss the truth; times in nanoseconds.
enum Jitter: String, CaseIterable {
  case gaussian, oneSided, usb, hda

  /// What is read at `truth`.
  func reading(of truth: Double, noise: inout SeededNoise) -> Double {
    switch self {
    case .gaussian:
      return truth + noise.gaussian(sigma: 100_000)
    case .oneSided:
      let spike = noise.uniform() < 0.002 ? 500_000 + 1_500_000 * noise.uniform() : 0
      return truth + noise.exponential(mean: 30_000) + spike
    case .usb:
      return (truth / 1_000_000).rounded(.up) * 1_000_000 + noise.exponential(mean: 15_000)
    case .hda:
      return (truth / 10_000).rounded(.up) * 10_000 + noise.exponential(mean: 1_000)
    }
  }
}

/// What an estimator made of a simulated device; microseconds.
struct Outcome {
  /// Mean error over the second half.
  var bias = 0.0
  /// Spread of the error about its mean over the second half.
  var debiased = 0.0
  /// The same for the timeline extrapolated by one second.
  var ahead = 0.0
  /// Seconds after which the error stayed within 50 us of the bias for a second.
  var settling = 0.0
  /// Share of the readings, from the first, whose bound held the truth.
  var contained = 0.0
  /// Mean published bound over the second half.
  var bound = 0.0
}

/// Runs the estimator for `seconds` against a 48 kHz device that is `ppm` slow.
func simulate(_ jitter: Jitter, ppm: Double, period: Int64, seconds: Double, seed: UInt64) -> Outcome {
  var noise = SeededNoise(seed: seed)
  let length = 1e9 / 48_000 * (1 + ppm / 1e6)
  let phase = noise.uniform() * 1_000_000
  func truth(_ frame: Int64) -> Double { 5_000_000_000 + phase + Double(frame) * length }
  let count = Int(seconds * 48_000 / Double(period))
  var estimator: TimelineEstimator?
  var errors: [Double] = []
  var ahead: [Double] = []
  var bounds: [Double] = []
  var held = 0
  for index in 0..<count {
    let frame = Int64(index) * period
    let read = Instant(nanoseconds: Int64(jitter.reading(of: truth(frame), noise: &noise)))
    if estimator == nil {
      estimator = TimelineEstimator(frame: frame, instant: read, rate: 48_000, biasFloor: .microseconds(20))
    } else {
      _ = estimator?.measure(frame: frame, heardAt: read)
    }
    guard let timeline = estimator?.timeline else { continue }
    let error = Double(timeline.instant(ofFrame: frame).nanoseconds) - truth(frame)
    errors.append(error / 1e3)
    ahead.append((Double(timeline.instant(ofFrame: frame + 48_000).nanoseconds) - truth(frame + 48_000)) / 1e3)
    bounds.append(Double(timeline.errorBound.nanoseconds) / 1e3)
    if abs(error / 1e3) <= bounds[index] { held += 1 }
  }
  let half = count / 2
  let bias = mean(errors[half...])
  var outcome = Outcome(bias: bias, contained: Double(held) / Double(count), bound: mean(bounds[half...]))
  outcome.debiased = rootMeanSquare(errors[half...], about: bias)
  outcome.ahead = rootMeanSquare(ahead[half...], about: bias)
  outcome.settling = settlingTime(errors, about: bias, period: period)
  return outcome
}

func mean(_ values: ArraySlice<Double>) -> Double { values.reduce(0, +) / Double(values.count) }

func rootMeanSquare(_ values: ArraySlice<Double>, about center: Double) -> Double {
  sqrt(values.reduce(0) { $0 + ($1 - center) * ($1 - center) } / Double(values.count))
}

private func settlingTime(_ errors: [Double], about bias: Double, period: Int64) -> Double {
  let second = Int(48_000 / period)
  var run = 0
  for (index, error) in errors.enumerated() {
    run = abs(error - bias) < 50 ? run + 1 : 0
    if run == second { return Double((index + 1 - second) * Int(period)) / 48_000 }
  }
  return .infinity
}
