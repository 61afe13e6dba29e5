// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Synchronization
import Testing

@testable import Host

/// The thread that reads packs ends with the file that it is at, however much is left.
@Suite struct LoaderThreadTests {
  @Test(.timeLimit(.minutes(1)))
  func anEndingThreadGivesUpWhatItReads() throws {
    let event = rt_waiter_event()
    defer { close(event) }
    let loader = LoaderThread(control: event)
    try loader.start()
    // As long as somebody wants it there is more.
    loader.begin { isWanted in
      while isWanted() { sched_yield() }
      return []
    }
    loader.stop()
  }

  @Test func whatNobodyWantsIsNotRead() throws {
    let rig = try HostRig()
    #expect(PackLoader(rate: 48_000).read(rig.directory).loaded?.pack.sounds.count == 1)
    let asked = Mutex(0)
    // Wanted up to the first file alone.
    let loader = PackLoader(rate: 48_000) {
      asked.withLock { count in
        count += 1
        return count == 1
      }
    }
    let read = loader.read(rig.directory)
    #expect(read.loaded?.pack.sounds.isEmpty == true && read.loaded?.pack.patterns.isEmpty == true)
  }
}
