// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import StarlightClient

@Suite struct EventBufferTests {
  private func beat(_ number: Int) -> Event { .told(.rhythmBeat(RhythmBeat(beat: number, lane: nil)), tUs: 0) }

  @Test func eventsAreTakenInTheirOrder() async {
    let buffer = EventBuffer(topics: [.rhythm], capacity: 8)
    for number in 0..<4 { buffer.add(beat(number), .rhythm) }
    #expect(await buffer.take().map { names([$0]) } == ["beat 0 0"])
    #expect(names(buffer.takeAll()) == ["beat 1 0", "beat 2 0", "beat 3 0"])
    #expect(buffer.takeAll().isEmpty)
  }

  @Test func theOldestGiveWayAndTheReaderIsToldWhatItLostInTheirPlace() {
    let buffer = EventBuffer(topics: [.rhythm], capacity: 2)
    buffer.add(.disconnected(ClientError(.closed, "")))
    buffer.add(beat(0), .rhythm)
    buffer.add(.refused(Refusal(ticket: 1, method: "", error: ClientError(.closed, ""))))
    for number in 1...3 { buffer.add(beat(number), .rhythm) }
    var lost = Lost()
    (lost.notifications, lost.refusals, lost.connections) = ([.rhythm: 2], 1, 1)
    let events = buffer.takeAll()
    guard case .lost(lost)? = events.first else { return #expect(Bool(false), "\(names(events))") }
    #expect(names(events.suffix(2)) == ["beat 2 0", "beat 3 0"])
    buffer.add(beat(4), .rhythm)
    #expect(names(buffer.takeAll()) == ["beat 4 0"])
  }

  @Test func aMillionUnreadEventsTakeTheRoomOfAFew() {
    let buffer = EventBuffer(topics: [.rhythm], capacity: 3)
    for number in 0..<1_000_000 { buffer.add(beat(number), .rhythm) }
    #expect(names(buffer.takeAll()) == ["lost 999997 0 0", "beat 999997 0", "beat 999998 0", "beat 999999 0"])
  }

  @Test func whoWaitsIsGivenTheNextEvent() async {
    let buffer = EventBuffer(topics: [.rhythm], capacity: 2)
    async let first = buffer.take()
    async let second = buffer.take()
    while buffer.waiters < 2 { await Task.yield() }
    buffer.add(beat(1), .rhythm)
    buffer.add(beat(2), .rhythm)
    let both = await [first, second].compactMap { $0 }
    #expect(Set(names(both)) == ["beat 1 0", "beat 2 0"])
  }

  @Test func aCancelledTaskWaitsNoMoreAndTakesNothing() async {
    let buffer = EventBuffer(topics: [.rhythm], capacity: 2)
    let waiting = Task { await buffer.take() }
    while buffer.waiters < 1 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return await buffer.take()
    }
    late.cancel()
    #expect(await late.value == nil)
    buffer.add(beat(1), .rhythm)
    #expect(names(buffer.takeAll()) == ["beat 1 0"])
  }

  @Test func atItsEndWhatIsThereCanStillBeTaken() async {
    let buffer = EventBuffer(topics: [.rhythm], capacity: 2)
    buffer.add(beat(1), .rhythm)
    buffer.end()
    buffer.add(beat(2), .rhythm)
    #expect(await buffer.take().map { names([$0]) } == ["beat 1 0"])
    #expect(await buffer.take() == nil)
  }

  @Test func everyNotificationOfTheSocketHasACaseOfItsOwn() throws {
    #expect(Set(Event.Notification.kinds.keys) == Set(allNotifications.map { $0.name }))
    for type in allNotifications { #expect(Event.Notification.kinds[type.name]?.topic == type.topic) }
  }
}
