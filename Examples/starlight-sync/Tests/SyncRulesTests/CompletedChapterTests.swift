// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SeededNumbers
import Testing

@testable import SyncRules

/// A chapter that is done asks for nothing more, whatever is done to it; what is told of it comes once.
@Suite struct CompletedChapterTests {
  @Test func whoLetsGoOfAChargeThatSnappedCallsNothingOff() {
    var chapter = Handshake(rules: Rules.underTest.handshake)
    #expect(chapter.act(.press, atUs: 0).count == 2)
    chapter.advance(toUs: 3_000_000)
    #expect(chapter.completedUs == 3_000_000)
    #expect(chapter.act(.release, atUs: 3_000_001).isEmpty)
    #expect(chapter.act(.press, atUs: 3_000_002).isEmpty)
  }

  @Test func aCipherThatIsSolvedIsNotSolvedAgain() {
    var chance = Seeded(seed: 7)
    var chapter = Cipher(rules: Rules.underTest.cipher, using: &chance)
    for wheel in 0..<3 {
      _ = chapter.act(.turn(wheel: wheel, segments: Double(-chapter.wheels[wheel].selection)), atUs: 1)
      _ = chapter.act(.letGo(wheel: wheel), atUs: 1)
    }
    #expect(chapter.act(.unlock, atUs: 2_000_000) == [.cue(.solve, atUs: 2_000_000)])
    #expect(chapter.act(.unlock, atUs: 2_500_000).isEmpty)
    #expect(chapter.act(.turn(wheel: 0, segments: 1), atUs: 2_600_000).isEmpty)
    #expect(chapter.completedUs == 2_000_000)
  }
}
