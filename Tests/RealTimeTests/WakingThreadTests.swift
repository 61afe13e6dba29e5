// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization
import Testing

@Suite struct WakingThreadTests {
  @Test func itIsKeptWhileItsThreadRunsAndGoesWithIt() throws {
    weak var thread: WakingThread?
    do {
      let owned = WakingThread { .whenWoken }
      try owned.start(name: "kept")
      thread = owned
    }
    let kept = try #require(thread, "its thread uses it still")
    kept.stop()
  }

  @Test func nothingKeepsItOnceItHasStopped() throws {
    weak var thread: WakingThread?
    do {
      let owned = WakingThread { .whenWoken }
      try owned.start(name: "stopped")
      thread = owned
      owned.stop()
    }
    #expect(thread == nil)
  }

  @Test func workIsDoneAtTheStartAndAfterEachWakeAndNotAfterTheStop() throws {
    final class Counter: Sendable {
      let turns = Atomic(0)
    }
    let counter = Counter()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { for end in ends { close(end) } }
    let thread = WakingThread {
      var byte: UInt8 = 1
      counter.turns.add(1, ordering: .relaxed)
      _ = write(writing, &byte, 1)
      return .whenWoken
    }
    try thread.start(name: "counts")
    var byte: UInt8 = 0
    #expect(read(reading, &byte, 1) == 1, "at the start")
    thread.wake()
    #expect(read(reading, &byte, 1) == 1, "woken")
    thread.stop()
    let turns = counter.turns.load(ordering: .relaxed)
    thread.wake()
    #expect(turns == 2 && counter.turns.load(ordering: .relaxed) == 2)
  }

  @Test func whatComesLastIsDoneOnceByTheThreadWhereItIsStopped() throws {
    final class Counter: Sendable {
      let turns = Atomic(0)
      let lasts = Atomic(0)
      let isAnotherThread = Atomic(false)
    }
    let counter = Counter()
    let caller = pthread_self()
    let thread = WakingThread(
      {
        counter.turns.add(1, ordering: .relaxed)
        return .whenWoken
      },
      last: {
        counter.lasts.add(1, ordering: .relaxed)
        counter.isAnotherThread.store(pthread_equal(pthread_self(), caller) == 0, ordering: .relaxed)
      })
    try thread.start(name: "last")
    thread.requestStop()
    #expect(thread.stop(byNanoseconds: .max) && thread.stop(byNanoseconds: 0), "it has ended, asked ever so late")
    #expect(counter.lasts.load(ordering: .relaxed) == 1 && counter.isAnotherThread.load(ordering: .relaxed))
    #expect(counter.turns.load(ordering: .relaxed) <= 1)
  }

  @Test func whatDoesNotComeToItsEndIsLeftBehind() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let thread = WakingThread {
      // Until somebody writes: as a file that does not answer.
      var byte: UInt8 = 0
      _ = read(reading, &byte, 1)
      close(reading)
      return .whenWoken
    }
    try thread.start(name: "hangs")
    thread.stop(withinMilliseconds: 1)
    // It came back though the work is not done, which ends now.
    var byte: UInt8 = 1
    #expect(write(writing, &byte, 1) == 1)
    close(writing)
  }
}
