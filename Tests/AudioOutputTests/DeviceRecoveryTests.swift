import AudioOutput
import Testing
import Timing

@Suite struct DeviceRecoveryTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: 1_000 * milliseconds) }

  @Test func anUnderrunRestarts() {
    var recovery = DeviceRecovery(canGrow: true)
    #expect(recovery.handle(.progress, at: at(0)) == .proceed)
    #expect(recovery.handle(.underrun, at: at(1)) == .restart)
    #expect(recovery.handle(.progress, at: at(2)) == .proceed)
  }

  @Test func theFifthUnderrunWithinTenSecondsAsksForALongerPeriod() {
    var recovery = DeviceRecovery(canGrow: true)
    for count in Int64(0)..<4 {
      #expect(recovery.handle(.underrun, at: at(2_500 * count)) == .restart)
      #expect(recovery.handle(.progress, at: at(2_500 * count + 1)) == .proceed)
    }
    #expect(recovery.handle(.underrun, at: at(10_000)) == .release(.unstable))
  }

  @Test func underrunsFarApartDoNot() {
    var recovery = DeviceRecovery(canGrow: true)
    for count in Int64(0)..<100 {
      #expect(recovery.handle(.underrun, at: at(3_000 * count)) == .restart)
      #expect(recovery.handle(.progress, at: at(3_000 * count + 1)) == .proceed)
    }
  }

  @Test func aPeriodThatCannotGrowIsKept() {
    var recovery = DeviceRecovery(canGrow: false)
    for count in Int64(0)..<100 {
      #expect(recovery.handle(.underrun, at: at(count)) == .restart)
      #expect(recovery.handle(.progress, at: at(count)) == .proceed)
    }
  }

  @Test func glitchesCountLikeUnderrunsAndAreNoReasonToRestart() {
    var recovery = DeviceRecovery(canGrow: true)
    #expect(recovery.handle(.underrun, at: at(0)) == .restart)
    for count in Int64(1)..<4 { #expect(recovery.handle(.glitch, at: at(2_500 * count)) == .proceed) }
    #expect(recovery.handle(.glitch, at: at(10_000)) == .release(.unstable))
    var fixed = DeviceRecovery(canGrow: false)
    for count in Int64(0)..<100 { #expect(fixed.handle(.glitch, at: at(count)) == .proceed) }
  }

  @Test(arguments: [DeviceRecovery.Event.refused, .failed, .underrun])
  func restartsWithoutProgressAreBounded(event: DeviceRecovery.Event) {
    var recovery = DeviceRecovery(canGrow: false)
    for _ in 0..<4 { #expect(recovery.handle(event, at: at(0)) == .restart) }
    #expect(recovery.handle(event, at: at(0)) == .release(.failing))
  }

  @Test func aDeviceThatIsGoneIsReleasedAtOnce() {
    var recovery = DeviceRecovery(canGrow: true)
    #expect(recovery.handle(.gone, at: at(0)) == .release(.gone))
  }

  @Test func sleepIsBoundedAndAskedAboutEvery50Milliseconds() {
    var recovery = DeviceRecovery(canGrow: true)
    #expect(recovery.handle(.suspended, at: at(0)) == .resume(at: at(0)))
    for time in stride(from: Int64(0), through: 3_000, by: 50) {
      #expect(recovery.handle(.stillSuspended, at: at(time)) == .resume(at: at(time + 50)))
    }
    #expect(recovery.handle(.stillSuspended, at: at(3_001)) == .release(.suspended))
  }

  @Test func aDeviceThatTakesNothingIsReleasedAfterThreeSeconds() {
    var recovery = DeviceRecovery(canGrow: true)
    #expect(recovery.handle(.idle, at: at(0)) == .proceed)
    #expect(recovery.handle(.idle, at: at(2_000)) == .proceed)
    #expect(recovery.handle(.progress, at: at(2_001)) == .proceed)
    #expect(recovery.handle(.idle, at: at(2_002)) == .proceed)
    #expect(recovery.handle(.idle, at: at(5_002)) == .proceed)
    #expect(recovery.handle(.idle, at: at(5_003)) == .release(.stalled))
  }

  /// No sequence of events may keep the audio thread at a device that does not play.
  @Test func anySequenceWithoutProgressEndsInRelease() {
    let events: [DeviceRecovery.Event] = [.underrun, .suspended, .stillSuspended, .refused, .failed, .idle]
    for seed in UInt64(1)...500 {
      var state = seed
      var recovery = DeviceRecovery(canGrow: seed % 2 == 0)
      var time: Int64 = 0
      var released = false
      for _ in 0..<1_000 where !released {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let event = events[Int(state >> 33) % events.count]
        if case .release = recovery.handle(event, at: at(time)) { released = true }
        time += 20
      }
      #expect(released, "seed \(seed)")
    }
  }
}
