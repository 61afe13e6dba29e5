// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timing

/// What the keeper tells of a device that may rest, and remembers of how long it takes to play again.
extension DeviceKeeper {
  /// Tells the other threads whether there is a device, open or, where it `isClosed`, at rest.
  func tellDevice(isThere: Bool, isClosed: Bool = false) {
    shared.pointer.pointee.isClosed.store(isClosed, ordering: .releasing)
    shared.pointer.pointee.hasDevice.store(isThere, ordering: .releasing)
  }

  /// Tells control how long what is open takes at the longest to play again.
  func tellWake(_ state: State) {
    guard let opened = state.opened else { return }
    let wake = opened.device.pointee.canRest ? state.wakes[opened.key] : nil
    shared.pointer.pointee.longestWake.store(wake?.nanoseconds ?? 0, ordering: .releasing)
  }

  /// Remembers how long it took to play, if that is news.
  func noteWake() {
    let taken = shared.pointer.pointee.wakeTaken.exchange(.min, ordering: .acquiringAndReleasing)
    guard taken != .min else { return }
    let changed: WakeMemory? = state.withLock { state in
      guard let opened = state.opened, opened.device.pointee.canRest,
        state.wakes.note(Interval(nanoseconds: taken), of: opened.key)
      else { return nil }
      tellWake(state)
      return state.wakes
    }
    if let changed { keep(.wake) { wakeFile?.write(changed) } }
  }
}
