// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Synchronization

/// A thread that does its work when it is woken or its time has come, and sleeps else. Once started it is to be stopped:
/// until then it is kept, whoever else lets go of it.
public final class WakingThread: Sendable {
  /// When the work is to be done again, unless it is woken before.
  public enum Next: Sendable {
    /// Without sleeping: there is more of it.
    case atOnce
    /// At an instant of CLOCK_MONOTONIC, in nanoseconds.
    case at(nanoseconds: Int64)
    /// Only when woken.
    case whenWoken
  }

  private let work: @Sendable () -> Next
  private let last: @Sendable () -> Void
  private let stops = Atomic(false)
  private let event: Int32
  private let timer: Int32
  private let thread = Mutex<RealTimeThread?>(nil)

  /// To do `work`, once it is started, and `last` when it is stopped.
  public init(_ work: @escaping @Sendable () -> Next, last: @escaping @Sendable () -> Void = {}) {
    self.work = work
    self.last = last
    event = rt_waiter_event()
    timer = rt_waiter_timer()
  }

  deinit {
    if event >= 0 { close(event) }
    if timer >= 0 { close(timer) }
  }

  /// Starts the thread, named and scheduled as `RealTimeThread` says; the work is done once at the start. `EMFILE` where there was
  /// no descriptor left to wake it by: it would sleep for ever.
  @discardableResult public func start(name: String, priority: Int? = nil) throws(ThreadError) -> ThreadScheduling {
    guard event >= 0, timer >= 0 else { throw ThreadError(code: EMFILE) }
    let started = try RealTimeThread(name: name, priority: priority) { self.run() }
    let scheduling = started.scheduling
    var slot: RealTimeThread? = consume started
    thread.withLock { swap(&$0, &slot) }
    return scheduling
  }

  /// The processor time that the thread has used, in nanoseconds; nil where there is none.
  public var processorNanoseconds: Int64? { thread.withLock { $0?.processorNanoseconds } }

  /// Has the work done, now or as soon as it is done. Never blocks.
  public func wake() { rt_waiter_wake(event) }

  /// Has the thread end after the work it is at; returns at once. No work is begun any more, but for what comes last.
  public func requestStop() {
    stops.store(true, ordering: .releasing)
    wake()
  }

  /// Ends the thread after the work it is at, and returns when it has ended.
  public func stop() { takeEnding()?.join() }

  /// The same, but waits that long at most: what it is at may be a file or device that does not answer, and must not keep the daemon
  /// from ending. Then it is left to end by itself, and the answer is false.
  @discardableResult public func stop(withinMilliseconds limit: Int64) -> Bool {
    stop(byNanoseconds: rt_now_ns() + limit * 1_000_000)
  }

  /// The same, until an instant of CLOCK_MONOTONIC; one that has ended is found so, however late that is.
  public func stop(byNanoseconds deadline: Int64) -> Bool {
    guard let left = takeEnding()?.join(byNanoseconds: deadline) else { return true }
    left.detach()
    return false
  }

  private func takeEnding() -> RealTimeThread? {
    requestStop()
    var ending: RealTimeThread?
    thread.withLock { swap(&$0, &ending) }
    return ending
  }

  private func run() {
    while !stops.load(ordering: .acquiring) {
      switch work() {
      case .atOnce: break
      case .at(let nanoseconds): _ = rt_waiter_wait(event, timer, max(nanoseconds, 1))
      case .whenWoken: _ = rt_waiter_wait(event, timer, 0)
      }
    }
    last()
  }
}
