// SPDX-License-Identifier: Apache-2.0

import CRealTime
import SeededNumbers
import Testing

/// The C loops against the plain arithmetic they stand for, and against each other: the same bits.
@Suite struct KernelTests {
  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 13]) func linesAreSummedInTheirOrder(_ count: Int) {
    var numbers = SeededRandom(seed: UInt64(count))
    for frames in [1, 2, 3, 4, 5, 63, 64, 256] {
      for steady in [false, true] {
        let sources = (0..<count).map { _ in
          (0..<2 * frames).map { _ in Int16.random(in: .min ... .max, using: &numbers) }
        }
        let before = (0..<2 * frames).map { _ in Float.random(in: -1...1, using: &numbers) }
        let gains = (0..<count).map { _ in (0..<4).map { _ in Float.random(in: -1...1, using: &numbers) } }
        let start = Float(Int.random(in: 0...60_000, using: &numbers))
        for overwrite in [false, true] {
          var expected = overwrite ? [Float](repeating: 0, count: 2 * frames) : before
          for voice in 0..<count {
            for index in 0..<2 * frames {
              let slope = steady ? 0 : gains[voice][2 + index % 2] * 1e-4
              let gain = gains[voice][index % 2] + slope * (start + Float(index / 2))
              expected[index] += Float(sources[voice][index]) * 0x1p-15 * gain
            }
          }
          for kernel in kernels {
            for keeping in Keeping.allCases {
              var out = before
              withLines(sources, gains, start, steady, keeping) {
                rt_mix_lines(kernel, $0, count, &out, frames, overwrite)
              }
              #expect(out == expected, "\(frames) frames, kernel \(kernel.rawValue), \(keeping)")
            }
          }
        }
      }
    }
  }

  private func withLines(
    _ sources: [[Int16]], _ gains: [[Float]], _ start: Float, _ steady: Bool, _ keeping: Keeping,
    _ body: (UnsafePointer<rt_gain_line>) -> Void
  ) {
    let memory = sources.indices.map { samples(sources[$0], keeping, number: $0) }
    let lines = memory.indices.map { voice in
      rt_gain_line(
        source: memory[voice], base_left: gains[voice][0], base_right: gains[voice][1],
        slope_left: steady ? 0 : gains[voice][2] * 1e-4, slope_right: steady ? 0 : gains[voice][3] * 1e-4, index: start)
    }
    body(lines)
    for samples in memory { samples.first.deallocate() }
  }

  /// Memory of its own with those samples, kept as source number `number` is; to be deallocated.
  private func samples(_ integers: [Int16], _ keeping: Keeping, number: Int = 1) -> rt_samples {
    if keeping == .integers || (keeping == .alternately && number % 2 == 1) {
      let room = UnsafeMutablePointer<Int16>.allocate(capacity: integers.count)
      room.initialize(from: integers, count: integers.count)
      return rt_samples(first: room, layout: .RT_SAMPLES_INT16)
    }
    let room = UnsafeMutablePointer<Float>.allocate(capacity: integers.count)
    room.initialize(from: integers.map { Float($0) * 0x1p-15 }, count: integers.count)
    return rt_samples(first: room, layout: .RT_SAMPLES_FLOAT)
  }

  @Test func gainsAreAppliedSampleBySample() {
    var numbers = SeededRandom(seed: 8)
    let source = (0..<37).map { _ in Int16.random(in: .min ... .max, using: &numbers) }
    let gains = (0..<37).map { _ in Float.random(in: -1...1, using: &numbers) }
    let before = (0..<37).map { _ in Float.random(in: -1...1, using: &numbers) }
    for kernel in kernels {
      for keeping in [Keeping.floats, .integers] {
        var out = before
        let kept = samples(source, keeping)
        rt_mix_gains(kernel, kept, gains, &out, 37)
        kept.first.deallocate()
        let expected = (0..<37).map { frame in before[frame] + Float(source[frame]) * (0x1p-15 as Float) * gains[frame]
        }
        #expect(out == expected)
      }
    }
  }

  @Test(arguments: [0, 7, 16, 31, 32, 63]) func thePeakIsFoundWhereverItIs(_ place: Int) {
    for kernel in kernels {
      var samples = [Float](repeating: 0.25, count: 64)
      samples[place] = -0.75
      #expect(rt_mix_peak(kernel, samples, 2) == 0.75)
      var peaks: [Float] = [0, 0]
      rt_mix_group_peaks(kernel, samples, 2, &peaks)
      #expect(peaks == (place < 32 ? [0.75, 0.25] : [0.25, 0.75]))
      for broken in [Float.nan, -.nan, .infinity, -.infinity] {
        samples[place] = broken
        #expect(rt_mix_peak(kernel, samples, 2).isNaN)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 5, 8, 11, 16, 17], [1, 2, 7, 16, 33]) func theLowestOfEveryWindowIsFound(
    span: Int, count: Int
  ) {
    var numbers = SeededRandom(seed: UInt64(100 * span + count))
    let values = (0..<count + span - 1).map { _ in Float.random(in: 0...1, using: &numbers) }
    var found = values
    rt_mix_lowest(&found, span, count)
    #expect((0..<count).allSatisfy { found[$0] == values[$0..<$0 + span].min() })
  }

  @Test func groupsAreScaledAlongTheirLinesAndHeldToFullScale() {
    var numbers = SeededRandom(seed: 9)
    let frames = RT_GROUP_FRAMES
    let source = (0..<2 * 3 * frames).map { _ in Float.random(in: -4...4, using: &numbers) }
    let gains: [Float] = [1, 0.25, 0.3, 0]
    let expected = source.indices.map { index in
      let (group, frame) = ((index / 2) / frames, Float((index / 2) % frames))
      let gain = gains[group] + frame * ((gains[group + 1] - gains[group]) / Float(frames))
      return min(max(source[index] * gain, -1), 1)
    }
    #expect(expected.contains(1) && expected.contains(-1))
    for kernel in kernels {
      var out = [Float](repeating: 0, count: source.count)
      rt_mix_scale(kernel, source, gains, 3, &out)
      #expect(out == expected, "kernel \(kernel.rawValue)")
    }
  }

  @Test func equalPowerFollowsItsFormulaAndIsExactAtItsEnds() {
    for (from, to) in [(0 as Float, 1 as Float), (1, 0), (0.3, 0.8), (2, 0.1)] {
      var results: [[Float]] = []
      for kernel in kernels {
        var gains = [Float](repeating: 1, count: 1_001)
        rt_mix_equal_power(kernel, &gains, 1_001, from, to, 0, 1_000)
        for passed in 0...1_000 {
          let expected = Oracle.equalPower(Double(from), Double(to), passed, of: 1_000)
          #expect(abs(Double(gains[passed]) - expected) < 1e-6)
        }
        #expect(gains[0] == from && gains[1_000] == to)
        results.append(gains)
      }
      #expect(Set(results).count == 1)
    }
  }

  @Test(arguments: [(16, 7 as Int32), (32, 6), (64, 5)]) func sincReadsBetweenFramesAlikeOnEveryKernel(
    taps: Int, phaseBits: Int32
  ) {
    var numbers = SeededRandom(seed: UInt64(taps))
    let source = (0..<2 * 200).map { _ in Int16.random(in: .min ... .max, using: &numbers) }
    let phases = 1 << Int(phaseBits)
    let weights = (0..<(phases + 1) * taps).map { _ in Float.random(in: -1...1, using: &numbers) }
    let rows = weights.flatMap { [$0, $0] }
    let place = UInt64.random(in: 0..<1 << 32, using: &numbers)
    let step = UInt64.random(in: 1 << 30..<1 << 33, using: &numbers)
    let frames = 40
    var results: [[Float]] = []
    for kernel in kernels {
      for keeping in [Keeping.floats, .integers] {
        var out = [Float](repeating: 0, count: 2 * frames)
        let kept = samples(source, keeping)
        rt_mix_sinc(kernel, kept, frames, place, step, rows, taps, phaseBits, &out)
        kept.first.deallocate()
        results.append(out)
      }
    }
    #expect(Set(results).count == 1)
    for frame in 0..<frames {
      let position = Double(place + UInt64(frame) * step) * 0x1p-32
      let phase = (position - position.rounded(.down)) * Double(phases)
      let (row, x) = (Int(phase), phase - phase.rounded(.down))
      for channel in 0..<2 {
        let expected = (0..<taps).reduce(0.0) { sum, tap in
          let here = Double(weights[row * taps + tap])
          let next = Double(weights[(row + 1) * taps + tap])
          return sum + (here + (next - here) * x) * Double(source[2 * (Int(position) + tap) + channel]) * 0x1p-15
        }
        #expect(abs(Double(results[0][2 * frame + channel]) - expected) < 1e-5, "frame \(frame)")
      }
    }
  }
}
