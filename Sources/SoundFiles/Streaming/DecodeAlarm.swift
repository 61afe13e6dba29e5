// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What wakes those who decode: conditions on the monotonic clock.
final class DecodeAlarm: @unchecked Sendable {
  // Sendable is true: what changes is touched under `mutex` only, the rest never changes.
  private let milliseconds: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Of who watches.
  private let watching = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isRung = false
  private var isStopped = false
  /// Whether somebody pumps, or will again by itself.
  private var isBusy = true

  /// Who pumps comes by itself every `milliseconds` while there is more to read.
  init(milliseconds: Int) {
    self.milliseconds = max(1, milliseconds)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    watching.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_cond_init(watching, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_cond_destroy(watching)
    watching.deallocate()
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func ring(stop: Bool) {
    pthread_mutex_lock(mutex)
    isRung = true
    if stop { isStopped = true }
    // Those who are stuck or overtaken look at it, too, and end.
    if stop { pthread_cond_broadcast(condition) } else { pthread_cond_signal(condition) }
    if stop || !isBusy { pthread_cond_signal(watching) }
    isBusy = true
    pthread_mutex_unlock(mutex)
  }

  /// Waits for the next time to pump, which comes by itself where there `isMore` to be read; false when it is time to stop.
  func wait(isMore: Bool) -> Bool {
    var deadline = Self.deadline(in: milliseconds)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    isBusy = isMore || isRung
    if isMore {
      while !isRung, !isStopped, pthread_cond_timedwait(condition, mutex, &deadline) == 0 {}
    } else {
      while !isRung, !isStopped { pthread_cond_wait(condition, mutex) }
    }
    isRung = false
    return !isStopped
  }

  /// Waits that long while there is something to pump, and for ever while there is not; false when it is time to stop.
  func waitToWatch(milliseconds: Int) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isBusy, !isStopped { pthread_cond_wait(watching, mutex) }
    var deadline = Self.deadline(in: milliseconds)
    while !isStopped, pthread_cond_timedwait(watching, mutex, &deadline) == 0 {}
    return !isStopped
  }

  /// Waits until `hasEnded`, which is asked whenever somebody says that he has.
  func waitForEnd(_ hasEnded: () -> Bool) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !hasEnded() { pthread_cond_wait(watching, mutex) }
  }

  /// Somebody who pumped has ended.
  func hasEnded() {
    pthread_mutex_lock(mutex)
    pthread_cond_signal(watching)
    pthread_mutex_unlock(mutex)
  }

  private static func deadline(in milliseconds: Int) -> timespec {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + milliseconds % 1_000 * 1_000_000
    deadline.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    return deadline
  }
}
