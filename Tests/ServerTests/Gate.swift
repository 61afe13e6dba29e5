// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Holds a thread up until it is opened.
final class Gate: Sendable {
  private let isOpen = Atomic(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  func wait() { while !isOpen.load(ordering: .acquiring) { _ = sched_yield() } }
}

extension FakeHost {
  /// Has what `haptics.play` computes wait until the gate is opened; it comes to 7.
  func holdWork() -> Gate {
    let mayEnd = Gate()
    work = {
      mayEnd.wait()
      return 7
    }
    return mayEnd
  }
}
