// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct StartAlignmentTests {
  @Test(arguments: [(128, 384, 256), (256, 1_024, 512), (256, 512, 256), (300, 1_000, 600), (16, 40, 32)])
  func silenceIsHalfTheFillInWholePeriods(period: Int, buffer: Int, lead: Int) {
    #expect(DeviceFill(frames: buffer, period: period, ring: 4 * buffer).lead == lead)
    #expect(lead <= buffer)
  }

  @Test func aPlanThatWentOnIsCaughtUpWith() {
    #expect(StartAlignment.step(next: 1_000, planned: 1_900, room: 128) == .skip(900))
    #expect(StartAlignment.step(next: 1_000, planned: 1_000, room: 0) == .skip(0))
  }

  @Test func aPlanThatBeginsLaterIsWaitedForInSilence() {
    #expect(StartAlignment.step(next: 1_000, planned: 900, room: 128) == .pad(100))
    #expect(StartAlignment.step(next: 1_000, planned: 872, room: 128) == .pad(128))
    #expect(StartAlignment.step(next: 1_000, planned: 871, room: 128) == .wait(128))
    #expect(StartAlignment.step(next: 1_000, planned: 0, room: -5) == .wait(0))
  }

  /// A card whose position moves every 4 ms, started 2.6 ms after its last step: 192 frames a step.
  @Test func theEarliestReadingTellsWhenAPositionThatMovesInStepsBegan() {
    var alignment = StartAlignment(leadFrames: 1_024)
    let start: Int64 = 1_000_000
    var readings = 0
    var isEnough = false
    while !isEnough {
      let elapsed = Int64(readings) * Interval.frames(alignment.readingInterval, rate: 48_000).nanoseconds / 1_000
      let moved = (elapsed + 2_600) / 4_000 * 192
      let heard = Instant(microseconds: start + elapsed) + .frames(1_024 - moved, rate: 48_000)
      isEnough = alignment.listen(began: heard - .frames(1_024, rate: 48_000), queued: 1_024 - moved)
      readings += 1
    }
    #expect(readings == 8)
    // The truth is 2.6 ms before the start. Readings are 1.333 ms apart: one is that soon after a step, the last is not.
    let error = (alignment.heardAt(given: 0, rate: 48_000) - Instant(microseconds: start - 2_600)).microseconds
    #expect((0...1_334).contains(error))
    #expect(
      alignment.heardAt(given: 1_024, rate: 48_000) - alignment.heardAt(given: 0, rate: 48_000)
        == .frames(1_024, rate: 48_000))
  }

  @Test func listeningEndsWhenHalfTheSilenceIsLeftOrTheReadingsAreUsedUp() {
    func readings(queued: (Int) -> Int64) -> Int {
      var alignment = StartAlignment(leadFrames: 256)
      for count in 1... where alignment.listen(began: .zero, queued: queued(count)) { return count }
      return 0
    }
    #expect(readings { $0 == 1 ? 129 : 128 } == 2)
    #expect(readings { _ in 256 } == StartAlignment.readingLimit)
  }
}
