// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Frames a second of everything that is rendered: the daemon's own rate, so that nothing is resampled as it is loaded.
let rate: Float = 48_000

/// Two channels of samples, of one length.
struct Stereo: Sendable {
  var left: [Float]
  var right: [Float]

  var frames: Int { left.count }

  init(frames: Int) {
    left = [Float](repeating: 0, count: frames)
    right = left
  }

  init(both samples: [Float]) {
    left = samples
    right = samples
  }

  /// Adds `sound` from `frame` on. What reaches beyond the end comes back at the beginning where `wraps`, else it is lost.
  mutating func add(_ sound: borrowing Stereo, at frame: Int, _ leftGain: Float, _ rightGain: Float, wraps: Bool) {
    mix(sound.left, into: &left, at: frame, leftGain, wraps: wraps)
    mix(sound.right, into: &right, at: frame, rightGain, wraps: wraps)
  }

  mutating func add(_ other: borrowing Stereo, gain: Float) {
    for index in 0..<frames {
      left[index] += other.left[index] * gain
      right[index] += other.right[index] * gain
    }
  }

  mutating func map(_ change: (Float) -> Float) {
    for index in 0..<frames {
      left[index] = change(left[index])
      right[index] = change(right[index])
    }
  }

  /// The largest size of a sample.
  var peak: Float { zip(left, right).reduce(0) { max($0, abs($1.0), abs($1.1)) } }
}

/// Adds `source` to `target` from `frame` on, in pieces that the compiler makes vectors of.
private func mix(_ source: borrowing [Float], into target: inout [Float], at frame: Int, _ gain: Float, wraps: Bool) {
  source.withUnsafeBufferPointer { source in
    target.withUnsafeMutableBufferPointer { target in
      guard !target.isEmpty else { return }
      var taken = 0
      var place = wraps ? frame % target.count : frame
      while taken < source.count, place < target.count {
        let count = min(source.count - taken, target.count - place)
        for index in 0..<count { target[place + index] += source[taken + index] * gain }
        taken += count
        place = wraps ? 0 : target.count
      }
    }
  }
}

/// Noise of a seed: the same in every run.
struct Noise {
  private var state: UInt32

  init(_ seed: UInt32) { state = seed &* 2_654_435_761 | 1 }

  /// Evenly from -1 to 1.
  mutating func next() -> Float {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Float(Int32(bitPattern: state)) / 2_147_483_648
  }
}

/// A filter of second order whose cutoff may move at every sample (Zavalishin's topology-preserving form).
struct StateVariable {
  private var first: Float = 0
  private var second: Float = 0
  private var g: Float = 0
  private var k: Float = 1
  private var a1: Float = 1

  init(_ hertz: Float = 1_000, resonance: Float = 0.1) { tune(hertz, resonance) }

  /// `resonance` is 0 for none to just below 1, where it rings by itself.
  mutating func tune(_ hertz: Float, _ resonance: Float) {
    g = tanf(.pi * min(hertz, 0.45 * rate) / rate)
    k = 2 - 1.96 * min(resonance, 0.98)
    a1 = 1 / (1 + g * (g + k))
  }

  /// Takes over the cutoff of another.
  mutating func tune(as other: StateVariable) { (g, k, a1) = (other.g, other.k, other.a1) }

  @inline(__always) mutating func callAsFunction(_ input: Float) -> (low: Float, band: Float, high: Float) {
    let v3 = input - second
    let band = a1 * (first + g * v3)
    let low = second + g * band
    first = 2 * band - first
    second = 2 * low - second
    return (low, band, input - k * band - low)
  }
}

extension [Float] {
  /// What a filter leaves of it.
  func low(_ hertz: Float, resonance: Float = 0.1) -> [Float] {
    var filter = StateVariable(hertz, resonance: resonance)
    return map { filter($0).low }
  }

  func high(_ hertz: Float, resonance: Float = 0.1) -> [Float] {
    var filter = StateVariable(hertz, resonance: resonance)
    return map { filter($0).high }
  }

  func band(_ hertz: Float, resonance: Float = 0.5) -> [Float] {
    var filter = StateVariable(hertz, resonance: resonance)
    return map { filter($0).band }
  }

  /// Rising from and falling to nothing at its ends, so that neither clicks.
  func faded(_ attack: Float = 0.0005, _ release: Float = 0.01) -> [Float] {
    var out = self
    let rise = Swift.min(count, Int(attack * rate))
    let fall = Swift.min(count, Int(release * rate))
    for index in 0..<rise { out[index] *= 0.5 - 0.5 * cosf(.pi * Float(index) / Float(rise)) }
    for index in 0..<fall { out[count - 1 - index] *= 0.5 - 0.5 * cosf(.pi * Float(index) / Float(fall)) }
    return out
  }

  static func + (one: [Float], other: [Float]) -> [Float] {
    (0..<Swift.max(one.count, other.count)).map {
      ($0 < one.count ? one[$0] : 0) + ($0 < other.count ? other[$0] : 0)
    }
  }

  static func * (one: [Float], gain: Float) -> [Float] { one.map { $0 * gain } }
}

/// `seconds` of a function of time.
func samples(_ seconds: Float, _ value: (Float) -> Float) -> [Float] {
  (0..<Int(seconds * rate)).map { value(Float($0) / rate) }
}

/// A sine whose frequency is a function of time.
func sweep(_ seconds: Float, _ hertz: (Float) -> Float) -> [Float] {
  var phase: Float = 0
  return samples(seconds) { time in
    phase += hertz(time) / rate
    phase -= phase.rounded(.down)
    return sinf(2 * .pi * phase)
  }
}

func noise(_ seconds: Float, seed: UInt32) -> [Float] {
  var source = Noise(seed)
  return samples(seconds) { _ in source.next() }
}

/// Hertz of a MIDI note number.
func hertz(_ note: Float) -> Float { 440 * powf(2, (note - 69) / 12) }
