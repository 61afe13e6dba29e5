// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether the audio thread is inside a call of its device, as seen from outside, and who goes on after it.
///
/// A call can be ended once: by the thread that made it, or, while it hangs in there, by whoever takes its place. What the
/// thread touched before the call is then theirs, and the thread must touch nothing more.
struct DeviceCall: ~Copyable {
  /// Odd during a call. No value comes again.
  private let count = Atomic<UInt64>(0)

  /// Begins a call; for the audio thread. The number by which it is ended.
  @_noLocks func begin() -> UInt64 {
    let call = count.load(ordering: .relaxed) &+ 1
    count.store(call, ordering: .releasing)
    return call
  }

  /// Ends that call; false where it was ended already.
  @_noLocks func end(_ call: UInt64) -> Bool {
    count.compareExchange(expected: call, desired: call &+ 1, ordering: .acquiringAndReleasing).exchanged
  }

  /// The call that lasts now.
  var current: UInt64? {
    let call = count.load(ordering: .relaxed)
    return call & 1 == 1 ? call : nil
  }
}
