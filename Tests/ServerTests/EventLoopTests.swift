// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Testing
import Timing

@testable import Server

/// What ends a wait of control's: its instant, or what comes before.
@Suite struct EventLoopTests {
  private static let token: UInt64 = 20

  private static var now: Instant { Instant(nanoseconds: rt_now_ns()) }

  /// The alarm of a wait that something ended stays set, and ends no later wait.
  @Test func aWaitThatSomethingEndedDoesNotEndTheNext() throws {
    var loop = try EventLoop()
    let event = rt_waiter_event()
    defer { close(event) }
    #expect(loop.watch(event, token: Self.token) == 0)
    rt_waiter_wake(event)
    let soon = loop.wait(until: Self.now + .milliseconds(2))
    #expect(soon.map(\.token) == [Self.token])
    var count: UInt64 = 0
    #expect(read(event, &count, MemoryLayout<UInt64>.size) == MemoryLayout<UInt64>.size)
    let end = Self.now + .milliseconds(10)
    let later = loop.wait(until: end)
    #expect(later.isEmpty && Self.now >= end)
  }

  /// One that is to end earlier than the alarm is set for does: another timer would end it first if the alarm were left as it is.
  @Test func anEarlierEndIsKept() throws {
    var loop = try EventLoop()
    let (event, timer) = (rt_waiter_event(), rt_waiter_timer())
    defer {
      close(event)
      close(timer)
    }
    #expect(loop.watch(event, token: Self.token) == 0 && loop.watch(timer, token: Self.token + 1) == 0)
    rt_waiter_wake(event)
    let soon = loop.wait(until: Self.now + .seconds(20))
    #expect(soon.map(\.token) == [Self.token])
    loop.forget(event)
    rt_waiter_set(timer, (Self.now + .seconds(10)).nanoseconds)
    let end = Self.now + .milliseconds(2)
    let none = loop.wait(until: end)
    #expect(none.isEmpty && Self.now >= end)
  }

  /// What has passed already is no wait: what is ready is told.
  @Test func whatHasPassedIsALook() throws {
    var loop = try EventLoop()
    let event = rt_waiter_event()
    defer { close(event) }
    #expect(loop.watch(event, token: Self.token) == 0)
    let before = loop.wait(until: Self.now)
    rt_waiter_wake(event)
    let behind = loop.wait(until: Self.now)
    #expect(before.isEmpty && behind.map(\.token) == [Self.token])
  }

  /// Whoever looks in the meantime takes the ring of an alarm that was left set.
  @Test func aRingThatALookTookIsNotWaitedFor() throws {
    var loop = try EventLoop()
    let event = rt_waiter_event()
    defer { close(event) }
    #expect(loop.watch(event, token: Self.token) == 0)
    rt_waiter_wake(event)
    let rings = Self.now + .milliseconds(2)
    let soon = loop.wait(until: rings)
    #expect(soon.map(\.token) == [Self.token])
    loop.forget(event)
    while Self.now <= rings + .milliseconds(1) {}
    let taken = loop.look()
    let end = Self.now + .milliseconds(2)
    let none = loop.wait(until: end)
    #expect(taken.isEmpty && none.isEmpty && Self.now >= end)
  }

  /// Without an instant only what is watched ends a wait, and no alarm that was set before.
  @Test func aWaitWithoutAnEndOutlivesTheAlarm() throws {
    var loop = try EventLoop()
    let (event, timer) = (rt_waiter_event(), rt_waiter_timer())
    defer {
      close(event)
      close(timer)
    }
    #expect(loop.watch(event, token: Self.token) == 0 && loop.watch(timer, token: Self.token + 1) == 0)
    rt_waiter_wake(event)
    let soon = loop.wait(until: Self.now + .milliseconds(2))
    #expect(soon.map(\.token) == [Self.token])
    loop.forget(event)
    rt_waiter_set(timer, (Self.now + .milliseconds(10)).nanoseconds)
    let later = loop.wait(until: nil)
    #expect(later.map(\.token) == [Self.token + 1])
  }

  /// A wait whose end is not before that of the alarm has it left as it is; one that is has it set anew, and so has a wait
  /// behind its ring.
  @Test func anAlarmIsSetAnewOnlyWhereItWouldNotRingByThen() {
    var setting = AlarmSetting()
    func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }
    var isChanged: [Bool] = []
    for (until, now) in [(100, 0), (150, 10), (100, 20), (99, 30), (120, 98), (120, 99), (119, 118), (130, 119)] {
      isChanged.append(setting.isToChange(for: at(Int64(until)), now: at(Int64(now))))
    }
    #expect(isChanged == [true, false, false, true, false, true, true, true])
  }
}
