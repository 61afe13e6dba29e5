// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import HapticOutput

@Suite struct CommandPaceTests {
  /// How often commands are taken that come every `us` microseconds for a second.
  private func taken(every us: Int64) -> Int {
    var pace = CommandPace()
    var count = 0
    for at in stride(from: Int64(0), to: 1_000_000, by: Int(us)) {
      if pace.due(at: Instant(microseconds: 5_000_000 + at)) != nil { continue }
      pace.spend()
      count += 1
    }
    return count
  }

  @Test func whatComesOnceAMillisecondOrLessIsTakenAtOnce() {
    #expect(taken(every: 1_000) == 1_000)
    #expect(taken(every: 16_667) == 60)
  }

  @Test func whatComesWithoutEndIsTakenOnceAMillisecond() {
    #expect(taken(every: 10) == 32 + 999)
    #expect(taken(every: 100) == 32 + 999)
  }

  @Test func whoIsToWaitIsToldUntilWhen() {
    var pace = CommandPace()
    let now = Instant(microseconds: 7_000_000)
    for _ in 0..<32 {
      #expect(pace.due(at: now) == nil)
      pace.spend()
    }
    #expect(pace.due(at: now) == Instant(microseconds: 7_001_000))
    #expect(pace.due(at: Instant(microseconds: 7_000_400)) == Instant(microseconds: 7_001_000))
    #expect(pace.due(at: Instant(microseconds: 7_001_000)) == nil)
    pace.spend()
    // After a pause there are as many at once again, and no more.
    let later = Instant(microseconds: 9_000_000)
    for _ in 0..<32 {
      #expect(pace.due(at: later) == nil)
      pace.spend()
    }
    #expect(pace.due(at: later) == Instant(microseconds: 9_001_000))
  }
}
