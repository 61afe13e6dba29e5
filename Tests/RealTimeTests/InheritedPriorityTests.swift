// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Testing

/// How a thread is scheduled.
private struct Scheduled: Equatable {
  var policy: Int32 = -1
  var priority: Int32 = -1

  static var ofThisThread: Scheduled {
    var (scheduled, parameters) = (Scheduled(), sched_param())
    pthread_getschedparam(pthread_self(), &scheduled.policy, &parameters)
    scheduled.priority = parameters.sched_priority
    return scheduled
  }
}

private func note(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  argument?.assumingMemoryBound(to: Scheduled.self).pointee = .ofThisThread
  return nil
}

@Suite struct InheritedPriorityTests {
  /// What a library's own thread, started without a word of its scheduling, has.
  private func started(withPriority priority: Int?) -> Scheduled {
    var scheduled = Scheduled()
    var thread = pthread_t()
    withUnsafeMutablePointer(to: &scheduled) { pointer in
      startingThreads(withPriority: priority) { _ = pthread_create(&thread, nil, note, pointer) }
      pthread_join(thread, nil)
    }
    return scheduled
  }

  @Test func aThreadStartedMeanwhileHasThePriorityThatIsGranted() throws {
    let granted = try RealTimeThread(name: "granted", priority: 10, body: note, argument: nil)
    let expected: Scheduled =
      switch granted.scheduling {
      case .fifo(let priority): Scheduled(policy: SCHED_FIFO, priority: Int32(priority))
      case .timeSharing: Scheduled(policy: SCHED_OTHER, priority: 0)
      }
    granted.join()
    #expect(started(withPriority: 10) == expected)
  }

  @Test func withoutAPriorityThreadsAreAsTheirStarter() {
    #expect(started(withPriority: nil) == .ofThisThread)
  }

  @Test func theCallingThreadIsAfterwardsAsBefore() {
    let before = Scheduled.ofThisThread
    _ = started(withPriority: 10)
    #expect(Scheduled.ofThisThread == before)
  }
}
