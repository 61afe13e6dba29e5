// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Testing

@testable import Server

@Suite struct CostMeterTests {
  /// Uses the processor for so long at least, by its own clock.
  private func work(nanoseconds: Int64) {
    let begun = rt_thread_processor_ns()
    while rt_thread_processor_ns() - begun < nanoseconds {}
  }

  @Test func whatWasUsedSinceAnEarlierReadingIsCounted() {
    var meter = CostMeter(isCounting: false)
    let before = rt_thread_processor_ns()
    work(nanoseconds: 300_000)
    meter.begin(at: before)
    let cost = meter.take().nanoseconds
    #expect(cost >= 300_000 && cost <= rt_thread_processor_ns() - before)
    // Without one only what comes.
    let since = rt_thread_processor_ns()
    meter.begin()
    #expect(meter.take().nanoseconds <= rt_thread_processor_ns() - since)
  }

  @Test func whatIsCountedDependsOnNoClock() {
    var meter = CostMeter(isCounting: true)
    meter.begin(at: 1)
    meter.note(bytes: 100)
    #expect(meter.take().nanoseconds == 12_000)
    #expect(meter.take() == .zero)
  }
}
