// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@Suite struct DeviceRecoveryTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: 1_000 * milliseconds) }

  /// Of a device that plays.
  private func playing(canGrow: Bool) -> DeviceRecovery {
    var recovery = DeviceRecovery(canGrow: canGrow)
    _ = recovery.handle(.started, at: at(0))
    _ = recovery.handle(.aligned, at: at(0))
    return recovery
  }

  /// It runs dry at that time and, where it is started again, plays on.
  private func underrun(_ recovery: inout DeviceRecovery, at milliseconds: Int64) -> DeviceRecovery.Action {
    let decision = recovery.handle(.underrun, at: at(milliseconds))
    for event in [DeviceRecovery.Event.started, .aligned, .progress] {
      _ = recovery.handle(event, at: at(milliseconds))
    }
    return decision.action
  }

  @Test func anUnderrunRestarts() {
    var recovery = playing(canGrow: true)
    #expect(recovery.handle(.progress, at: at(0)).action == .proceed)
    #expect(recovery.handle(.underrun, at: at(1)).action == .restart)
    #expect(recovery.handle(.progress, at: at(2)).action == .proceed)
  }

  @Test func theFifthUnderrunWithinTenSecondsAsksForALongerPeriod() {
    var recovery = playing(canGrow: true)
    for count in Int64(0)..<4 {
      #expect(underrun(&recovery, at: 2_500 * count) == .restart)
    }
    #expect(recovery.handle(.underrun, at: at(10_000)).action == .release(.unstable))
  }

  @Test func underrunsFarApartDoNot() {
    var recovery = playing(canGrow: true)
    for count in Int64(0)..<100 {
      #expect(underrun(&recovery, at: 3_000 * count) == .restart)
    }
  }

  @Test func aPeriodThatCannotGrowIsKept() {
    var recovery = playing(canGrow: false)
    for count in Int64(0)..<100 {
      #expect(underrun(&recovery, at: count) == .restart)
    }
  }

  @Test func glitchesCountLikeUnderrunsAndAreNoReasonToRestart() {
    var recovery = playing(canGrow: true)
    #expect(underrun(&recovery, at: 0) == .restart)
    for count in Int64(1)..<4 { #expect(recovery.handle(.glitch, at: at(2_500 * count)).action == .proceed) }
    #expect(recovery.handle(.glitch, at: at(10_000)).action == .release(.unstable))
    var fixed = playing(canGrow: false)
    for count in Int64(0)..<100 { #expect(fixed.handle(.glitch, at: at(count)).action == .proceed) }
  }

  @Test(arguments: [DeviceRecovery.Event.refused, .failed, .underrun])
  func restartsWithoutProgressAreBounded(event: DeviceRecovery.Event) {
    var recovery = playing(canGrow: false)
    for _ in 0..<4 { #expect(recovery.handle(event, at: at(0)).action == .restart) }
    #expect(recovery.handle(event, at: at(0)).action == .release(.failing))
  }

  @Test func silenceThatRunsOutIsAStartThatFailedAndNoXrun() {
    var recovery = DeviceRecovery(canGrow: true)
    for _ in 0..<4 {
      #expect(recovery.handle(.started, at: at(0)).action == .proceed)
      #expect(recovery.handle(.underrun, at: at(0)) == .init(action: .restart, loss: .none))
    }
    // The fifth in a row is a device that does not start, whatever its period.
    _ = recovery.handle(.started, at: at(0))
    #expect(recovery.handle(.underrun, at: at(0)) == .init(action: .release(.failing), loss: .none))
  }

  @Test func whatADeviceHoldsIsLostWhateverStopsIt() {
    func decision(_ event: DeviceRecovery.Event) -> DeviceRecovery.Decision {
      var recovery = playing(canGrow: true)
      return recovery.handle(event, at: at(1))
    }
    #expect(decision(.underrun) == .init(action: .restart, loss: .afterDry))
    #expect(decision(.failed) == .init(action: .restart, loss: .queued))
    #expect(decision(.suspended) == .init(action: .resume(at: at(1)), loss: .queued))
    #expect(decision(.gone) == .init(action: .release(.gone), loss: .queued))
    #expect(decision(.progress) == .init(action: .proceed, loss: .none))
    var unstable = playing(canGrow: true)
    for count in Int64(0)..<4 { #expect(unstable.handle(.glitch, at: at(count)).loss == .none) }
    #expect(unstable.handle(.glitch, at: at(5)) == .init(action: .release(.unstable), loss: .queued))
  }

  @Test func nothingIsLostTwice() {
    var recovery = playing(canGrow: true)
    #expect(recovery.handle(.suspended, at: at(0)).loss == .queued)
    #expect(recovery.handle(.stillSuspended, at: at(1)).loss == .none)
    #expect(recovery.handle(.gone, at: at(2)) == .init(action: .release(.gone), loss: .none))
    // Nor is silence.
    var starting = DeviceRecovery(canGrow: true)
    _ = starting.handle(.started, at: at(0))
    #expect(starting.handle(.gone, at: at(1)).loss == .none)
  }

  @Test func aDeviceThatIsGoneIsReleasedAtOnce() {
    var recovery = playing(canGrow: true)
    #expect(recovery.handle(.gone, at: at(0)).action == .release(.gone))
  }

  @Test func sleepIsBoundedAndAskedAboutEvery50Milliseconds() {
    var recovery = playing(canGrow: true)
    #expect(recovery.handle(.suspended, at: at(0)).action == .resume(at: at(0)))
    for time in stride(from: Int64(0), through: 3_000, by: 50) {
      #expect(recovery.handle(.stillSuspended, at: at(time)).action == .resume(at: at(time + 50)))
    }
    #expect(recovery.handle(.stillSuspended, at: at(3_001)).action == .release(.suspended))
  }

  @Test func aDeviceThatTakesNothingIsReleasedAfterThreeSeconds() {
    var recovery = playing(canGrow: true)
    #expect(recovery.handle(.idle, at: at(0)).action == .proceed)
    #expect(recovery.handle(.idle, at: at(2_000)).action == .proceed)
    #expect(recovery.handle(.progress, at: at(2_001)).action == .proceed)
    #expect(recovery.handle(.idle, at: at(2_002)).action == .proceed)
    #expect(recovery.handle(.idle, at: at(5_002)).action == .proceed)
    #expect(recovery.handle(.idle, at: at(5_003)).action == .release(.stalled))
  }

  /// No sequence of events may keep the audio thread at a device that does not play.
  @Test func anySequenceWithoutProgressEndsInRelease() {
    let events: [DeviceRecovery.Event] = [.underrun, .suspended, .stillSuspended, .refused, .failed, .idle]
    for seed in UInt64(1)...500 {
      var state = seed
      var recovery = playing(canGrow: seed % 2 == 0)
      var time: Int64 = 0
      var released = false
      for _ in 0..<1_000 where !released {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let event = events[Int(state >> 33) % events.count]
        if case .release = recovery.handle(event, at: at(time)).action { released = true }
        time += 20
      }
      #expect(released, "seed \(seed)")
    }
  }
}

@Suite struct MovedDeviceTests {
  /// However often the lead is set, the device is not at fault: it starts anew, and what it had queued is lost.
  @Test func aDeviceWhoseLeadMovesStartsAnewAndIsKept() {
    var recovery = DeviceRecovery(canGrow: true)
    for count in Int64(0)..<100 {
      let now = Instant(microseconds: 1_000 * count)
      for event in [DeviceRecovery.Event.started, .aligned] { _ = recovery.handle(event, at: now) }
      #expect(recovery.handle(.moved, at: now) == .init(action: .restart, loss: .queued))
    }
  }
}
