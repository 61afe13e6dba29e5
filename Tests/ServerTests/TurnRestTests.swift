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
    rest.putOffNoMore()
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

  /// Whether the rest of the turn that served `client` is done next, where `change` came besides.
  private func isDoneNext(_ rig: Rig, _ client: TestClient, _ change: () throws -> Void) throws -> Bool {
    rig.settle()
    rig.server.rest = TurnRest(longest: .milliseconds(100_000_000))
    let before = rig.host.taps.count
    try change()
    client.send(tap)
    // The first may wake for the change alone.
    while rig.host.taps.count == before { #expect(rig.server.turn(waiting: true)) }
    return rig.server.rest.left(at: rig.host.now) == nil
  }

  @Test func whereOnlyLinesCameItIsPutOff() throws {
    let rig = try Rig(clock: .live)
    #expect(try !isDoneNext(rig, rig.connect()) {})
  }

  @Test func whereAnotherClientGoesItIsDoneNext() throws {
    let rig = try Rig(clock: .live)
    let (client, other) = (try rig.connect(), try rig.connect())
    #expect(try isDoneNext(rig, client) { other.leave() })
  }

  @Test func whereTheHostIsWokenAsWellItIsDoneNext() throws {
    let rig = try Rig(clock: .live)
    let descriptor = rt_eventfd_open()
    defer { close(descriptor) }
    rig.host.wakeDescriptors = [descriptor]
    #expect(try isDoneNext(rig, rig.connect()) { rt_eventfd_signal(descriptor) })
    rig.host.wakeDescriptors = []
    rig.settle()
  }

  @Test func whereSomethingCannotBeWatchedItIsDoneNext() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    let descriptor = rt_eventfd_open()
    defer { close(descriptor) }
    rig.server.loop.refusal = { $0 == Token.host ? ENOMEM : 0 }
    rig.host.wakeDescriptors = [descriptor]
    #expect(try isDoneNext(rig, client) {})
    rig.server.loop.refusal = { _ in 0 }
    rig.host.wakeDescriptors = []
    rig.settle()
  }

  @Test func whereLinesAreLeftForTheNextTurnItIsDoneBeforeThem() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    // Each line takes more of the processor than a turn may.
    rig.host.onTap = {
      let begun = rt_thread_processor_ns()
      while rt_thread_processor_ns() - begun < 6_000_000 {}
    }
    #expect(try isDoneNext(rig, client) { client.send(tap + tap) })
    rig.host.onTap = nil
  }

  @Test func whereTheDaemonIsToEndItIsDoneNext() throws {
    let rig = try Rig(clock: .live)
    rig.host.fadeNs = 1_000_000_000
    rig.host.onTap = { rig.server.requestEnd() }
    #expect(try isDoneNext(rig, rig.connect()) {})
    rig.host.onTap = nil
  }

  @Test func whereAClientHasRoomAgainItIsDoneNextAndThatIsWatchedNoMore() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    let connection = try #require(rig.server.connections.values.first)
    while connection.channel.standing.queuedBytes == 0 {
      client.send(String(repeating: tap, count: 50))
      rig.settle()
    }
    #expect(try isDoneNext(rig, client) { client.receive() })
  }

  @Test func withoutAnotherLineTheRestIsDoneAMillisecondLater() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    client.send(tap)
    #expect(rig.server.turn(waiting: true))
    let left = rig.server.rest.left(at: rig.host.now) ?? .zero
    try #require(left <= .milliseconds(1))
    let runs = rig.host.runs
    // Nothing wakes control but that.
    while rig.host.runs == runs { #expect(rig.server.turn(waiting: true)) }
    withExtendedLifetime(client) {}
  }
}
