// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@Suite struct TimelineEstimatorTests {
  @Test(arguments: [(Jitter.gaussian, 8.0), (.oneSided, 4), (.usb, 80), (.hda, 3)], [0.0, 50, 250])
  func spreadAroundTheBiasIsSmall(_ device: (jitter: Jitter, limit: Double), ppm: Double) {
    let outcome = simulate(device.jitter, ppm: ppm, period: 256, seconds: 40, seed: 7)
    #expect(outcome.debiased < device.limit)
    #expect(outcome.contained >= 0.99)
  }

  @Test func anExactDeviceIsFollowedToTheNanosecond() {
    var estimator = TimelineEstimator(frame: 0, instant: .zero, rate: 48_000, biasFloor: .zero)
    for second in 1...100 {
      let instant = Instant(nanoseconds: Int64(second) * 1_000_000_000)
      #expect(estimator.measure(frame: Int64(second) * 48_000, heardAt: instant) == .accepted)
      #expect(estimator.timeline.instant(ofFrame: Int64(second) * 48_000) == instant)
    }
    #expect(estimator.timeline.errorBound == .zero)
  }

  @Test func aSingleSpikeIsIgnored() {
    var estimator = settled()
    let before = estimator.timeline
    #expect(estimator.measure(frame: 256_000, heardAt: expected(256_000) + .milliseconds(3)) == .outlier)
    #expect(estimator.timeline.instant(ofFrame: 256_000) == before.instant(ofFrame: 256_000))
  }

  @Test func aShiftThatStaysIsTakenOverWithin200Milliseconds() {
    var estimator = settled()
    var jump: (frame: Int64, by: Interval)?
    for frame in stride(from: Int64(256_000), to: 256_000 + 48_000, by: 256) where jump == nil {
      if case .jumped(let by) = estimator.measure(frame: frame, heardAt: expected(frame) + .milliseconds(5)) {
        jump = (frame, by)
      }
    }
    #expect((jump?.frame ?? .max) <= 256_000 + 9_600)
    #expect(jump?.by == .milliseconds(5))
    let error = estimator.timeline.instant(ofFrame: 300_000) - (expected(300_000) + .milliseconds(5))
    #expect(abs(error.nanoseconds) <= 1)
  }

  @Test func aReadingOfAFrameAlreadyReadIsIgnored() {
    var estimator = settled()
    let before = estimator.timeline
    #expect(estimator.measure(frame: before.frame, heardAt: expected(0)) == .outlier)
    #expect(estimator.measure(frame: .min, heardAt: .distantPast) == .outlier)
    #expect(estimator.timeline == before)
  }

  @Test func restartTellsTheCorrectionAndKeepsTheSlope() {
    var estimator = settled()
    let slope = estimator.timeline.nanosecondsPerFrame
    #expect(estimator.restart(frame: 300_000, heardAt: expected(300_000) + .milliseconds(-2)) == .milliseconds(-2))
    #expect(estimator.timeline.nanosecondsPerFrame == slope)
    #expect(estimator.timeline.instant == expected(300_000) + .milliseconds(-2))
  }

  @Test func aDeviceThatBeginsLateIsFollowedFromItsBeginning() {
    var estimator = TimelineEstimator(frame: 0, instant: expected(0), rate: 48_000, biasFloor: .zero)
    #expect(estimator.measure(frame: 256, heardAt: expected(256) + .milliseconds(900)) == .jumped(.milliseconds(900)))
    for frame in stride(from: Int64(512), to: 48_000, by: 256) {
      #expect(estimator.measure(frame: frame, heardAt: expected(frame) + .milliseconds(900)) == .accepted)
    }
    #expect(abs(estimator.timeline.nanosecondsPerFrame - 62_500.0 / 3) < 0.001)
    #expect(estimator.timeline.errorBound < .microseconds(1))
  }

  @Test func jitterOfManyMillisecondsIsFollowedRatherThanStartedAfreshForEver() {
    var estimator = TimelineEstimator(frame: 0, instant: expected(0), rate: 48_000, biasFloor: .zero)
    var jumps = 0
    for (index, frame) in stride(from: Int64(256), to: 480_000, by: 256).enumerated() {
      let off = Interval.milliseconds(index % 2 == 0 ? 4 : 0)
      if case .jumped = estimator.measure(frame: frame, heardAt: expected(frame) + off) { jumps += 1 }
    }
    #expect(jumps <= 4)
    let error = estimator.timeline.instant(ofFrame: 480_000) - expected(480_000)
    #expect(error > .zero && error < .milliseconds(4))
    #expect(estimator.timeline.errorBound > .milliseconds(2))
  }

  @Test func framesPassedOverAreHeardWhenTheLastWasToBe() {
    var estimator = settled()
    let before = estimator.timeline
    estimator.renumber(by: 480)
    #expect(estimator.timeline.instant(ofFrame: before.frame + 480) == before.instant)
  }

  @Test func readingsFarFromTruthNeverTrap() {
    var estimator = TimelineEstimator(frame: .min, instant: .distantPast, rate: 48_000, biasFloor: .zero)
    for (frame, instant) in [(Int64.max, Instant.distantPast), (.min, .distantFuture), (.max, .distantFuture)] {
      _ = estimator.measure(frame: frame, heardAt: instant)
      _ = estimator.restart(frame: frame, heardAt: instant)
      _ = estimator.timeline.instant(ofFrame: .max)
    }
    #expect(estimator.timeline.nanosecondsPerFrame > 0)
  }

  /// 1000 periods of 256 frames at exactly 48 kHz, whose last is frame 255 744.
  private func settled() -> TimelineEstimator {
    var estimator = TimelineEstimator(frame: 0, instant: expected(0), rate: 48_000, biasFloor: .zero)
    for frame in stride(from: Int64(256), to: 256_000, by: 256) {
      _ = estimator.measure(frame: frame, heardAt: expected(frame))
    }
    return estimator
  }

  /// Frames of a 48 kHz device whose frame 0 was heard at 2 s. 256 frames are 16/3 ms.
  private func expected(_ frame: Int64) -> Instant {
    Instant(nanoseconds: 2_000_000_000 + frame * 62_500 / 3)
  }
}
