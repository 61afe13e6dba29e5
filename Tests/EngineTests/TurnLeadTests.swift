// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing
import Timing

@testable import Engine

/// The leads that clients are told are of a clock told in whole microseconds, rounded down.
@Suite struct TurnLeadTests {
  @Test func whatIsAskedForTheLeadAfterNowIsReached() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<10_000 {
      let now = Instant(nanoseconds: .random(in: 0..<9_000_000_000, using: &random))
      let paused = Interval.microseconds(.random(in: 0..<5_000, using: &random))
      let timeline = AudioTimeline(frame: 0, instant: Instant(microseconds: 7), rate: 48_000)
      let turn = Turn(
        now: now, timeline: timeline, reachableFrame: timeline.frame(at: now) + 480,
        hapticLead: Interval(nanoseconds: .random(in: 0..<50_000_000, using: &random)), clockNow: now + paused)
      for earliest in [turn.earliestSound, turn.earliestHaptic] {
        let told = turn.clockNow.microseconds + turn.leadUs(to: earliest)
        let asked = Instant(microseconds: told) - paused
        // Not late, and no whole microsecond before it is in time.
        #expect(asked >= earliest && asked - .microseconds(1) < earliest)
      }
    }
  }
}
