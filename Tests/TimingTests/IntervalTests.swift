// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@Suite struct IntervalTests {
  @Test func microsecondsRoundDownOnBothSidesOfZero() {
    #expect(Interval(nanoseconds: 1_999).microseconds == 1)
    #expect(Interval(nanoseconds: -1).microseconds == -1)
    #expect(Interval(nanoseconds: -1_000).microseconds == -1)
    #expect(Interval(nanoseconds: -1_001).microseconds == -2)
    #expect(Instant(nanoseconds: -1).microseconds == -1)
  }

  @Test func sumsSaturate() {
    let most = Interval(nanoseconds: .max)
    let least = Interval(nanoseconds: .min)
    #expect(most + Interval(nanoseconds: 1) == most)
    #expect(least - Interval(nanoseconds: 1) == least)
    #expect(-least == most)
    #expect(Instant.distantFuture + .milliseconds(1) == .distantFuture)
    #expect(Instant.distantPast - .milliseconds(1) == .distantPast)
    #expect(Instant.distantFuture - Instant.distantPast == most)
    #expect(Interval.microseconds(.max) == most)
    #expect(Interval.milliseconds(.min) == least)
    #expect(Instant(microseconds: .max) == .distantFuture)
  }

  @Test func secondsRoundToTheNearestNanosecondAndSaturate() {
    #expect(Interval.seconds(1.25e-9).nanoseconds == 1)
    #expect(Interval.seconds(-1.75e-9).nanoseconds == -2)
    #expect(Interval.seconds(0.7059) == .microseconds(705_900))
    #expect(Interval.seconds(.nan) == .zero)
    #expect(Interval.seconds(.infinity).nanoseconds == .max)
    #expect(Interval.seconds(-1e30).nanoseconds == .min)
  }

  @Test func aDayOfFramesHasNoDrift() {
    let day: Int64 = 86_400
    #expect(Interval.frames(day * 44_100, rate: 44_100) == .seconds(86_400))
    #expect(Interval.frames(day * 48_000 + 1, rate: 48_000).nanoseconds == 86_400_000_020_833)
    for frame in [Int64(0), 1, 12_345, day * 44_100 - 1, day * 44_100, -1, -44_101] {
      #expect(Interval.frames(frame, rate: 44_100).frames(rate: 44_100) == frame)
    }
  }

  @Test func framesOfAnIntervalAreTheNearest() {
    #expect(Interval(nanoseconds: 10_416).frames(rate: 48_000) == 0)
    #expect(Interval(nanoseconds: 10_417).frames(rate: 48_000) == 1)
    #expect(Interval(nanoseconds: -10_416).frames(rate: 48_000) == 0)
    #expect(Interval(nanoseconds: -10_417).frames(rate: 48_000) == -1)
    #expect(Interval(nanoseconds: .max).frames(rate: 192_000) == 1_770_887_431_076_117)
  }

  @Test func framesBeyondTimeSaturate() {
    #expect(Interval.frames(.max, rate: 1).nanoseconds == .max)
    #expect(Interval.frames(.min, rate: 1).nanoseconds == .min)
  }
}
