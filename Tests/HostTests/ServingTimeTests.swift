// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Host

@Suite struct ServingTimeTests {
  @Test func whatTookLongIsAllowedForTwiceAndForgottenSlowly() {
    var serving = ServingTime()
    serving.note(.microseconds(50))
    #expect(serving.allowed == .microseconds(400))
    serving.note(.microseconds(900))
    #expect(serving.allowed == .microseconds(1_800))
    for _ in 0..<100 { serving.note(.microseconds(50)) }
    #expect(serving.allowed > .microseconds(1_300) && serving.allowed < .microseconds(1_400))
    for _ in 0..<3_000 { serving.note(.microseconds(50)) }
    #expect(serving.allowed < .microseconds(401))
  }

  @Test func whatTookVeryLongIsAllowedForNoLongerThanAPeriodOfMost() {
    var serving = ServingTime()
    serving.note(.milliseconds(80))
    #expect(serving.allowed == .milliseconds(5))
  }
}
