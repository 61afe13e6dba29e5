// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Host

@Suite struct ServingTimeTests {
  @Test func whatTookLongIsAllowedForTwiceAndForgottenSlowly() {
    var serving = ServingTime()
    #expect(serving.allowed == .milliseconds(2), "nothing is known of the machine")
    for _ in 0..<1_500 { serving.note(.microseconds(50)) }
    #expect(serving.allowed < .microseconds(401))
    serving.note(.microseconds(900))
    #expect(serving.allowed == .microseconds(1_800))
    for _ in 0..<100 { serving.note(.microseconds(50)) }
    #expect(serving.allowed > .microseconds(1_030) && serving.allowed < .microseconds(1_060))
    for _ in 0..<3_000 { serving.note(.microseconds(50)) }
    #expect(serving.allowed < .microseconds(401))
  }

  @Test func whatTookVeryLongIsAllowedForNoLongerThanAPeriodOfMost() {
    var serving = ServingTime()
    serving.note(.milliseconds(80))
    #expect(serving.allowed == .milliseconds(5))
  }
}
