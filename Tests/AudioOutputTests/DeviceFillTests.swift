// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing

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

  @Test func twoPeriodsAtLeastAndTheRingAtMostAreKept() {
    #expect(DeviceFill(frames: 1, period: 64, ring: 1_024).frames == 128)
    #expect(DeviceFill(frames: 5_000, period: 64, ring: 1_024).frames == 1_024)
  }
}
