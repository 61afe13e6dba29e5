// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Server

@Suite struct StallTests {
  private let tap = #"{"id":1,"method":"rhythm.stop"}"# + "\n"

  @Test func whatCameInDuringAStallIsServedBeforeTheEngineGoesOn() throws {
    let rig = try Rig()
    let clients = [try rig.connect(), try rig.connect()]
    for client in clients { client.send(String(repeating: tap, count: 500)) }
    let runs = rig.host.runs
    let stall = Instant(microseconds: 10)...Instant(microseconds: 900_000)
    rig.server.recover(from: stall)
    // The host knows of the stall before the first of them.
    #expect(rig.host.stalls.map(\.stall) == [stall])
    #expect(rig.host.stalls.map(\.taps) == [0])
    #expect(rig.host.taps.count == 1_000)
    #expect(rig.host.runs == runs)
  }

  @Test func aStopUpToTheReadingThatTheEngineGoesOnByIsAStall() throws {
    let rig = try Rig(clock: .live)
    rig.settle()
    let (runs, stalls) = (rig.host.runs, rig.host.stalls.count)
    let now = rig.host.now
    rig.host.stopsFor = [.milliseconds(60_000)]
    _ = rig.server.turn(waiting: false)
    let stall = try #require(rig.host.stalls.dropFirst(stalls).last?.stall)
    #expect(stall.lowerBound <= rig.host.now && stall.upperBound >= now + .milliseconds(60_000))
    // The host knows of it before it goes on.
    #expect(rig.host.runsBeforeStalls.last == runs && rig.host.runs == runs + 1)
  }

  @Test func onlyAClockThatRunsByItselfCanBeBehind() throws {
    let rig = try Rig()
    rig.settle()
    #expect(rig.host.stalls.isEmpty)
  }
}
