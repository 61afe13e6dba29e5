// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import Problems
import RealTime
import Synchronization
import Testing
import Timing

@testable import HapticOutput

/// A step, as its thread found itself.
private struct Step: Equatable {
  var wasAway: Bool
  var policy: Int32
}

/// What a backend did, for the test to wait for.
private final class Steps: Sendable {
  private let all = Mutex<[Step]>([])
  private let waiter: ClockWaiter

  /// Nil where the process has no file descriptors left.
  init?() {
    guard let waiter = ClockWaiter() else { return nil }
    self.waiter = waiter
  }

  func note(_ step: Step) {
    all.withLock { $0.append(step) }
    waiter.wake()
  }

  /// The next one; each only once.
  func next() -> Step {
    while true {
      if let step = all.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return step }
      waiter.wait(until: nil)
    }
  }
}

/// Goes away with one look, and is back with the next.
private struct ComingAndGoing: HapticBackend, ~Copyable {
  let steps: Steps
  private(set) var isAway = false
  var failure: Problem? { nil }
  var nextDue: Instant? { nil }

  init(_ steps: Steps) { self.steps = steps }

  mutating func look(at now: Instant) { isAway.toggle() }

  mutating func step(_ commands: [HapticCommand], at now: Instant, isStepped: Bool) {
    var (policy, parameters) = (Int32(-1), sched_param())
    pthread_getschedparam(pthread_self(), &policy, &parameters)
    steps.note(Step(wasAway: isAway, policy: policy))
  }

  mutating func follow(_ clock: EngineClock, beginningAt start: Instant?) {}
  mutating func close(at now: Instant) {}
}

@Suite struct HapticUrgencyTests {
  @Test func whoLooksForADeviceThatIsAwayIsInTimeSharingUntilItIsBack() throws {
    let steps = try #require(Steps())
    let made = HapticDriver(ComingAndGoing(steps), name: "coming, going")
    let driver = try #require(made)
    driver.start()
    let first = steps.next()
    // What this machine permits.
    let urgent = first.policy
    #expect(first == Step(wasAway: false, policy: urgent))
    for _ in 0..<3 {
      driver.look()
      #expect(steps.next() == Step(wasAway: true, policy: SCHED_OTHER))
      driver.look()
      #expect(steps.next() == Step(wasAway: false, policy: urgent))
    }
    driver.stop()
  }
}
