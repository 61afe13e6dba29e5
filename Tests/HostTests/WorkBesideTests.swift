// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import Testing

@testable import Host

@Suite("Work beside") struct WorkBesideTests {
  private final class Done: Sendable {
    let thread = Mutex<pthread_t?>(nil)
  }

  @Test("is done by another thread, and over once it is joined") func isDoneElsewhere() {
    let done = Done()
    let work = WorkBeside(name: "beside") { done.thread.withLock { $0 = pthread_self() } }
    work.join()
    #expect(done.thread.withLock { $0 } != nil)
    #expect(done.thread.withLock { $0 } != pthread_self())
  }

  @Test("lets go of what it was given once it is joined") func letsGo() {
    weak var given: Done?
    do {
      let done = Done()
      given = done
      let work = WorkBeside(name: "beside") { withExtendedLifetime(done) {} }
      work.join()
    }
    #expect(given == nil)
  }
}
