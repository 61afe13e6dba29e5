// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioOutput

@Suite struct DeviceFillTests {
  @Test func roomIsWhatIsMissingFromTheFillAndNotFromTheRing() {
    let fill = DeviceFill(frames: 192, period: 64, ring: 1_024)
    #expect(fill.room(available: 1_024) == 192)
    #expect(fill.room(available: 2_000) == 192, "a device that has run dry tells more than its ring")
    #expect(fill.room(available: 896) == 64)
    #expect(fill.room(available: 895) == 63)
    #expect(fill.room(available: 800) == -32)
    #expect(fill.queued(available: 896) == 128)
    #expect(fill.queued(available: 2_000) == 0)
    #expect(fill.queued(available: -5) == 1_024)
  }

  @Test func theDeviceWakesWhereAPeriodIsMissing() {
    let fill = DeviceFill(frames: 192, period: 64, ring: 1_024)
    #expect(fill.wakeRoom == 896)
    #expect(fill.room(available: Int64(fill.wakeRoom)) == 64)
    #expect(DeviceFill(frames: 384, period: 128, ring: 384).wakeRoom == 128)
  }

  @Test func itGrowsByPeriodsToTheWholeRing() {
    var fill = DeviceFill(frames: 192, period: 64, ring: 300)
    #expect(fill.grow() && fill.frames == 256)
    #expect(fill.wakeRoom == 108)
    #expect(fill.grow() && fill.frames == 300)
    #expect(!fill.grow() && fill.frames == 300)
  }

  @Test func itGrowsAtOnceToWhatIsNeeded() {
    var fill = DeviceFill(frames: 192, period: 64, ring: 1_024)
    fill.grow(to: 100)
    #expect(fill.frames == 192)
    fill.grow(to: 576)
    #expect(fill.frames == 576 && fill.wakeRoom == 512)
    fill.grow(to: 1_536)
    #expect(fill.frames == 1_024)
  }

  @Test func twoPeriodsAtLeastAndTheRingAtMostAreKept() {
    #expect(DeviceFill(frames: 1, period: 64, ring: 1_024).frames == 128)
    #expect(DeviceFill(frames: 5_000, period: 64, ring: 1_024).frames == 1_024)
  }

  @Test func ofLongerPeriodsThanWereAskedForADeviceIsKeptThreeAhead() {
    let wanted = DeviceFill(frames: 192, period: 64, ring: 1_024)
    func fill(_ period: Int, ring: Int) -> [Int] {
      let fill = DeviceFill(wanted: wanted, period: period, ring: ring, wakes: .device)
      return [fill.frames, fill.period, fill.ring]
    }
    #expect(fill(64, ring: 1_024) == [192, 64, 1_024])
    #expect(fill(48, ring: 1_056) == [192, 48, 1_056])
    #expect(fill(128, ring: 1_024) == [384, 128, 1_024])
    #expect(fill(256, ring: 1_024) == [768, 256, 1_024])
    #expect(fill(512, ring: 1_024) == [1_024, 512, 1_024], "no more than there is")
  }

  @Test func whereTheClockWakesTheDevicesOwnPeriodsDoNotCount() {
    func fill(_ wanted: DeviceFill, _ period: Int, ring: Int) -> [Int] {
      let fill = DeviceFill(wanted: wanted, period: period, ring: ring, wakes: .timer)
      return [fill.frames, fill.period, fill.ring]
    }
    let wanted = DeviceFill(frames: 192, period: 64, ring: 1_024)
    #expect(fill(wanted, 256, ring: 1_024) == [192, 64, 1_024])
    #expect(fill(wanted, 512, ring: 1_024) == [192, 64, 1_024])
    #expect(fill(wanted, 4_096, ring: 8_192) == [192, 64, 8_192])
    // What was configured is three periods, and all of the ring that was asked for.
    #expect(fill(DeviceFill(frames: 96, period: 32, ring: 96), 512, ring: 1_024) == [96, 32, 1_024])
    var growing = DeviceFill(wanted: wanted, period: 512, ring: 1_024, wakes: .timer)
    #expect(growing.wakeRoom == 896 && growing.lead == 128)
    #expect(growing.grow() && growing.frames == 256)
  }

  @Test func whatIsConfiguredFillsTheRingThatADeviceGives() {
    let wanted = DeviceFill(frames: 192, period: 64, ring: 192)
    #expect(
      DeviceFill(wanted: wanted, period: 128, ring: 256, wakes: .device)
        == DeviceFill(frames: 256, period: 128, ring: 256))
  }
}
