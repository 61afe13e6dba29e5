// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing
import Wire

@testable import Server

/// Telling is paid by those whose lines it goes back to.
@Suite struct TellingPayersTests {
  private let subscribe = #"{"id":1,"method":"events.subscribe","params":{"topics":["cue"]}}"# + "\n"
  private let act = #"{"id":1,"method":"rhythm.stop"}"# + "\n"
  private let ms = Interval.milliseconds(1)

  private func cause(_ client: UInt64) -> Cause { Cause(client: ClientID(rawValue: client), line: 1) }

  private func payer(_ client: UInt64, process: Int32 = 1, user: UInt32 = 1_000) -> ToldLog.Entry.Payer {
    ToldLog.Entry.Payer(client: ClientID(rawValue: client), peer: Peer(user: user, process: process))
  }

  private func tell(_ count: Int, on rig: Rig, by cause: Cause?) {
    rig.host.pendingCause = cause
    rig.host.pending += (1...count).map { id in
      OutgoingNotification(CueFired(id: Int64(id), cue: "x", skipped: []), tUs: 0)
    }
  }

  /// Counts what one is told.
  private final class Subscriber {
    let client: TestClient
    private var lines = 0

    init(_ client: TestClient) { self.client = client }

    var count: Int {
      lines += client.lines().count
      return lines
    }
  }

  private func subscribers(of rig: Rig) throws -> [Subscriber] {
    try (0..<3).map { _ in
      let client = try rig.connect()
      _ = rig.exchange(client, subscribe)
      return Subscriber(client)
    }
  }

  /// Three who are to be told of much that goes back to `cause`, of which one was told a part, and another client, the fourth.
  private func rig(telling count: Int, by cause: Cause?) throws -> (rig: Rig, others: [Subscriber], client: TestClient)
  {
    let rig = try Rig(clock: .live)
    let others = try subscribers(of: rig)
    let client = try rig.connect()
    tell(count, on: rig, by: cause)
    rig.server.announce(within: .zero)
    return (rig, others, client)
  }

  @Test func eachOwesThePartThatGoesBackToIt() {
    var payers = TellingPayers()
    for client in [1, 1, 2, 1] as [UInt64] { payers.note(payer(client)) }
    for _ in 0..<2 { payers.note(nil) }
    let parts = payers.take(.microseconds(600)).map { ($0.payer.client.rawValue, $0.part) }
    #expect(Dictionary(uniqueKeysWithValues: parts) == [1: .microseconds(300), 2: .microseconds(100)])
    #expect(payers.take(ms).isEmpty)
    payers.note(payer(1))
    payers.forget()
    #expect(payers.take(ms).isEmpty)
  }

  private func shares(_ processes: ClosedRange<UInt64>) -> FairShare {
    var shares = FairShare()
    for number in processes { shares.add(ClientID(rawValue: number), of: Peer(user: 1_000, process: Int32(number))) }
    return shares
  }

  /// Two ask alike, and what one asks for has others told.
  @Test func whoHasOthersToldIsServedTheLess() {
    var shares = shares(1...2)
    var served = [0, 0]
    for _ in 0..<100 {
      shares.beginTurn()
      while let next = shares.next({ _ in true }) {
        served[Int(next.rawValue) - 1] += 1
        shares.charge(.microseconds(100), to: next)
        guard next.rawValue == 1 else { continue }
        shares.chargeTelling(.microseconds(300), to: payer(1))
        shares.tell(next, for: .microseconds(300))
      }
    }
    // 0.4 ms of the one for four times 0.1 of the other.
    #expect((3.9...4.1).contains(Double(served[1]) / Double(served[0])))
  }

  @Test func whatOneWhoHasGoneHasToldItsProcessOwes() {
    var shares = shares(1...2)
    shares.chargeTelling(.milliseconds(3), to: payer(9, process: 1))
    shares.beginTurn()
    var served: [UInt64] = []
    while let next = shares.next({ _ in true }) {
      served.append(next.rawValue)
      shares.charge(ms, to: next)
    }
    #expect(served == [2, 2, 2, 1])
  }

  /// One pays off a dear line while what it planned is told; processes come, of which each asks for something cheap once.
  @Test(arguments: [0, 200] as [Int64])
  func whoComesAnewDoesNotGoBeforeOneForEverThatHasOthersTold(toldUs: Int64) throws {
    var shares = shares(1...1)
    shares.beginTurn()
    _ = shares.next { _ in true }
    shares.charge(.milliseconds(5), to: ClientID(rawValue: 1))
    var newcomers: UInt64 = 0
    var isServed = false
    for _ in 0..<100 where !isServed {
      shares.chargeTelling(.microseconds(toldUs), to: payer(1))
      shares.beginTurn()
      for number in newcomers..<(newcomers + 50) {
        shares.add(ClientID(rawValue: 10 + number), of: Peer(user: 1_000, process: Int32(10 + number)))
      }
      newcomers += 50
      while let next = shares.next({ _ in true }) {
        shares.charge(.microseconds(100), to: next)
        if next.rawValue == 1 { isServed = true } else { shares.remove(next) }
      }
    }
    #expect(isServed)
  }

  /// The lines of the one come behind what it had told; those of the other do not.
  @Test func whoHasMoreToldThanThereIsTimeForWaitsForThatAlone() throws {
    let rig = try Rig(clock: .live)
    let others = try subscribers(of: rig)
    let (loud, quiet) = (try rig.connect(), try rig.connect())
    tell(400, on: rig, by: cause(4))
    rig.server.announce(within: .zero)
    tell(16, on: rig, by: cause(5))
    rig.server.announce(within: .zero)
    loud.send(act)
    quiet.send(act)
    rig.readLines(of: [4, 5])
    #expect(rig.server.isGated(ClientID(rawValue: 4)) && !rig.server.isGated(ClientID(rawValue: 5)))
    var left: [Int] = []
    rig.host.onTap = { [unowned rig] in left.append(rig.server.told.count(of: ClientID(rawValue: 4))) }
    while rig.host.taps.count < 2 { rig.server.serve() }
    #expect(rig.host.taps.map(\.cause.client.rawValue) == [5, 4])
    #expect(left[1] <= 64 && left[1] < left[0])
    rig.settleTelling()
    for other in others { #expect(other.count == 416) }
  }

  /// More is to be told than all plans come to at one instant, so turns are for telling.
  @Test func aTurnServesOneLineWhileThereIsVeryMuchToTell() throws {
    let (rig, others, quiet) = try rig(telling: 9_000, by: cause(1))
    quiet.send(act + act + act)
    rig.readLines(of: [4])
    // In as many turns as going through what it is not told takes.
    while rig.host.taps.isEmpty { rig.server.serve() }
    var count = rig.host.taps.count
    #expect(count == 1)
    while rig.server.hasMuchToTell, count < 3 {
      rig.server.serve()
      #expect(rig.host.taps.count == count + 1)
      count += 1
    }
    #expect(others.count == 3)
  }

  @Test func tapsAreHeardThoughTheirClientRestsAndHasMuchToBeTold() throws {
    let (rig, others, loud) = try rig(telling: 400, by: cause(4))
    loud.send(act)
    rig.readLines(of: [4])
    let connection = try #require(rig.server.connections[ClientID(rawValue: 4)])
    connection.restServing(until: rig.host.now + .seconds(1_000))
    #expect(rig.server.isGated(ClientID(rawValue: 4)) && !connection.hasLines)
    // As behind a standstill, or before a beat is settled.
    let now = rig.host.now
    rig.server.recover(from: now...now)
    #expect(rig.host.taps.count == 1 && others.count == 3)
  }

  @Test func noRestGoesOverIntoAnother() throws {
    let rig = try Rig(clock: .live)
    let loud = try rig.connect()
    let connection = try #require(rig.server.connections[ClientID(rawValue: 1)])
    let now = rig.host.now
    connection.restServing(until: now + .milliseconds(1))
    connection.restServing(until: now + .seconds(1_000))
    #expect(connection.servedFrom.map { $0 <= now + .milliseconds(3) } == true)
    connection.endRest(at: now + .milliseconds(3))
    // Until a line of it was served.
    connection.restServing(until: now + .seconds(1_000))
    #expect(connection.servedFrom == nil)
    loud.send(act)
    rig.readLines(of: [1])
    rig.server.serve()
    #expect(rig.host.taps.count == 1)
    connection.restServing(until: now + .seconds(1_000))
    #expect(connection.servedFrom != nil)
  }

  @Test func whatALineHasToldAndNamesNobodyGoesBackToIt() throws {
    // So that what it has told is not told in one.
    let (rig, others, loud) = try rig(telling: 400, by: nil)
    let host = rig.host
    host.onTap = { [unowned host] in
      host.pending += (1...400).map { OutgoingNotification(CueFired(id: $0, cue: "x", skipped: []), tUs: 0) }
    }
    loud.send(act)
    rig.readLines(of: [4])
    rig.server.serve(.zero)
    #expect(rig.server.told.count(of: ClientID(rawValue: 4)) == 400)
    rig.settleTelling()
    #expect(rig.server.told.count(of: ClientID(rawValue: 4)) == 0)
    // More than a socket holds.
    for other in others where other.count < 800 { rig.settle() }
    for other in others { #expect(other.count == 800) }
  }

  /// Twice alike on the stepped clock, whatever it took: all is told at once, and what is counted is charged.
  @Test func onTheSteppedClockNobodyOwesForWhatTookTime() throws {
    let rig = try Rig()
    _ = try subscribers(of: rig)
    tell(400, on: rig, by: cause(1))
    #expect(rig.server.told.isEmpty)
    rig.server.announce()
    #expect(rig.server.tellAndCharge() == .zero && rig.server.told.isEmpty)
  }
}

@Suite struct KnownPeersTests {
  @Test func whoHasGoneIsKnownUntilAThousandMoreHave() {
    var peers = KnownPeers()
    func client(_ number: Int) -> ClientID { ClientID(rawValue: UInt64(number)) }
    for number in 1...5_000 {
      peers.add(client(number), Peer(user: 1, process: Int32(number)))
      peers.leave(client(number))
      #expect(peers[client(number)]?.process == Int32(number))
      if number > 1_024 { #expect(peers[client(number - 1_024)] == nil && peers[client(number - 1_023)] != nil) }
    }
    peers.add(client(9_000), Peer(user: 1, process: 9))
    for number in 5_001...9_000 - 1 {
      peers.add(client(number), Peer(user: 1, process: 1))
      peers.leave(client(number))
    }
    #expect(peers[client(9_000)] != nil)
  }
}

@Suite struct ToldLogTests {
  @Test func itKnowsHowMuchOfEachIsStillToBeTold() {
    var log = ToldLog()
    let told = OutgoingNotification(CueFired(id: 1, cue: "x", skipped: []), tUs: 0)
    let clients = [1, 2, 1].map { ClientID(rawValue: $0) }
    for client in clients {
      log.append(told, at: .zero, by: .init(client: client, peer: Peer(user: 1, process: 1)))
    }
    #expect(log.nextPayer == clients[0])
    log.append(told, at: .zero)
    func counts() -> [Int] { clients.prefix(2).map { log.count(of: $0) } }
    #expect(counts() == [2, 1] && log.count == 4)
    log.forget(before: 1)
    #expect(counts() == [1, 1] && log.count == 3)
    log.forget(before: 2)
    #expect(counts() == [1, 0])
    log.forget(before: 4)
    #expect(counts() == [0, 0] && log.isEmpty && log.end == 4)
  }
}
