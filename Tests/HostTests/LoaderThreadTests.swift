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
    loader.begin("/a", at: 0) { folder, isWanted in
      while isWanted() { sched_yield() }
      return FolderReading(path: folder, problems: [], warnings: [])
    }
    loader.stop()
  }

  /// A minute at a high rate is a second's work and more.
  @Test func aLongSoundIsGivenUpInItsMiddle() throws {
    let rig = try HostRig(
      manifest: #"{"name": "game", "title": "Game", "version": "1", "sounds": {"a": {"file": "a.wav"}}}"#, files: ["a"],
      seconds: 40)
    let asked = Mutex(0)
    let loader = PackLoader(rate: 44_100) {
      asked.withLock { count in
        count += 1
        return count < 6
      }
    }
    #expect(loader.read(rig.directory).loaded?.pack.sounds.isEmpty == true)
    // It was read no further: one that is wanted is asked about all along.
    let patient = Mutex(0)
    _ = PackLoader(rate: 44_100) {
      patient.withLock { $0 += 1 }
      return true
    }.read(rig.directory)
    #expect(asked.withLock { $0 } < 12 && patient.withLock { $0 } > 24)
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
