// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization
import Testing

@Suite struct NapTests {
  private static let farOff = Int64.max / 2

  @Test func whoLooksBehindWhatItDidEndsIt() {
    let nap = Nap()
    var lasts = [nap.lasts]
    nap.begin()
    lasts.append(nap.lasts)
    nap.wake()
    lasts.append(nap.lasts)
    #expect(lasts == [false, true, false])
    // It was ended before it was slept.
    nap.sleep(until: Self.farOff)
    nap.end()
  }

  @Test func itEndsByItself() {
    let nap = Nap()
    nap.begin()
    nap.sleep(until: 1)
    nap.sleep(until: -1)
    var lasts = [nap.lasts]
    nap.end()
    lasts.append(nap.lasts)
    #expect(lasts == [true, false])
  }

  /// One that sleeps whenever there is nothing in the ring sees everything that is put there.
  @Test func nothingIsMissed() throws {
    final class Shared: Sendable {
      let nap = Nap()
      let ring = SPSCRing<Int>(capacity: 4, zero: 0)
      let last = Atomic(0)
    }
    let shared = Shared()
    let thread = WakingThread {
      var value = 0
      while value < 20_000 {
        if shared.ring.pop(into: &value) {
          shared.last.store(value, ordering: .releasing)
          continue
        }
        shared.nap.begin()
        if shared.ring.count == 0 { shared.nap.sleep(until: Self.farOff) }
        shared.nap.end()
      }
      return .whenWoken
    }
    try thread.start(name: "naps")
    for value in 1...20_000 {
      while !shared.ring.push(value) { sched_yield() }
      if shared.nap.lasts { shared.nap.wake() }
    }
    while shared.last.load(ordering: .acquiring) < 20_000 { sched_yield() }
    thread.stop()
  }
}
