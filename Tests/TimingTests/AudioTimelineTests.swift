// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@Suite struct AudioTimelineTests {
  private let timeline = AudioTimeline(frame: 1_000, instant: Instant(nanoseconds: 5_000_000_000), rate: 48_000)

  @Test func framesAreHeardOneAfterTheOther() {
    #expect(timeline.instant(ofFrame: 1_000).nanoseconds == 5_000_000_000)
    #expect(timeline.instant(ofFrame: 1_048).nanoseconds == 5_001_000_000)
    #expect(timeline.instant(ofFrame: 1_001).nanoseconds == 5_000_020_833)
    #expect(timeline.instant(ofFrame: 952).nanoseconds == 4_999_000_000)
    #expect(timeline.instant(ofFrame: 998).nanoseconds == 4_999_958_333)
  }

  @Test func theFrameAtAnInstantIsTheNearest() {
    #expect(timeline.frame(at: Instant(nanoseconds: 5_000_010_416)) == 1_000)
    #expect(timeline.frame(at: Instant(nanoseconds: 5_000_010_417)) == 1_001)
    #expect(timeline.frame(at: Instant(nanoseconds: 4_999_989_584)) == 1_000)
    #expect(timeline.frame(at: Instant(nanoseconds: 4_999_989_583)) == 999)
  }

  @Test func aDayOfFramesGoesThereAndBackWithoutDrift() {
    let day: Int64 = 86_400 * 48_000
    #expect(timeline.instant(ofFrame: 1_000 + day).nanoseconds == 86_405_000_000_000)
    for frame in [1_000 + day, 1_000 + day - 1, 1_000 - day, 1_001 - day] {
      #expect(timeline.frame(at: timeline.instant(ofFrame: frame)) == frame)
    }
  }

  @Test func endsOfTheRangeSaturate() {
    #expect(timeline.instant(ofFrame: .max) == .distantFuture)
    #expect(timeline.instant(ofFrame: .min) == .distantPast + .milliseconds(5_000))
    #expect(timeline.frame(at: .distantFuture) > 400_000_000_000_000)
    #expect(timeline.frame(at: .distantPast) < -400_000_000_000_000)
    let fast = AudioTimeline(frame: .max, instant: .zero, nanosecondsPerFrame: 1e-9, errorBound: .zero)
    #expect(fast.frame(at: .distantFuture) == .max)
    #expect(fast.frame(at: .distantPast) < 0)
  }
}
