// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Server

@Suite struct StallWatchTests {
  private func at(_ ms: Int64) -> Instant { Instant(microseconds: 1_000 * ms) }

  @Test func sleepingAsLongAsWasMeantIsNoStall() {
    var watch = StallWatch(at: at(0))
    #expect(watch.pass(at: at(1), sleeping: .milliseconds(5_000)) == nil)
    #expect(watch.pass(at: at(5_501)) == nil)
  }

  @Test func beingHalfASecondBehindIsAStallSinceControlWasSeenLast() {
    var watch = StallWatch(at: at(0))
    _ = watch.pass(at: at(10), sleeping: .milliseconds(100))
    #expect(watch.pass(at: at(611)) == at(10)...at(611))
    #expect(watch.pass(at: at(612)) == nil)
  }

  @Test func workingTooLongIsAStallToo() {
    var watch = StallWatch(at: at(0))
    #expect(watch.pass(at: at(500)) == nil)
    #expect(watch.pass(at: at(1_001)) == at(500)...at(1_001))
  }

  @Test func workThatWasDueLongAgoIsNoStallWhereControlComesByInTime() {
    var watch = StallWatch(at: at(0))
    _ = watch.pass(at: at(10), sleeping: .milliseconds(-10_000))
    #expect(watch.pass(at: at(11)) == nil)
    // Late all the same is who does not come by at once.
    _ = watch.pass(at: at(12), sleeping: .milliseconds(-10_000))
    #expect(watch.pass(at: at(513)) == at(12)...at(513))
  }

  @Test func withoutAnythingToDoThereIsNothingToBeLateFor() {
    var watch = StallWatch(at: at(0))
    _ = watch.pass(at: at(10), sleeping: nil)
    #expect(watch.pass(at: at(1_000_000)) == nil)
  }
}
