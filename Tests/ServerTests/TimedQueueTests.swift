// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Server

@Suite struct TimedQueueTests {
  private func beat(
    _ number: Int, uselessAfterUs: Int64? = nil, group: String? = nil
  ) -> OutgoingNotification {
    OutgoingNotification(
      RhythmBeat(beat: number, lane: nil), tUs: Int64(number), uselessAfterUs: uselessAfterUs, group: group)
  }

  private func at(_ us: Int64) -> Instant { Instant(microseconds: us) }

  @Test func whatIsDueComesOutInOrderOfInstantsAndOfArrivalWithinOne() {
    var queue = TimedQueue()
    for (number, us) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 40)] { queue.insert(beat(number), at: at(Int64(us))) }
    #expect(queue.next == at(10))
    #expect(queue.take(dueAt: at(30)).map(\.tUs) == [2, 4, 3, 1])
    #expect(queue.next == at(40))
  }

  @Test func nothingComesOutEarly() {
    var queue = TimedQueue()
    queue.insert(beat(1), at: at(10))
    #expect(queue.take(dueAt: Instant(nanoseconds: 9_999)).isEmpty)
    #expect(queue.take(dueAt: at(10)).map(\.tUs) == [1])
    #expect(queue.next == nil)
  }

  @Test func whatHasBecomeUselessWhileItWaitedIsDropped() {
    var queue = TimedQueue()
    for (number, useless) in [(1, 110), (2, 199), (3, 200), (4, nil)] as [(Int, Int64?)] {
      queue.insert(beat(number, uselessAfterUs: useless), at: at(Int64(number)))
    }
    #expect(queue.takeFresh(dueAt: at(200)).map(\.tUs) == [3, 4])
    #expect(queue.next == nil)
  }

  @Test func ofAGroupOnlyWhatComesFromAnInstantOnIsRecalled() {
    var queue = TimedQueue()
    for (number, us) in [(1, 10), (2, 20), (3, 21)] {
      queue.insert(beat(number, group: "rhythm"), at: at(Int64(us)))
    }
    queue.recall("rhythm", from: at(20))
    #expect(queue.take(dueAt: at(30)).map(\.tUs) == [1])
  }

  @Test func aGroupIsRecalledAndTheRestStays() {
    var queue = TimedQueue()
    queue.insert(beat(1, group: "rhythm"), at: at(10))
    queue.insert(beat(2), at: at(20))
    queue.recall("rhythm")
    #expect(queue.take(dueAt: at(30)).map(\.tUs) == [2])
  }
}
