// SPDX-License-Identifier: Apache-2.0

import Mixing
import SeededNumbers
import Testing

/// The same commands give the same bits, however the frames are asked for.
@Suite struct PartitionTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func anyPartitionGivesTheSameBits(seed: UInt64) {
    let whole = scene(seed: seed)
    let expected = whole.render(8_000, periods: [256])
    #expect(expected.peak > 0.3)
    var numbers = SeededRandom(seed: ~seed)
    let periods = (0..<400).map { _ in
      Bool.random(using: &numbers) ? Int.random(in: 1...9, using: &numbers) : Int.random(in: 1...1_000, using: &numbers)
    }
    let cut = scene(seed: seed)
    #expect(cut.render(8_000, periods: periods) == expected)
    #expect(Set(cut.events.map { "\($0)" }) == Set(whole.events.map { "\($0)" }))
  }

  @Test func oneFrameAtATimeGivesTheSameBits() {
    let expected = scene(seed: 99).render(6_000, periods: [4_096])
    #expect(scene(seed: 99).render(6_000, periods: [1]) == expected)
  }

  @Test func theScenesReachTheLimiter() {
    let studio = scene(seed: 1)
    _ = studio.render(8_000)
    #expect(studio.controller.readStatistics().limiterGain < 0.9)
  }
}
