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
  /// Whether it goes before others of time sharing.
  var isFavoured: Bool
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
  static let hanging = Problem(.deviceHangs, "it does not answer")
  static let gap: Problem? = nil
  var failure: Problem? { nil }
  var nextDue: Instant? { nil }

  init(_ steps: Steps) { self.steps = steps }

  mutating func look(at now: Instant) { isAway.toggle() }

  mutating func step(_ commands: [HapticCommand], at now: Instant, isStepped: Bool) {
    var (policy, parameters) = (Int32(-1), sched_param())
    pthread_getschedparam(pthread_self(), &policy, &parameters)
    let niceness = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    steps.note(Step(wasAway: isAway, policy: policy, isFavoured: niceness < 0))
  }

  mutating func rejoin(_ playing: HapticMixer, behind left: Int) {}
  mutating func follow(_ clock: EngineClock, beginningAt start: Instant?) {}
  mutating func close(at now: Instant) {}
}

@Suite struct HapticUrgencyTests {
  @Test func whoLooksForADeviceThatIsAwayIsInTimeSharingUntilItIsBack() throws {
    let steps = try #require(Steps())
    let made = HapticDriver(ComingAndGoing(steps), name: "coming, going")
    let driver = try #require(made)
    // As from a thread that goes before others.
    try RealTimeThread(name: "control", priority: nil) {
      goBeforeOthers()
      driver.start()
    }.join()
    let first = steps.next()
    // What this machine permits.
    let urgent = first.policy
    #expect(!first.wasAway)
    for _ in 0..<3 {
      driver.look()
      let away = steps.next()
      #expect(away.wasAway)
      if urgent == SCHED_FIFO { #expect(away.policy == SCHED_OTHER && !away.isFavoured) }
      driver.look()
      let back = steps.next()
      #expect(!back.wasAway && back.policy == urgent)
    }
    driver.stop(by: .distantFuture)
  }
}
