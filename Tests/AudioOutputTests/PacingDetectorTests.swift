// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct PacingDetectorTests {
  private let start = Instant(microseconds: 5_000_000)

  @Test func aDeviceAtItsRateIsPacedEvenIfItSeemsTwoBuffersAhead() {
    let detector = PacingDetector(rate: 48_000, bufferFrames: 1_024, startedAt: start)
    for second in Int64(0)...10 {
      let now = start + .milliseconds(1_000 * second)
      #expect(!detector.isUnpaced(framesPlayed: 48_000 * second + 2 * 1_024, at: now))
    }
  }

  @Test func aDeviceFarAheadOfTheClockIsNot() {
    let detector = PacingDetector(rate: 48_000, bufferFrames: 1_024, startedAt: start)
    // 2 x 1024 frames and 20 ms are allowed.
    #expect(!detector.isUnpaced(framesPlayed: 2_048 + 960 + 48, at: start + .milliseconds(1)))
    #expect(detector.isUnpaced(framesPlayed: 2_048 + 960 + 49, at: start + .milliseconds(1)))
  }

  @Test func aDeviceTwiceTooFastIsNoticedWithinItsProbation() {
    let detector = PacingDetector(rate: 48_000, bufferFrames: 256, startedAt: start)
    // 512 + 960 frames ahead after 31 ms.
    #expect(!detector.isUnpaced(framesPlayed: 2 * 1_440, at: start + .milliseconds(30)))
    #expect(detector.isUnpaced(framesPlayed: 2 * 1_488, at: start + .milliseconds(31)))
    #expect(!detector.isSettled(at: start + .milliseconds(99)))
    #expect(detector.isSettled(at: start + .milliseconds(100)))
  }
}
