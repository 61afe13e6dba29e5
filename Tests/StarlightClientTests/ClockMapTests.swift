// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import StarlightClient

@Suite struct ClockMapTests {
  @Test func theOffsetIsWithinTheBoundWhateverTheWaysThereAndBackTake() {
    var numbers = SeededRandom(seed: 14)
    for _ in 0..<2_000 {
      let offsetNs = Int64.random(in: -5_000_000_000...5_000_000_000, using: &numbers)
      var map: ClockMap?
      for _ in 0..<9 {
        let sentNs = Int64.random(in: 0...1_000_000_000_000, using: &numbers)
        let there = Int64.random(in: 0...900_000, using: &numbers)
        let back = Int64.random(in: 0...900_000, using: &numbers)
        let daemonNs = sentNs + there + offsetNs
        let reading = ClockMap(
          daemonUs: Int64((Double(daemonNs) / 1_000).rounded(.down)), sentNs: sentNs, receivedNs: sentNs + there + back)
        let narrower = map?.narrowed(by: reading) ?? reading
        #expect(narrower.errorUs <= reading.errorUs && narrower.errorUs <= map?.errorUs ?? .max)
        map = narrower
        #expect(abs(narrower.offsetUs * 1_000 - offsetNs) <= narrower.errorUs * 1_000)
      }
    }
  }

  @Test func theBoundIsHalfTheRoundTrip() {
    let map = ClockMap(daemonUs: 1_500, sentNs: 1_000_000, receivedNs: 1_100_000)
    #expect(map.offsetUs == 450)
    #expect(map.errorUs == 51)
    #expect(map.daemonUs(atLocalUs: 7) == 457)
    #expect(map.localUs(atDaemonUs: 457) == 7)
  }

  @Test func aClockThatWasMovedIsMeasuredAnew() {
    let before = ClockMap(daemonUs: 0, sentNs: 0, receivedNs: 1_000)
    let after = ClockMap(daemonUs: 1_000_000, sentNs: 1_000, receivedNs: 2_000)
    #expect(before.narrowed(by: after) == after)
  }

  @Test func whatADaemonCannotMeanTrapsNobody() {
    for daemonUs in [Int64.min, .max, 0] {
      for local in [Int64.min, .max] {
        let map = ClockMap(daemonUs: daemonUs, sentNs: 1, receivedNs: 2).narrowed(
          by: ClockMap(daemonUs: 3, sentNs: 1, receivedNs: 2))
        _ = (map.errorUs, map.daemonUs(atLocalUs: local), map.localUs(atDaemonUs: local))
      }
      _ = ClockMap(daemonUs: daemonUs, sentNs: 1, receivedNs: 2).offsetUs
      _ = ClockMap(daemonUs: daemonUs, sentNs: 1, receivedNs: 2).errorUs
    }
  }
}
