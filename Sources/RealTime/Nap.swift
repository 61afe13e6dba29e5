// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// A sleep of one thread that others end: for a real-time thread that has nothing to do.
///
/// The thread announces it (`begin`), looks whether there is something to do after all, sleeps, and ends it. Others do first
/// what there is to be done, and then look whether the nap `lasts`; so either side sees the other.
public struct Nap: ~Copyable, @unchecked Sendable {
  // Sendable because the word is only touched by atomic operations.
  private let word: UnsafeMutablePointer<UInt32>

  /// Nobody naps.
  public init() {
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }

  deinit { word.deallocate() }

  /// Announces it; for the thread that naps.
  @_noLocks public func begin() { rt_nap_begin(word) }

  /// Sleeps until woken, at most until CLOCK_MONOTONIC shows so many nanoseconds; perhaps less long.
  @_noLocks public func sleep(until nanoseconds: Int64) { rt_nap_until_ns(word, nanoseconds) }

  /// Announces that it is over; for the thread that napped.
  @_noLocks public func end() { rt_nap_end(word) }

  /// Whether a thread naps, or is about to without having seen what the caller did before.
  public var lasts: Bool { rt_nap_lasts(word) != 0 }

  /// Ends it where it lasts. Never blocks.
  public func wake() { rt_nap_wake(word) }
}
