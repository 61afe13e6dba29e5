// SPDX-License-Identifier: Apache-2.0

import CRealTime
import ControlInput
import Glibc
import Synchronization
import Testing

@Suite struct ControlOpenerTests {
  /// Tells by which thread it was asked.
  private final class Asked: ControlSystem {
    let thread = Mutex<pthread_t?>(nil)

    func sources() -> [ControlSource] {
      thread.withLock { $0 = pthread_self() }
      return [.pad()]
    }

    func open(
      _ path: String, keeping controls: Set<Control>, grabs: Bool
    ) throws(ControlErrno) -> any ControlStream { throw ControlErrno(code: ENODEV) }
  }

  @Test func devicesAreLookedForByItsThreadAndToldBehindAWake() throws {
    let system = Asked()
    let wake = rt_waiter_event()
    defer { close(wake) }
    let opener = ControlOpener(system, control: wake)
    defer { opener.stop() }
    let look = opener.look()
    var woken = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    #expect(poll(&woken, 1, -1) == 1)
    let found = try #require(opener.takeFound())
    #expect(found.look == look && found.sources == [.pad()])
    let own = pthread_self()
    #expect(system.thread.withLock { $0.map { pthread_equal($0, own) == 0 } } == true)
    #expect(opener.takeFound() == nil)
    #expect(opener.look() == look + 1)
  }

  @Test func whereNobodyIsWokenTheyAreFoundAtOnce() {
    let opener = ControlOpener(Asked(), control: nil)
    let look = opener.look()
    #expect(opener.takeFound()?.look == look)
  }
}
