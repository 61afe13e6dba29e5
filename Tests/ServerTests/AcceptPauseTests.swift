// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Server

@Suite struct AcceptPauseTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  @Test func pausesGrowWhileNobodyIsAcceptedAndAreShortAgainAfterThat() {
    var pause = AcceptPause()
    var now: Int64 = 1_000
    var lengths: [Int64] = []
    for _ in 0..<10 {
      _ = pause.begin(at: at(now))
      let until = pause.until.map { ($0 - at(now)).nanoseconds / 1_000_000 } ?? -1
      lengths.append(until)
      let isOverBefore = pause.isOver(at: at(now + until - 1))
      #expect(!isOverBefore)
      now += until
      let isOver = pause.isOver(at: at(now))
      #expect(isOver && pause.until == nil)
    }
    #expect(lengths == [5, 10, 20, 40, 80, 160, 320, 640, 1_000, 1_000])
    pause.noteAccepted()
    _ = pause.begin(at: at(now))
    #expect(pause.until == at(now + 5))
  }

  /// Where three descriptors are free at a time, a backlog of 64 is through in a tenth of a second, not in twenty.
  @Test func aBacklogDrainsAsDescriptorsAreClosed() {
    var pause = AcceptPause()
    var (now, waiting, told) = (Int64(0), 64, 0)
    while waiting > 0 {
      for _ in 0..<min(3, waiting) {
        waiting -= 1
        pause.noteAccepted()
      }
      if waiting == 0 { break }
      if pause.begin(at: at(now)) { told += 1 }
      while !pause.isOver(at: at(now)) { now += 1 }
    }
    #expect(now == 105)
    #expect(told == 1)
  }
}
