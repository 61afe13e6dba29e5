// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Testing
import Wire

@testable import Server

/// Descriptors that the kernel refuses to watch.
@Suite struct WatchingTests {
  private let ask = #"{"id":1,"method":"settings.get"}"# + "\n"

  @Test func aClientThatCannotBeWatchedIsToldClosedAndLogged() throws {
    let rig = try Rig()
    let first = try rig.connect()
    rig.server.loop.refusal = { $0 >= Token.firstClient + 2 ? ENOSPC : 0 }
    let refused = try rig.connect()
    let told = refused.lines()
    #expect(told.count == 1 && told.first?.contains(#""kind":"unavailable""#) == true, "\(told)")
    #expect(told.first?.contains("fs.epoll.max_user_watches") == true)
    #expect(refused.isClosed)
    #expect(rig.host.clientCount == 1)
    let lines = rig.logged.filter { $0.contains("No space left on device") }
    #expect(lines.count == 1, "\(rig.logged)")
    // Those who are there stay, and who comes later is served.
    #expect(rig.exchange(first, ask).count == 1)
    rig.server.loop.refusal = { _ in 0 }
    #expect(rig.exchange(try rig.connect(), ask).count == 1)
    #expect(rig.host.left.isEmpty)
  }

  @Test func whatTheHostWaitsForIsLookedAtByTheClockUntilItCanBeWatched() throws {
    let rig = try Rig()
    rig.settle()
    let descriptor = rt_eventfd_open()
    defer { close(descriptor) }
    rig.server.loop.refusal = { $0 == Token.host ? ENOMEM : 0 }
    rig.host.wakeDescriptors = [descriptor]
    rig.settle(rounds: 2)
    let before = rig.host.wokenRuns
    rig.settle(rounds: 3)
    #expect(rig.host.wokenRuns == before + 3)
    #expect(rig.logged.filter { $0.contains("Cannot allocate memory") }.count == 1, "\(rig.logged)")
    // It does not wait without end meanwhile.
    #expect(rig.server.turn(waiting: true))
    rig.server.loop.refusal = { _ in 0 }
    rig.settle(rounds: 2)
    let watched = rig.host.wokenRuns
    rig.settle(rounds: 3)
    #expect(rig.host.wokenRuns == watched)
    rt_eventfd_signal(descriptor)
    rig.settle(rounds: 2)
    #expect(rig.host.wokenRuns > watched)
    rig.host.wakeDescriptors = []
    rig.settle(rounds: 2)
  }
}
