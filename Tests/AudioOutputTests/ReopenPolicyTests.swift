// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct ReopenPolicyTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: 1_000 * milliseconds) }

  @Test func attemptsThatFailBecomeRarerUpToFiveSeconds() {
    var policy = ReopenPolicy()
    #expect(policy.nextAttempt <= at(0))
    var waits: [Int64] = []
    for _ in 0..<6 {
      policy.failed(at: at(0))
      waits.append((policy.nextAttempt - at(0)).microseconds / 1_000)
    }
    #expect(waits == [500, 1_000, 2_000, 4_000, 5_000, 5_000])
    policy.opened()
    policy.failed(at: at(0))
    #expect(policy.nextAttempt == at(500))
  }

  @Test func anUnstableDeviceIsOpenedAtOnceWithTwiceTheFillUpToALimit() {
    var policy = ReopenPolicy()
    policy.released(.unstable, fill: 128, at: at(10))
    #expect(policy.neededFill == 256)
    #expect(policy.nextAttempt == at(10))
    policy.released(.unstable, fill: 5_000, at: at(10))
    #expect(policy.neededFill == 8_192)
    policy.released(.unstable, fill: 16_384, at: at(10))
    #expect(policy.neededFill == 16_384)
  }

  @Test func aDeviceThatWentIsLookedForHalfASecondLaterAsItWas() {
    var policy = ReopenPolicy()
    policy.released(.gone, fill: 64, at: at(10))
    #expect(policy.neededFill == nil)
    #expect(policy.nextAttempt == at(510))
  }

  @Test func aCardThatAppearsIsTriedAtOnceWhateverFailedBefore() {
    var policy = ReopenPolicy()
    for _ in 0..<6 { policy.failed(at: at(0)) }
    policy.devicesChanged(at: at(1_234))
    #expect(policy.nextAttempt == at(1_234))
  }

  /// Its nodes are there before the kernel has given it its name, and nothing tells of that.
  @Test func aCardThatAppearedAndIsNotReadyIsTriedSoonAgainAndThenMoreRarely() {
    var policy = ReopenPolicy()
    policy.devicesChanged(at: at(0))
    var waits: [Int64] = []
    for _ in 0..<11 {
      policy.failed(at: at(0))
      waits.append((policy.nextAttempt - at(0)).microseconds / 1_000)
    }
    #expect(waits == [8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 5_000])
    policy.devicesChanged(at: at(100))
    policy.opened()
    policy.failed(at: at(200))
    #expect(policy.nextAttempt == at(700))
  }

  @Test func whatWasGivenUpIsNotTriedWhateverAppears() {
    var policy = ReopenPolicy()
    policy.released(.failing, fill: 128, at: at(10))
    policy.giveUp()
    policy.devicesChanged(at: at(20))
    #expect(policy.nextAttempt == .distantFuture)
  }

  @Test func aDeviceThatRestsIsOpenedWhenItIsWantedAndNotBefore() {
    var policy = ReopenPolicy()
    policy.released(.resting, fill: 192, at: at(10))
    #expect(policy.isResting && policy.neededFill == nil)
    #expect(policy.nextAttempt == .distantFuture)
    // Cards that come and go are none of its business.
    policy.devicesChanged(at: at(20))
    #expect(policy.nextAttempt == .distantFuture)
    policy.wanted(at: at(5_000))
    #expect(policy.nextAttempt == at(5_000))
    policy.opened()
    #expect(!policy.isResting)
  }

  @Test func aDeviceThatDoesNotComeBackFromItsRestIsLost() {
    var policy = ReopenPolicy()
    policy.released(.resting, fill: 192, at: at(10))
    policy.wanted(at: at(100))
    policy.failed(at: at(100))
    #expect(!policy.isResting)
    #expect(policy.nextAttempt == at(600))
    policy.devicesChanged(at: at(200))
    #expect(policy.nextAttempt == at(200))
  }

  @Test func whatIsWantedAnywayChangesNothingForADeviceThatWent() {
    var policy = ReopenPolicy()
    policy.released(.gone, fill: 64, at: at(10))
    policy.wanted(at: at(20))
    #expect(policy.nextAttempt == at(510))
  }
}
