// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioOutput

@Suite struct WakeSourceTests {
  private func wakes(_ period: Int, least: Int, _ kind: DeviceKind = .card) -> WakeSource {
    WakeSource(writing: period, leastPeriod: least, kind: kind)
  }

  @Test func aCardWithShortPeriodsWakesByItself() {
    #expect(wakes(64, least: 16) == .device)
    #expect(wakes(64, least: 64) == .device)
    #expect(wakes(64, least: 128) == .device)
  }

  @Test func theClockWakesForACardWhoseLeastPeriodIsLong() {
    #expect(wakes(64, least: 129) == .timer)
    #expect(wakes(64, least: 256) == .timer)
    #expect(wakes(64, least: 4_096) == .timer)
  }

  @Test func aPeriodThatTheCardHasNeedsNoClock() {
    #expect(wakes(256, least: 256) == .device)
    #expect(wakes(512, least: 256) == .device)
    #expect(wakes(255, least: 256) == .timer)
  }

  @Test func aPositionThatIsToldByPeriodsHasNoUseForIt() {
    #expect(wakes(64, least: 512, .batchCard) == .device)
    #expect(wakes(64, least: 512, .shared) == .device)
  }

  @Test func oneThatIsKeptThreeOfItsPeriodsAheadWakesByItself() {
    func wakes(needed: Int?, least: Int) -> WakeSource {
      WakeSource(writing: 64, leastPeriod: least, kind: .card, needed: needed)
    }
    #expect(wakes(needed: nil, least: 512) == .timer)
    #expect(wakes(needed: 1_535, least: 512) == .timer)
    #expect(wakes(needed: 1_536, least: 512) == .device)
    #expect(wakes(needed: 8_191, least: 4_096) == .timer)
    #expect(wakes(needed: 8_192, least: 4_096) == .device, "more is never remembered")
  }

  @Test func usbIsToldByPacketsWhateverTheKernelSays() {
    #expect(DeviceKind(isHardware: true, isBatch: false, driver: "HDA-Intel") == .card)
    #expect(DeviceKind(isHardware: true, isBatch: true, driver: "HDA-Intel") == .batchCard)
    #expect(DeviceKind(isHardware: true, isBatch: false, driver: "USB-Audio") == .batchCard)
    #expect(DeviceKind(isHardware: false, isBatch: false, driver: "USB-Audio") == .shared)
    #expect(DeviceKind(isHardware: false, isBatch: true, driver: "") == .shared)
  }
}
