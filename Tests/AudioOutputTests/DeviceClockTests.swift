// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

/// A device of 384 frames at 48 kHz that is read every 128 frames, and heard as planned but for what a test says.
@Suite struct DeviceClockTests {
  private let plan = AudioTimeline(frame: 0, instant: Instant(microseconds: 1_000_000), rate: 48_000)

  private func clock() -> DeviceClock {
    var clock = DeviceClock(
      frame: 0, heardAt: plan.instant, rate: 48_000, bufferFrames: 384, biasFloor: .microseconds(50),
      startedAt: plan.instant)
    clock.align(frame: 0, heardAt: plan.instant)
    return clock
  }

  /// The outcome on reading `index` (from 1) of a device that is `late` then.
  private func read(
    _ clock: inout DeviceClock, _ index: Int64, late: Interval, played: Int64? = nil, wasLow: Bool = true
  ) -> DeviceClock.Outcome {
    let frame = 128 * index
    let now = plan.instant(ofFrame: frame)
    return clock.measure(
      frame: frame, heardAt: now + late, played: played ?? frame, wasLow: wasLow, plan: plan, at: now)
  }

  @Test func aDeviceIsWatchedForATenthOfASecond() {
    var clock = clock()
    for index in Int64(1)...37 { #expect(read(&clock, index, late: .zero) == .watching) }
    #expect(!clock.isTrusted)
    #expect(read(&clock, 38, late: .zero) == .followed(correction: .zero, ranDry: false))
    #expect(clock.isTrusted)
  }

  @Test func whatItWasOffByFromTheStartIsNoRunningDry() {
    var clock = clock()
    for index in Int64(1)...37 { #expect(read(&clock, index, late: .milliseconds(2)) == .watching) }
    guard case .followed(let correction, let ranDry) = read(&clock, 38, late: .milliseconds(2)) else {
      Issue.record("it is not followed")
      return
    }
    #expect(correction > .milliseconds(1))
    #expect(!ranDry)
  }

  @Test func aDeviceThatFallsBehindOnceItIsFollowedRanDry() {
    var clock = clock()
    for index in Int64(1)...100 { _ = read(&clock, index, late: .zero) }
    var outcomes: [DeviceClock.Outcome] = []
    for index in Int64(101)...160 { outcomes.append(read(&clock, index, late: .milliseconds(5))) }
    let jumps = outcomes.filter { $0 != .followed(correction: .zero, ranDry: false) }
    #expect(jumps.count == 1)
    guard case .followed(let correction, ranDry: true) = jumps.first else {
      Issue.record("\(jumps)")
      return
    }
    #expect(abs((correction - .milliseconds(5)).microseconds) < 100)
  }

  @Test func oneThatFallsBehindWithFramesLeftDidNotRunDry() {
    var clock = clock()
    for index in Int64(1)...100 { _ = read(&clock, index, late: .zero, wasLow: false) }
    var corrected = Interval.zero
    for index in Int64(101)...160 {
      guard case .followed(let correction, ranDry: false) = read(&clock, index, late: .milliseconds(5), wasLow: false)
      else {
        Issue.record("\(index)")
        return
      }
      corrected += correction
    }
    #expect(abs((corrected - .milliseconds(5)).microseconds) < 100)
  }

  @Test func oneThatGetsAheadDidNotRunDry() {
    var clock = clock()
    for index in Int64(1)...100 { _ = read(&clock, index, late: .zero) }
    for index in Int64(101)...160 {
      if case .followed(_, ranDry: true) = read(&clock, index, late: .milliseconds(-5)) { Issue.record("\(index)") }
    }
  }

  @Test func oneThatTakesFramesAsFastAsTheyComeIsNoticedBeforeItIsFollowed() {
    var clock = clock()
    #expect(read(&clock, 1, late: .zero, played: 48_000) == .unpaced)
    #expect(!clock.isTrusted)
  }

  @Test func aNewStartIsWatchedAnew() {
    var clock = clock()
    for index in Int64(1)...38 { _ = read(&clock, index, late: .zero) }
    clock.start(rate: 48_000, bufferFrames: 384, at: plan.instant(ofFrame: 39 * 128))
    clock.align(frame: 39 * 128, heardAt: plan.instant(ofFrame: 39 * 128))
    #expect(read(&clock, 40, late: .zero, played: 128) == .watching)
  }
}
