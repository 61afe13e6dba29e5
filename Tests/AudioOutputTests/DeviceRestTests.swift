// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct DeviceRestTests {
  private let wake = Interval.milliseconds(20)

  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: 1_000 * milliseconds) }

  private func resting() -> DeviceRest {
    var rest = DeviceRest()
    rest.begin()
    rest.follow(isPlaying: false, isClosed: true, isLost: false, at: at(0))
    return rest
  }

  @Test func aDeviceThatPlaysPromisesByItself() {
    var rest = DeviceRest()
    #expect(rest.earliest(at: at(0), wake: wake) == nil)
    let didRest = rest.end(at: at(0), wake: wake)
    #expect(!didRest)
    rest.follow(isPlaying: false, isClosed: false, isLost: true, at: at(0))
    #expect(rest.phase == .none)
  }

  @Test func whatIsAskedForAtRestIsHeardAfterTheLongestWakeAndFiveMilliseconds() {
    var rest = resting()
    #expect(rest.phase == .resting)
    #expect(rest.earliest(at: at(100), wake: wake) == at(125))
    let isFirst = rest.end(at: at(101), wake: wake)
    #expect(isFirst)
    let isAgain = rest.end(at: at(102), wake: wake)
    #expect(!isAgain)
    // From then on the instant stands.
    #expect(rest.earliest(at: at(110), wake: wake) == at(126))
    #expect(rest.earliest(at: at(125), wake: wake) == at(126))
  }

  @Test func aDeviceIsCountedOnOnlyOnceItHadItsTime() {
    var rest = resting()
    _ = rest.end(at: at(100), wake: wake)
    // It may be the one that was about to be let go.
    rest.follow(isPlaying: true, isClosed: false, isLost: false, at: at(110))
    #expect(rest.earliest(at: at(110), wake: wake) == at(125))
    rest.follow(isPlaying: true, isClosed: false, isLost: false, at: at(125))
    #expect(rest.phase == .none && rest.earliest(at: at(125), wake: wake) == nil)
  }

  @Test func ofOneThatIsLateNoMoreIsPromisedThanHowLongItTakes() {
    var rest = resting()
    _ = rest.end(at: at(100), wake: wake)
    rest.follow(isPlaying: false, isClosed: false, isLost: false, at: at(140))
    #expect(rest.earliest(at: at(140), wake: wake) == at(165))
    rest.follow(isPlaying: true, isClosed: false, isLost: false, at: at(150))
    #expect(rest.phase == .none)
  }

  @Test func oneThatIsBeingClosedHasToBeClosedFirst() {
    var rest = DeviceRest()
    rest.begin()
    #expect(rest.phase == .closing && rest.earliest(at: at(0), wake: wake) == at(45))
    rest.follow(isPlaying: true, isClosed: false, isLost: false, at: at(1))
    #expect(rest.phase == .closing)
    let isWanted = rest.end(at: at(1), wake: wake)
    #expect(isWanted)
    #expect(rest.phase == .waking(ready: at(46)))
    // It is closed now, and will be opened.
    rest.follow(isPlaying: false, isClosed: true, isLost: false, at: at(2))
    #expect(rest.phase == .waking(ready: at(46)))
  }

  @Test func oneThatIsLostIsWaitedForNoMore() {
    var (rest, waking) = (resting(), resting())
    rest.follow(isPlaying: false, isClosed: false, isLost: true, at: at(1))
    #expect(rest.phase == .none)
    _ = waking.end(at: at(1), wake: wake)
    waking.follow(isPlaying: false, isClosed: false, isLost: true, at: at(2))
    #expect(waking.phase == .none)
  }
}
