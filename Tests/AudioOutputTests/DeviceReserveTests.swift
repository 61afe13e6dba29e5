// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct DeviceReserveTests {
  private let start = Instant(microseconds: 1_000_000)

  @Test func aDeviceThatAlwaysHasAPeriodLeftWasNotLow() {
    var reserve = DeviceReserve()
    for index in Int64(0)..<100 { reserve.read(queued: 256 + index, period: 256, at: start + .milliseconds(5 * index)) }
    #expect(!reserve.wasLow(at: start + .milliseconds(500)))
  }

  @Test func oneThatHadLessWasLowForAsLongAsItsPositionMayTellSo() {
    var reserve = DeviceReserve()
    reserve.read(queued: 255, period: 256, at: start)
    reserve.read(queued: 1_024, period: 256, at: start + .milliseconds(5))
    #expect(reserve.wasLow(at: start + .milliseconds(500)))
    #expect(!reserve.wasLow(at: start + .milliseconds(501)))
    reserve.read(queued: 0, period: 256, at: start + .milliseconds(600))
    #expect(reserve.wasLow(at: start + .milliseconds(700)))
  }

  /// A server that misses a cycle of its own every second, and a daemon that keeps 1,024 frames ahead of it: whether it is
  /// let go to be kept farther ahead.
  private func isKeptFartherAhead(_ left: Int64) -> Bool {
    let plan = AudioTimeline(frame: 0, instant: start, rate: 48_000)
    var (reserve, recovery) = (DeviceReserve(), DeviceRecovery(canGrow: true))
    var clock = DeviceClock(
      frame: 0, heardAt: start, rate: 48_000, bufferFrames: 1_024, biasFloor: .microseconds(50), startedAt: start)
    clock.align(frame: 0, heardAt: start)
    _ = recovery.handle(.started, at: start)
    _ = recovery.handle(.aligned, at: start)
    var jumps = 0
    for index in Int64(1)...8_000 {
      let now = plan.instant(ofFrame: 128 * index)
      let late = Interval.frames(512 * (index / 400), rate: 48_000)
      reserve.read(queued: left, period: 256, at: now)
      let outcome = clock.measure(
        frame: 128 * index, heardAt: now + late, played: 128 * index, wasLow: reserve.wasLow(at: now), plan: plan,
        at: now)
      guard case .followed(let correction, let ranDry) = outcome else { continue }
      if correction > .milliseconds(1) { jumps += 1 }
      if recovery.handle(ranDry ? .glitch : .progress, at: now).action != .proceed { return true }
    }
    #expect(jumps > 10)
    return false
  }

  @Test func aServerThatIsLateByItselfIsNotKeptFartherAhead() {
    #expect(!isKeptFartherAhead(512))
    #expect(!isKeptFartherAhead(256))
  }

  @Test func oneThatWasShortOfFramesIs() {
    #expect(isKeptFartherAhead(255))
    #expect(isKeptFartherAhead(0))
  }
}
