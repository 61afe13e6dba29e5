// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct FillEasingTests {
  private let start = Instant(microseconds: 1_000_000)

  /// What is found by looking every 0.4 s for `seconds` from `first` on; `left` is what was queued at the least by second.
  private func look(
    _ easing: inout FillEasing, from first: Int64 = 0, seconds: Int64, fill: Int = 8_192, period: Int = 2_048,
    troubles: Int = 0, left: (Int64) -> Int
  ) -> [Int] {
    stride(from: first * 1_000, to: (first + seconds) * 1_000, by: 400).compactMap { milliseconds in
      easing.look(
        fill: fill, period: period, leastQueued: left(milliseconds / 1_000), troubles: troubles,
        at: start + .milliseconds(milliseconds))
    }
  }

  @Test func whatWasAlwaysLeftButForAPeriodIsNotNeeded() {
    var easing = FillEasing()
    #expect(look(&easing, seconds: 600) { _ in 6_100 }.isEmpty)
    #expect(look(&easing, from: 600, seconds: 1) { _ in 6_100 } == [4_160])
  }

  @Test func theWorstMomentOfAQuietWhileCounts() {
    var easing = FillEasing()
    #expect(look(&easing, seconds: 601) { $0 == 300 ? 3_000 : 6_144 } == [7_296])
    #expect(look(&easing, from: 601, seconds: 600) { _ in 6_144 } == [4_096])
  }

  @Test func oneThatWasNearlyDryKeepsAll() {
    var easing = FillEasing()
    #expect(look(&easing, seconds: 1_300) { $0 % 500 == 99 ? 2_048 : 6_144 }.isEmpty)
    #expect(look(&easing, seconds: 1_300) { $0 % 500 == 99 ? 0 : 6_144 }.isEmpty)
  }

  @Test func runningDryOrAnotherFillBeginsTheWhileAnew() {
    var easing = FillEasing()
    #expect(look(&easing, seconds: 599) { _ in 6_144 }.isEmpty)
    #expect(look(&easing, from: 599, seconds: 599, troubles: 1) { _ in 6_144 }.isEmpty)
    #expect(look(&easing, from: 1_198, seconds: 599, fill: 4_096, period: 1_024, troubles: 1) { _ in 3_072 }.isEmpty)
    #expect(look(&easing, from: 1_797, seconds: 10, fill: 4_096, period: 1_024, troubles: 1) { _ in 3_072 } == [2_048])
  }

  @Test func whatNobodyReadSaysNothing() {
    var easing = FillEasing()
    #expect(look(&easing, seconds: 1_300) { _ in .max }.isEmpty)
  }
}
