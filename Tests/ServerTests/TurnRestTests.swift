// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Glibc
import Testing
import Timing
import Wire

@testable import Server

@Suite struct TurnRestTests {
  private func at(_ us: Int64) -> Instant { Instant(microseconds: us) }

  @Test func theRestOfATurnWithoutLinesIsDoneAtOnce() {
    var rest = TurnRest()
    #expect(rest.left(at: at(0)) == nil)
    rest.done(due: at(5_000))
    #expect(rest.left(at: at(0)) == nil)
    #expect(rest.due == at(5_000))
  }

  @Test func itIsPutOffForAMillisecondFromTheFirstLineHoweverManyCome() {
    var rest = TurnRest()
    rest.done(due: nil)
    for us in stride(from: Int64(100), through: 1_000, by: 100) { rest.putOff(at: at(us), deadline: nil) }
    #expect(rest.left(at: at(1_000)) == .microseconds(100))
    #expect(rest.left(at: at(1_100)) == nil)
    // The next line begins anew.
    rest.done(due: nil)
    rest.putOff(at: at(1_200), deadline: nil)
    #expect(rest.left(at: at(1_200)) == .milliseconds(1))
  }

  @Test func whatIsDueEarlierIsNotPutOff() {
    var rest = TurnRest()
    rest.done(due: at(400))
    rest.putOff(at: at(100), deadline: nil)
    #expect(rest.left(at: at(100)) == .microseconds(300))
    // A line can bring something that is due before that, or by now.
    rest.putOff(at: at(150), deadline: at(250))
    #expect(rest.left(at: at(150)) == .microseconds(100))
    rest.putOff(at: at(200), deadline: at(200))
    #expect(rest.left(at: at(200)) == nil)
    // And what was due stays due, whatever later lines are.
    rest.putOff(at: at(210), deadline: nil)
    #expect(rest.left(at: at(210)) == nil)
  }

  @Test func whereAnythingElseCameItIsDoneNext() {
    var rest = TurnRest()
    rest.done(due: nil)
    rest.putOff(at: at(100), deadline: nil)
    rest.isWanted()
    #expect(rest.left(at: at(100)) == nil)
  }
}

/// Clients that ask line by line have control's core back before the engine goes on, where nothing is due.
@Suite struct PuttingOffTests {
  private let tap = #"{"id":1,"method":"rhythm.stop"}"# + "\n"

  /// A server with a client that was answered, which puts the rest off for so long that no test comes to its end.
  private func answered() throws -> (Rig, TestClient) {
    let rig = try Rig(clock: .live)
    rig.server.rest = TurnRest(longest: .milliseconds(100_000_000))
    let client = try rig.connect()
    client.send(tap)
    #expect(rig.server.turn(waiting: true))
    #expect(rig.host.taps.count == 1)
    return (rig, client)
  }

  @Test func lineByLineIsServedWithoutARunBetween() throws {
    let (rig, client) = try answered()
    for _ in 1..<5 {
      client.send(tap)
      #expect(rig.server.turn(waiting: true))
    }
    #expect(Set(rig.host.runsBeforeTaps) == [rig.host.runs])
    #expect(client.lines().count == 5)
  }

  @Test func whatALineMakesDueIsDoneBeforeTheNext() throws {
    let (rig, client) = try answered()
    rig.host.nextDeadline = rig.host.now
    for _ in 1..<4 {
      client.send(tap)
      #expect(rig.server.turn(waiting: true))
    }
    let runs = rig.host.runsBeforeTaps[0]
    // It was asked for behind the second line.
    #expect(rig.host.runsBeforeTaps == [runs, runs, runs + 1, runs + 2])
  }

  @Test func whatWakesTheHostIsLookedAtBeforeTheNextLine() throws {
    let rig = try Rig(clock: .live)
    let descriptor = rt_eventfd_open()
    defer { close(descriptor) }
    rig.host.wakeDescriptors = [descriptor]
    rig.server.rest = TurnRest(longest: .milliseconds(100_000_000))
    let client = try rig.connect()
    client.send(tap)
    #expect(rig.server.turn(waiting: true))
    let runs = rig.host.runs
    rt_eventfd_signal(descriptor)
    #expect(rig.server.turn(waiting: true))
    #expect(rig.host.runs == runs)
    client.send(tap)
    #expect(rig.server.turn(waiting: true))
    #expect(rig.host.runs == runs + 1)
    rig.host.wakeDescriptors = []
    rig.settle()
  }

  @Test func whoGoesIsPartedWithAtOnce() throws {
    let (rig, client) = try answered()
    client.leave()
    #expect(rig.server.turn(waiting: true))
    rig.settle()
    #expect(rig.host.left.count == 1)
  }

  @Test func withoutAnotherLineTheRestIsDoneAMillisecondLater() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    client.send(tap)
    #expect(rig.server.turn(waiting: true))
    let runs = rig.host.runs
    // Nothing wakes control but that: it would wait without end.
    while rig.host.runs == runs { #expect(rig.server.turn(waiting: true)) }
    withExtendedLifetime(client) {}
  }
}
