// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct IdlePolicyTests {
  private let policy = IdlePolicy(idle: .milliseconds(10_000))
  private let wake = Interval.milliseconds(20)
  private let quiet = IdlePolicy.Demand(isBusy: false, next: nil)

  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: 1_000 * milliseconds) }

  @Test func aCardIsLetGoAfterSoLongWithoutASound() {
    #expect(!policy.letsGo(silentSince: at(5), wake: wake, demand: quiet, at: at(10_004)))
    #expect(policy.letsGo(silentSince: at(5), wake: wake, demand: quiet, at: at(10_005)))
    #expect(!policy.letsGo(silentSince: nil, wake: wake, demand: quiet, at: at(100_000)))
  }

  @Test func neverMeansNever() {
    let never = IdlePolicy(idle: nil)
    #expect(!never.letsGo(silentSince: at(0), wake: wake, demand: quiet, at: at(1_000_000)))
  }

  @Test func aDeviceOfWhichNobodyKnowsHowLongItTakesIsKeptAndSoIsASlowOne() {
    #expect(!policy.letsGo(silentSince: at(0), wake: nil, demand: quiet, at: at(20_000)))
    #expect(policy.letsGo(silentSince: at(0), wake: IdlePolicy.longestWake, demand: quiet, at: at(20_000)))
    let slower = IdlePolicy.longestWake + Interval(nanoseconds: 1)
    #expect(!policy.letsGo(silentSince: at(0), wake: slower, demand: quiet, at: at(20_000)))
  }

  @Test func whatIsPlannedSoonOrMayComeAtAnyMomentKeepsItAwake() {
    func letsGo(_ isBusy: Bool, _ next: Instant?) -> Bool {
      policy.letsGo(silentSince: at(0), wake: wake, demand: .init(isBusy: isBusy, next: next), at: at(20_000))
    }
    #expect(!letsGo(true, nil))
    // The wake, 5 ms, and two seconds' rest.
    #expect(!letsGo(false, at(22_024)))
    #expect(letsGo(false, at(22_025)))
    #expect(!letsGo(false, at(19_000)))
  }

  @Test func nobodyIsAskedWhatIsPlannedWhileItSounds() {
    func asked() -> IdlePolicy.Demand {
      Issue.record("asked")
      return quiet
    }
    let whileItSounds = policy.letsGo(silentSince: nil, wake: wake, demand: asked(), at: at(20_000))
    let soonAfter = policy.letsGo(silentSince: at(19_000), wake: wake, demand: asked(), at: at(20_000))
    #expect(!whileItSounds && !soonAfter)
  }
}
