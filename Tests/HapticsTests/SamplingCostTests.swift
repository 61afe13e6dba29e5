// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter
import Glibc
import Haptics
import PatternTools
import Testing
import Timing

/// Sampling a pattern asks nothing of the allocator and takes no lock.
@Suite(.enabled(if: call_counter_works())) struct SamplingCostTests {
  /// The events and curves of a long pattern, many at once.
  private var crowd: HapticPattern {
    var document = AHAPDocument()
    for index in 0..<267 {
      let time = Double(index) * 0.015
      document.events.append(
        index % 2 == 0
          ? AHAPEvent(.transient, time: time, parameters: [.intensity: 0.7])
          : AHAPEvent(
            .continuous, time: time, duration: 0.3,
            parameters: [.intensity: 0.2, .attackTime: 0.3, .releaseTime: 0.5]))
    }
    let points = (0..<16).map { AHAPControl.Point(time: Double($0) * 0.25, value: Double($0 % 3) / 2) }
    document.controls = [
      AHAPControl(.intensity, time: 0.1, points: points), AHAPControl(.sharpness, time: 0.2, points: points),
    ]
    return HapticPattern(document)
  }

  @Test func samplingAtAThousandHertzAllocatesNothing() {
    let pattern = crowd
    let milliseconds = pattern.duration.nanoseconds / 1_000_000
    #expect(milliseconds > 4_000)
    func sampled() -> Float {
      var sum: Float = 0
      var time = Int64(0)
      // Not a range: without optimisation its iterator allocates.
      while time <= milliseconds {
        sum += pattern.level(at: .milliseconds(time)).intensity
        time += 1
      }
      return sum
    }
    // The first call of all makes the runtime's own tables.
    var sum = sampled()
    call_counter_begin()
    sum = sampled()
    let counts = call_counter_end()
    #expect(counts.allocations == 0)
    #expect(counts.locks == 0)
    #expect(sum > 100)
  }

  @Test func aVoiceCoilIsFedWithoutAllocating() {
    var coil = VoiceCoil(crowd, rate: 8_000)
    let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 8_000)
    defer { samples.deallocate() }
    call_counter_begin()
    coil.render(into: samples)
    let counts = call_counter_end()
    #expect(counts.allocations == 0 && counts.locks == 0)
    #expect(samples.contains { abs($0) > 0.1 })
  }

  @Test func theCounterSeesWhatItIsThereFor() {
    call_counter_begin()
    let changes = crowd.changes()
    let counts = call_counter_end()
    #expect(changes.count > 100 && counts.allocations > 0)
  }
}
