// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@Suite struct InstantTests {
  @Test func isRoundedUpToAMicrosecondThatIsNotBeforeIt() {
    #expect(Instant(nanoseconds: 5_000).roundedUpToMicrosecond == Instant(nanoseconds: 5_000))
    #expect(Instant(nanoseconds: 5_001).roundedUpToMicrosecond == Instant(nanoseconds: 6_000))
    #expect(Instant(nanoseconds: 5_999).roundedUpToMicrosecond == Instant(nanoseconds: 6_000))
    #expect(Instant(nanoseconds: -1).roundedUpToMicrosecond == .zero)
  }
}
