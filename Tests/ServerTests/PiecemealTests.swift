// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing

@testable import Server

/// Who sends its lines in pieces waits for that itself, and holds up nobody.
@Suite struct PiecemealTests {
  private let ask = #"{"id":1,"method":"rhythm.stop"}"# + "\n"

  @Test func whoSendsWholeLinesNeverRestsHoweverMany() {
    var cost = PiecemealCost()
    for line in 0..<100_000 {
      _ = cost.read(26, cost: .microseconds(4), at: Instant(microseconds: 5 * Int64(line)), others: { 47 })
      #expect(cost.rest(others: { 47 }) == nil)
      cost.hadLine()
    }
  }

  @Test func aLineThatIsTypedOrWhoseReadingIsInterruptedIsNoReasonToRest() {
    var (typed, interrupted) = (PiecemealCost(), PiecemealCost())
    for key in 0..<1_000 {
      _ = typed.read(1, cost: .microseconds(20), at: Instant(microseconds: 50_000 * Int64(key)), others: { 0 })
      #expect(typed.rest(others: { 0 }) == nil)
    }
    // However long the thread was kept by what is none of the client's.
    _ = interrupted.read(26, cost: .milliseconds(600), at: .zero, others: { 47 })
    #expect(interrupted.rest(others: { 47 }) == nil && !interrupted.owes(at: .zero))
  }

  @Test func whatReadingIsWorthNothingIsCharged() {
    var cost = PiecemealCost()
    // 20 ns a byte, as where lines are counted.
    #expect(cost.read(100, cost: .microseconds(50), at: .zero, others: { 0 }) == .microseconds(48))
    #expect(cost.read(65_536, cost: .microseconds(70), at: .zero, others: { 0 }) == .zero)
  }

  @Test(arguments: [1, 12, 47]) func allWhoOweTogetherTakeASixteenthOfTheTimeHoweverManyTheyAre(clients: Int) {
    var costs = [PiecemealCost](repeating: PiecemealCost(), count: clients)
    var until = [Instant](repeating: .zero, count: clients)
    let length = Interval.milliseconds(10_000)
    var (now, taken) = (Instant.zero, Interval.zero)
    while now < .zero + length {
      // Each has sent anew by the time it is read: as many bytes as a socket holds of them.
      for client in 0..<clients where until[client] <= now {
        let others = costs.indices.count { $0 != client && costs[$0].owes(at: now) }
        taken = taken + costs[client].read(277, cost: .microseconds(80), at: now, others: { others })
        until[client] = now + (costs[client].rest(others: { others }) ?? .zero)
      }
      now = now + .microseconds(100)
    }
    let free = PiecemealCost.free.nanoseconds * Int64(clients)
    #expect(taken.nanoseconds - free <= length.nanoseconds / PiecemealCost.part * 11 / 10)
    #expect(taken.nanoseconds - free >= length.nanoseconds / PiecemealCost.part * 7 / 10)
  }

  @Test func whoHasSentNothingForAQuarterOfASecondSharesWithNobodyAndNobodyRestsForLonger() {
    var cost = PiecemealCost()
    _ = cost.read(10_000, cost: .milliseconds(10), at: .zero, others: { 0 })
    #expect(cost.owes(at: Instant(microseconds: 249_999)))
    #expect(!cost.owes(at: Instant(microseconds: 250_000)))
    #expect(cost.rest(others: { 0 }) == Interval(nanoseconds: 16 * (9_800_000 - 200_000)))
    #expect(cost.rest(others: { 1 }) == .milliseconds(250))
  }

  /// A client that rests for so long.
  private func resting(_ rig: Rig, for length: Interval) throws -> (client: TestClient, connection: Connection) {
    let client = try rig.connect()
    let connection = try #require(rig.server.connections[ClientID(rawValue: 1)])
    connection.restsUntil = rig.host.now + length
    return (client, connection)
  }

  @Test func whoOwesRestsUntilAWholeMillisecond() throws {
    let rig = try Rig(clock: .live)
    let (_, connection) = try resting(rig, for: .zero)
    let now = Instant(microseconds: 5_000_300)
    _ = connection.read(1_000, cost: .microseconds(320), at: now, others: { 0 })
    // 100 us beyond what is free, sixteen times.
    #expect(connection.restsUntil == Instant(microseconds: 5_002_000))
    connection.endRest(at: Instant(microseconds: 5_001_999))
    #expect(connection.restsUntil != nil)
    connection.endRest(at: Instant(microseconds: 5_002_000))
    #expect(connection.restsUntil == nil)
  }

  @Test func whoRestsIsNotReadAndHoldsUpNeitherOthersNorWhatIsSettled() throws {
    let rig = try Rig(clock: .live)
    // For longer than the test may take.
    let (client, connection) = try resting(rig, for: .milliseconds(600_000))
    client.send(ask)
    let other = try rig.connect()
    other.send(ask)
    rig.host.settlesAt = rig.host.now
    while rig.host.taps.isEmpty { rig.settle(rounds: 1) }
    rig.settle()
    #expect(rig.host.taps.map(\.cause.client.rawValue) == [2])
    #expect(connection.bufferedBytes == 0)
    #expect(!rig.server.hearing.isBehind)
    #expect(try #require(rig.host.heard.last).taps == 1)
  }

  @Test func whoRestedIsReadAndAnsweredByItself() throws {
    let rig = try Rig(clock: .live)
    let (client, _) = try resting(rig, for: .milliseconds(1))
    client.send(ask)
    // Nobody else wakes control: the end of the rest does.
    while rig.host.taps.isEmpty { _ = rig.server.turn(waiting: true) }
    #expect(client.lines().count == 1)
  }

  @Test func whoGoesWhileItRestsIsServedAndPartedWith() throws {
    let rig = try Rig(clock: .live)
    let (client, _) = try resting(rig, for: .milliseconds(600_000))
    client.send(ask)
    client.leave()
    while !rig.server.connections.isEmpty { rig.settle(rounds: 1) }
    #expect(rig.host.taps.count == 1)
  }
}
