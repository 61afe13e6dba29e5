// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct NullPacerTests {
  /// Frame 1000 is heard at 10 s; periods of 480 frames (10 ms) are rendered 10 ms ahead.
  private let pacer = NullPacer(
    frame: 1_000, heardAt: Instant(microseconds: 10_000_000), rate: 48_000, period: 480, leadFrames: 480)

  @Test func aPeriodIsRenderedItsLeadBeforeItIsHeard() {
    let due = Instant(microseconds: 9_990_000)
    #expect(pacer.step(next: 1_000, now: due - Interval(nanoseconds: 1)) == .wait(until: due))
    #expect(pacer.step(next: 1_000, now: due) == .render(frames: 480))
    #expect(pacer.step(next: 1_480, now: due) == .wait(until: Instant(microseconds: 10_000_000)))
  }

  @Test func aDayLaterThereIsNoDrift() {
    let day: Int64 = 86_400
    let next = 1_000 + day * 48_000
    #expect(pacer.step(next: next, now: .zero) == .wait(until: Instant(microseconds: (day + 10) * 1_000_000 - 10_000)))
    let timeline = pacer.timeline(through: next)
    #expect(timeline.instant == Instant(microseconds: (day + 10) * 1_000_000))
    #expect(timeline.frame == next)
    #expect(timeline.errorBound == .zero)
  }

  @Test func lateFramesAreCaughtUpWithAndVeryLateOnesSkipped() {
    let due = Instant(microseconds: 9_990_000)
    #expect(pacer.step(next: 1_000, now: due + .milliseconds(100)) == .render(frames: 480))
    #expect(pacer.step(next: 1_000, now: due + .milliseconds(101)) == .skip(frames: 4_848))
    #expect(pacer.step(next: 5_848, now: due + .milliseconds(101)) == .render(frames: 480))
  }
}
