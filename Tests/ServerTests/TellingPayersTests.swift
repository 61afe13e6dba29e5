// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing
import Wire

@testable import Server

/// Telling is paid by those whose lines it goes back to.
@Suite struct TellingPayersTests {
  private let subscribe = #"{"id":1,"method":"events.subscribe","params":{"topics":["cue"]}}"# + "\n"
  private let ask = #"{"id":777,"method":"settings.get"}"# + "\n"
  private let ms = Interval.milliseconds(1)

  private func cause(_ client: UInt64, user: UInt32 = 1_000) -> Cause {
    Cause(client: ClientID(rawValue: client), user: user, line: 1)
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

  @Test func eachOwesThePartThatGoesBackToIt() {
    var payers = TellingPayers()
    for client in [1, 1, 2, 1] as [UInt64] { payers.note(cause(client)) }
    for nobody in [nil, Cause.daemon] { payers.note(nobody) }
    let parts = payers.take(.microseconds(600)).map { ($0.payer.client.rawValue, $0.part) }
    #expect(Dictionary(uniqueKeysWithValues: parts) == [1: .microseconds(300), 2: .microseconds(100)])
    #expect(payers.take(ms).isEmpty)
    payers.note(cause(1))
    payers.forget()
    #expect(payers.take(ms).isEmpty)
  }

  /// Two ask alike, and what one asks for has others told.
  @Test func whoHasOthersToldIsServedTheLess() {
    var shares = FairShare()
    for number: UInt64 in 1...2 {
      shares.add(ClientID(rawValue: number), of: Peer(user: 1_000, process: Int32(number)))
    }
    var served = [0, 0]
    for _ in 0..<100 {
      shares.beginTurn()
      while let next = shares.next({ _ in true }) {
        served[Int(next.rawValue) - 1] += 1
        shares.charge(.microseconds(100), to: next)
        guard next.rawValue == 1 else { continue }
        shares.chargeTelling(.microseconds(300), to: .init(client: next, user: 1_000))
        shares.spend(.microseconds(300))
      }
    }
    // 0.4 ms of the one for four times 0.1 of the other.
    #expect((3.9...4.1).contains(Double(served[1]) / Double(served[0])))
  }

  @Test func whatOneWhoHasGoneHasToldItsUserOwes() {
    var shares = FairShare()
    shares.add(ClientID(rawValue: 1), of: Peer(user: 1_000, process: 1))
    shares.add(ClientID(rawValue: 2), of: Peer(user: 1_001, process: 2))
    shares.chargeTelling(.milliseconds(3), to: .init(client: ClientID(rawValue: 9), user: 1_000))
    shares.beginTurn()
    var served: [UInt64] = []
    while let next = shares.next({ _ in true }) {
      served.append(next.rawValue)
      shares.charge(ms, to: next)
    }
    #expect(served == [2, 2, 2, 1])
  }

  /// The lines of the one come behind what it had told; those of the other do not.
  @Test func whoHasMoreToldThanThereIsTimeForWaitsForThatAlone() throws {
    let rig = try Rig(clock: .live)
    let others = try subscribers(of: rig)
    let (loud, quiet) = (try rig.connect(), try rig.connect())
    tell(400, on: rig, by: cause(4))
    // Until one was told who asked to be, for which the loud one owes.
    repeat { rig.server.announce(within: .zero) } while others.allSatisfy { $0.count == 0 }
    loud.send(ask)
    quiet.send(ask)
    rig.readLines(of: [4, 5])
    // One line at least.
    rig.server.serve(.zero)
    #expect(quiet.lines().count == 1)
    #expect(loud.lines().isEmpty && !rig.server.told.isEmpty)
    rig.settleTelling()
    #expect(loud.lines().count == 1 && rig.server.told.isEmpty)
    for other in others { #expect(other.count == 400) }
  }

  @Test func whoHasLittleToldIsServedBeforeMuchOfOthersIsTold() throws {
    let rig = try Rig(clock: .live)
    let others = try subscribers(of: rig)
    let (loud, quiet) = (try rig.connect(), try rig.connect())
    tell(400, on: rig, by: cause(4))
    // Until one was told who asked to be, for which the loud one owes.
    repeat { rig.server.announce(within: .zero) } while others.allSatisfy { $0.count == 0 }
    tell(16, on: rig, by: cause(5))
    rig.server.announce(within: .zero)
    loud.send(ask)
    quiet.send(ask)
    rig.readLines(of: [4, 5])
    rig.server.serve(.zero)
    #expect(quiet.lines().count == 1 && loud.lines().isEmpty)
  }

  @Test func whatALineHasToldAndNamesNobodyGoesBackToIt() throws {
    let rig = try Rig(clock: .live)
    let others = try subscribers(of: rig)
    let loud = try rig.connect()
    let host = rig.host
    host.onTap = { [unowned host] in
      host.pending += (1...400).map { OutgoingNotification(CueFired(id: $0, cue: "x", skipped: []), tUs: 0) }
    }
    // So that what it has told is not told in one.
    tell(400, on: rig, by: nil)
    rig.server.announce(within: .zero)
    loud.send(#"{"id":1,"method":"rhythm.stop"}"# + "\n")
    rig.readLines(of: [4])
    rig.server.serve(.zero)
    #expect(rig.server.told.count(of: ClientID(rawValue: 4)) == 400)
    rig.settleTelling()
    #expect(rig.server.told.count(of: ClientID(rawValue: 4)) == 0)
    // More than a socket holds.
    for other in others where other.count < 800 { rig.settle() }
    for other in others { #expect(other.count == 800) }
  }
}

@Suite struct ToldLogTests {
  @Test func itKnowsHowMuchOfEachIsStillToBeTold() {
    var log = ToldLog()
    let told = OutgoingNotification(CueFired(id: 1, cue: "x", skipped: []), tUs: 0)
    let clients = [1, 2, 1].map { ClientID(rawValue: $0) }
    for client in clients { log.append(told, at: .zero, by: Cause(client: client)) }
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
