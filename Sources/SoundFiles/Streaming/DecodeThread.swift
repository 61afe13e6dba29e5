// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization

/// The thread that pumps a feeder on a live clock: often enough by itself while there is something to read, and at once when
/// woken.
public struct DecodeThread: ~Copyable {
  private let thread: RealTimeThread
  private let alarm: DecodeAlarm

  /// Starts pumping `feeder`, while one of its streams is not at its end at least every `milliseconds`, which must be well below
  /// what its rings hold.
  public init(_ feeder: StreamFeeder, everyMilliseconds milliseconds: Int = 50) throws(ThreadError) {
    let alarm = DecodeAlarm(feeder: feeder, milliseconds: milliseconds)
    self.alarm = alarm
    thread = try RealTimeThread(name: "decode", priority: nil) {
      while alarm.wait(isMore: alarm.feeder.pump()) {}
    }
  }

  /// Has the feeder pumped now: after opening or closing a stream.
  public func wake() { alarm.ring(stop: false) }

  /// Ends the thread, and waits for it for that long at most: a file that does not answer must not keep the daemon from ending.
  public consuming func stop(withinMilliseconds limit: Int64 = 250) {
    alarm.ring(stop: true)
    thread.join(milliseconds: limit)?.detach()
  }
}

/// What wakes the decode thread: a condition on the monotonic clock.
private final class DecodeAlarm: @unchecked Sendable {
  // Sendable is true: `isRung` and `isStopped` are touched under `mutex` only, the rest never changes.
  let feeder: StreamFeeder
  private let milliseconds: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isRung = false
  private var isStopped = false

  init(feeder: StreamFeeder, milliseconds: Int) {
    self.feeder = feeder
    self.milliseconds = max(1, milliseconds)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func ring(stop: Bool) {
    pthread_mutex_lock(mutex)
    isRung = true
    if stop { isStopped = true }
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits for the next time to pump, which comes by itself where there `isMore` to be read; false when it is time to stop.
  func wait(isMore: Bool) -> Bool {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + milliseconds % 1_000 * 1_000_000
    deadline.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if isMore {
      while !isRung, pthread_cond_timedwait(condition, mutex, &deadline) == 0 {}
    } else {
      while !isRung { pthread_cond_wait(condition, mutex) }
    }
    isRung = false
    return !isStopped
  }
}
