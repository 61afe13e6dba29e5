// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// How a thread is scheduled, as granted.
public enum ThreadScheduling: Equatable, Sendable {
  /// SCHED_FIFO at this priority.
  case fifo(priority: Int)
  /// The system's time sharing: either nothing else was asked for, or `refusal` (an errno) says why it was refused.
  case timeSharing(refusal: Int32?)
}

extension ThreadScheduling {
  /// Has the calling thread scheduled so from here on; false where the system refuses it.
  @discardableResult public func applyToCallingThread() -> Bool {
    var parameters = sched_param()
    var policy = SCHED_OTHER
    if case .fifo(let priority) = self { (policy, parameters.sched_priority) = (SCHED_FIFO, Int32(clamping: priority)) }
    return pthread_setschedparam(pthread_self(), policy, &parameters) == 0
  }
}

/// Why no thread could be started: an errno of pthread_create.
public struct ThreadError: Error, Equatable, Sendable {
  /// The error number.
  public var code: Int32
}

/// A POSIX thread with a name and, where permitted, real-time priority.
///
/// It takes no signals, so that they reach the thread that waits for them.
public struct RealTimeThread: ~Copyable, Sendable {
  /// The body of a thread. Pass a top-level function by name: a closure written in `main` would belong to the main actor.
  public typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

  private let handle: pthread_t
  /// What the system granted.
  public let scheduling: ThreadScheduling

  /// Starts `body(argument)` on a thread of its own.
  ///
  /// - Parameters:
  ///   - name: shown by `ps -L` and `top -H`; cut to 15 bytes.
  ///   - priority: the SCHED_FIFO priority asked for (1...99), or nil for time sharing. If it is more than RLIMIT_RTPRIO
  ///     allows, what that allows is taken; if that is nothing, the thread starts with time sharing.
  public init(
    name: String, priority: Int?, body: Body, argument: UnsafeMutableRawPointer?
  ) throws(ThreadError) {
    var everySignal = sigset_t()
    var before = sigset_t()
    sigfillset(&everySignal)
    pthread_sigmask(SIG_SETMASK, &everySignal, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    var thread = pthread_t()
    var code: Int32 = 0
    var granted = ThreadScheduling.timeSharing(refusal: nil)
    var started = false
    if let priority {
      for candidate in Self.candidates(for: priority) {
        code = Self.create(&thread, fifo: candidate, body, argument)
        started = code == 0
        if started {
          granted = .fifo(priority: candidate)
          break
        }
      }
      if !started { granted = .timeSharing(refusal: code) }
    }
    if !started {
      code =
        priority == nil
        ? startingUsualThreads { Self.create(&thread, fifo: nil, body, argument) }
        : Self.create(&thread, fifo: nil, body, argument)
    }
    guard code == 0 else { throw ThreadError(code: code) }
    _ = rt_thread_set_name(thread, String(decoding: name.utf8.prefix(15), as: UTF8.self))
    handle = thread
    scheduling = granted
  }

  /// The processor time that the thread has used, in nanoseconds; nil where it has ended. For other threads to ask.
  public var processorNanoseconds: Int64? {
    let used = rt_thread_processor_ns_of(handle)
    return used < 0 ? nil : used
  }

  /// Waits for the body to return.
  public consuming func join() { pthread_join(handle, nil) }

  /// Waits for the body to return, for at most `milliseconds`; the thread again where it did not.
  public consuming func join(milliseconds: Int64) -> RealTimeThread? {
    join(byNanoseconds: rt_now_ns() + milliseconds * 1_000_000)
  }

  /// The same until an instant of CLOCK_MONOTONIC; one that has returned is joined however late that is.
  public consuming func join(byNanoseconds deadline: Int64) -> RealTimeThread? {
    if rt_thread_join_until_ns(handle, deadline) == 0 { return nil }
    return self
  }

  /// Leaves the thread to end by itself, with time sharing from here on: one that is stuck, or spins, must not keep the
  /// others of its priority from running.
  public consuming func detach() {
    var parameters = sched_param()
    pthread_setschedparam(handle, SCHED_OTHER, &parameters)
    pthread_detach(handle)
  }

  /// The priorities worth trying: the one asked for, then what the resource limit allows.
  static func candidates(for asked: Int) -> [Int] {
    let wanted = min(max(asked, 1), 99)
    let allowed = rt_priority_limit()
    return allowed > 0 && allowed < wanted ? [wanted, allowed] : [wanted]
  }

  private static func create(
    _ thread: inout pthread_t, fifo priority: Int?, _ body: Body, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let priority {
      var parameters = sched_param(sched_priority: Int32(priority))
      pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
      pthread_attr_setschedpolicy(&attributes, SCHED_FIFO)
      pthread_attr_setschedparam(&attributes, &parameters)
    }
    return pthread_create(&thread, &attributes, body, argument)
  }
}

extension RealTimeThread {
  /// The same of `work`, which is let go of when it is done.
  public init(name: String, priority: Int?, _ work: @escaping @Sendable () -> Void) throws(ThreadError) {
    let kept = Unmanaged.passRetained(ThreadWork(work))
    do throws(ThreadError) {
      try self.init(name: name, priority: priority, body: doThreadWork, argument: kept.toOpaque())
    } catch {
      kept.release()
      throw error
    }
  }
}

private final class ThreadWork: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

private func doThreadWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().work() }
  return nil
}
