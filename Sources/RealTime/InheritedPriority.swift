// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs `body` while the threads that it starts inherit real-time priority: those of a library that asks for none itself.
/// The calling thread has it meanwhile, so `body` should be short.
///
/// - Parameter priority: the SCHED_FIFO priority asked for (1...99), or what RLIMIT_RTPRIO allows of it; nil, or where the
///   system refuses it, changes nothing.
public func startingThreads<Result: ~Copyable, Failure: Error>(
  withPriority priority: Int?, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  var policy: Int32 = 0
  var before = sched_param()
  guard let priority, pthread_getschedparam(pthread_self(), &policy, &before) == 0 else { return try body() }
  let isRaised = RealTimeThread.candidates(for: priority).contains { candidate in
    var raised = sched_param(sched_priority: Int32(candidate))
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &raised) == 0
  }
  defer { if isRaised { pthread_setschedparam(pthread_self(), policy, &before) } }
  return try body()
}
