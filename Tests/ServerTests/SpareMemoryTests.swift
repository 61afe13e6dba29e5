// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Server

@Suite struct SpareMemoryTests {
  private func at(_ ms: Int64) -> Instant { Instant(microseconds: 1_000 * ms) }

  @Test func whatTheStartLeftGoesBackOnceASecondLater() {
    var memory = SpareMemory()
    var isBack = false
    #expect(memory.due == nil)
    isBack = memory.isToGoBack(at: at(0), streams: 0, patience: nil)
    #expect(!isBack)
    #expect(memory.due == at(1_000))
    isBack = memory.isToGoBack(at: at(999), streams: 2, patience: nil)
    #expect(!isBack)
    isBack = memory.isToGoBack(at: at(1_000), streams: 2, patience: nil)
    #expect(isBack)
    #expect(memory.due == nil)
    isBack = memory.isToGoBack(at: at(5_000), streams: 2, patience: nil)
    #expect(!isBack)
  }

  @Test func itWaitsForAMomentInWhichNothingIsDue() {
    var memory = SpareMemory()
    var isBack = false
    isBack = memory.isToGoBack(at: at(0), streams: 0, patience: nil)
    #expect(!isBack)
    isBack = memory.isToGoBack(at: at(1_000), streams: 0, patience: .microseconds(3_999))
    #expect(!isBack)
    isBack = memory.isToGoBack(at: at(1_001), streams: 0, patience: .milliseconds(4))
    #expect(isBack)
  }

  @Test func whatACrowdTookGoesBackWhenItHasGoneForASecondAndNotBefore() {
    var memory = SpareMemory()
    var isBack = false
    isBack = memory.isToGoBack(at: at(0), streams: 0, patience: nil)
    isBack = memory.isToGoBack(at: at(1_000), streams: 4, patience: nil)
    #expect(isBack)
    isBack = memory.isToGoBack(at: at(2_000), streams: 5, patience: nil)
    #expect(!isBack)
    #expect(memory.due == nil, "nobody is woken for a crowd that stays")
    isBack = memory.isToGoBack(at: at(60_000), streams: 5, patience: nil)
    #expect(!isBack)
    isBack = memory.isToGoBack(at: at(61_000), streams: 4, patience: nil)
    #expect(!isBack)
    // Another crowd before the second is over.
    isBack = memory.isToGoBack(at: at(61_500), streams: 9, patience: nil)
    #expect(!isBack)
    isBack = memory.isToGoBack(at: at(62_000), streams: 1, patience: nil)
    #expect(!isBack)
    isBack = memory.isToGoBack(at: at(62_999), streams: 1, patience: nil)
    #expect(!isBack)
    isBack = memory.isToGoBack(at: at(63_000), streams: 1, patience: nil)
    #expect(isBack)
  }
}
