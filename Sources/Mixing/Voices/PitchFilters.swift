// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One low-pass filter, sampled finely enough to be read at any place between two frames.
struct PitchFilter: BitwiseCopyable {
  /// Frames of the source that go into one of output.
  let taps: Int
  /// There are 2 to the power of this many phases between two frames.
  let phaseBits: Int32
  /// `2^phaseBits + 1` rows of coefficients, each coefficient twice: see `rt_mix_sinc`.
  let rows: UnsafePointer<Float>

  /// Frames it needs before the one at or before its place.
  var before: Int64 { @_noLocks get { Int64(taps / 2 - 1) } }
  /// Frames it needs from the one at or before its place on.
  var after: Int64 { @_noLocks get { Int64(taps / 2 + 1) } }
}

/// The filters that voices are read through at other speeds than their own: windowed sincs, by a Kaiser window.
///
/// At up to 1.26 times the speed 16 taps pass everything, flat to 15 kHz at 48 kHz with errors below -90 dB. What a source
/// has above that comes with its mirror image at 48 kHz less its frequency: 67 dB below it at 16 kHz, 38 at 18, 21 at 20,
/// 10 at 22; and what would come to lie beyond half the rate (from 19 kHz at 1.26 times the speed) folds back, to 17.8 kHz
/// at the lowest, hardly softened. Faster, that has to go: a filter each third of an octave, cut off that much lower, of
/// 32 taps up to twice the speed and 64 above; up to four times the speed nothing folds to below 15 kHz louder than -85 dB.
/// Method: J. O. Smith, "Digital Audio Resampling", CCRMA, 2002.
struct PitchFilters: BitwiseCopyable {
  static var mostTaps: Int { @_noLocks get { 64 } }
  /// Frames that are gathered at a time, at most: so many that a loop shorter than its filter costs little more than others.
  static var gatheredFrames: Int { @_noLocks get { 512 } }

  /// Filter k is for speeds up to 2^((k + 1) / 3).
  private static var count: Int { @_noLocks get { 9 } }
  private static let kaiserShape = 9.0
  private static var rowFloats: Int { @_noLocks get { 32 } }
  private static var phases: Int { @_noLocks get { 128 } }

  private let filters: UnsafeMutablePointer<PitchFilter>
  private let coefficients: UnsafeMutablePointer<Float>
  /// The highest step of each filter but the last.
  private let limits: UnsafeMutablePointer<Int64>
  /// Room for `gatheredFrames` frames, gathered round the ends of a source.
  let gathered: UnsafeMutablePointer<Float>

  /// From one filter's coefficients to the next's. The wider a filter, the fewer phases it needs: all take the same room, but
  /// for the last row.
  private static let stride = rowFloats * phases + 2 * mostTaps

  /// The coefficients of all, which are the same in every mixer.
  private static let table: [Float] = {
    var table = [Float](repeating: 0, count: count * stride)
    table.withUnsafeMutableBufferPointer { room in
      guard let first = room.baseAddress else { return }
      for index in 0..<count {
        fill(first + index * stride, shape(index, rows: first), cutoff: index == 0 ? 1 : 1 / speed(index))
      }
    }
    return table
  }()

  init() {
    coefficients = .room(Self.table.count)
    coefficients.update(from: Self.table, count: Self.table.count)
    filters = .allocate(capacity: Self.count)
    limits = .allocate(capacity: Self.count)
    gathered = .room(2 * Self.gatheredFrames)
    for index in 0..<Self.count {
      (filters + index).initialize(to: Self.shape(index, rows: coefficients + index * Self.stride))
      (limits + index).initialize(to: Int64(Self.speed(index) * 0x1p32))
    }
  }

  /// The highest speed that a filter is for.
  private static func speed(_ index: Int) -> Double { exp2(Double(index + 1) / 3) }

  private static func shape(_ index: Int, rows: UnsafePointer<Float>) -> PitchFilter {
    let widening: Int32 = index == 0 ? 0 : index < 3 ? 1 : 2
    return PitchFilter(taps: 16 << Int(widening), phaseBits: 7 - widening, rows: rows)
  }

  func deallocate() {
    coefficients.deallocate()
    filters.deallocate()
    limits.deallocate()
    gathered.deallocate()
  }

  /// The filter for a step, in 1 / 2^32 frames of the source per frame of output.
  @_noLocks func filter(step: Int64) -> PitchFilter {
    var index = 0
    while index < Self.count - 1 && step > limits[index] { index &+= 1 }
    return filters[index]
  }

  /// `cutoff` is a part of half the rate. Every phase adds up to 1, so that a constant stays what it is.
  private static func fill(_ rows: UnsafeMutablePointer<Float>, _ filter: PitchFilter, cutoff: Double) {
    let half = Double(filter.taps / 2)
    let phases = 1 << Int(filter.phaseBits)
    var row = [Double](repeating: 0, count: filter.taps)
    for phase in 0...phases {
      var sum = 0.0
      for tap in 0..<filter.taps {
        let distance = Double(tap) - (half - 1) - Double(phase) / Double(phases)
        let inside = max(0, 1 - (distance / half) * (distance / half))
        row[tap] = sinc(cutoff * distance) * bessel(kaiserShape * inside.squareRoot())
        sum += row[tap]
      }
      for tap in 0..<filter.taps {
        rows[2 * (phase * filter.taps + tap)] = Float(row[tap] / sum)
        rows[2 * (phase * filter.taps + tap) + 1] = Float(row[tap] / sum)
      }
    }
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

  /// The modified Bessel function of the first kind and order 0, by its power series (Abramowitz and Stegun 9.6.12).
  private static func bessel(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var k = 1.0
    while term > 1e-12 * sum {
      term *= (x / (2 * k)) * (x / (2 * k))
      sum += term
      k += 1
    }
    return sum
  }
}
