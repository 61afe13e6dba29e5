// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SyncRules
import Testing

/// What may not have been heard is asked for again.
@Suite struct AskingTests {
  @Test func itIsAskedForAgainEachSecondUntilItNeedsNoMore() {
    var asking = Asking(rules: Rules.underTest.flow)
    #expect(!asking.isDue(atUs: 60_000_000))
    asking.asked(atUs: 5_000_000)
    #expect(!asking.isDue(atUs: 5_999_999))
    #expect(asking.isDue(atUs: 6_000_000))
    asking.asked(atUs: 6_000_000)
    #expect(!asking.isDue(atUs: 6_999_999))
    #expect(asking.isDue(atUs: 7_000_000))
    asking.end()
    #expect(!asking.isDue(atUs: 60_000_000))
  }
}
