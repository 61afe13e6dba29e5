// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Testing
import Timing
import Wire

@testable import Server

@Suite struct DepartureTests {
  private let ask = #"{"id":1,"method":"settings.get"}"# + "\n"
  private let act = #"{"method":"rhythm.stop"}"# + "\n"

  /// Sends as much of `line`, again and again, as goes while nothing is read; how many whole lines those were.
  private func flood(_ rig: Rig, _ client: TestClient, _ line: String) -> Int {
    let lines = Array(String(repeating: line, count: 1_000).utf8)
    var sent = 0
    while case let count = client.send(Array(lines[(sent % lines.count)...])), count > 0 {
      sent += count
      rig.settle(rounds: 1)
    }
    return sent / line.utf8.count
  }

  @Test func aClientThatIsGoneIsServedNoMoreThanItsLastTurn() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let asked = flood(rig, client, act)
    #expect(asked > 5_000)
    let done = rig.host.taps.count
    client.leave()
    rig.settle(rounds: 10)
    #expect(rig.host.left == [ClientID(rawValue: 1)])
    #expect(rig.host.clientCount == 0)
    // 4 ms at 10,500 ns a line.
    #expect((1...400).contains(rig.host.taps.count - done))
  }

  @Test func aCrowdThatIsGoneDelaysNobodyForLong() throws {
    let rig = try Rig()
    let stays = try rig.connect()
    var crowd: [TestClient] = []
    for _ in 0..<20 { crowd.append(try rig.connect()) }
    for client in crowd { _ = flood(rig, client, ask) }
    for client in crowd { client.leave() }
    // All that they may still cost is 20 turns.
    rig.settle(rounds: 25)
    #expect(rig.host.clientCount == 1)
    #expect(rig.exchange(stays, ask).count == 1)
  }

  /// Each that comes, or goes, is counted as 50 us, and a millisecond of either is a turn's.
  @Test func aCrowdThatComesAndGoesAtOnceDoesSoTurnByTurn() throws {
    let rig = try Rig()
    let crowd = try (0..<45).map { _ in try #require(TestClient(path: rig.path)) }
    let here = (0..<3).map { _ in
      rig.settle(rounds: 1)
      return rig.host.clientCount
    }
    #expect(here == [20, 40, 45])
    for client in crowd { client.leave() }
    let gone = (0..<4).map { _ in
      rig.settle(rounds: 1)
      return rig.host.left.count
    }
    // Seen to be gone in one turn, and parted with in the next.
    #expect(gone == [0, 20, 40, 45])
    #expect(rig.host.clientCount == 0)
  }

  /// Twenty clients that come in a turn leave room for 3 ms of lines.
  @Test func whoComesIsPartOfWhatATurnMayCost() throws {
    let rig = try Rig()
    let client = try rig.connect()
    client.send(String(repeating: act, count: 800))
    rig.settle(rounds: 1)
    // 4 ms at 10,480 ns a line.
    #expect(rig.host.taps.count == 382)
    let crowd = try (0..<20).map { _ in try #require(TestClient(path: rig.path)) }
    rig.settle(rounds: 1)
    #expect(rig.host.taps.count == 382 + 287)
    #expect(crowd.count == 20)
  }

  @Test func whoHasGoneBeforeItIsLetInIsServedWhatItAskedForAndElseClosedAtTheDoor() throws {
    let rig = try Rig()
    for text in ["", act, ""] {
      let client = try #require(TestClient(path: rig.path))
      client.send(text)
      client.leave()
    }
    rig.settle()
    #expect(rig.host.taps.count == 1)
    // One came and left; of the others nobody was told.
    #expect(rig.server.lastClient == 1 && rig.host.left == [ClientID(rawValue: 1)])
    #expect(rig.server.connections.isEmpty)
  }

  @Test func whoIsGoneKeepsNoPlaceFromWhoComes() throws {
    let rig = try Rig { $0.limits.clients = 2 }
    let crowd = [try rig.connect(), try rig.connect()]
    for client in crowd { _ = flood(rig, client, act) }
    for client in crowd { client.leave() }
    let first = try #require(TestClient(path: rig.path))
    let second = try #require(TestClient(path: rig.path))
    // Before control has looked at those who are gone.
    rig.server.acceptClients()
    for client in [first, second] {
      let answers = rig.exchange(client, ask)
      #expect(answers.count == 1 && answers[0].contains("result"))
    }
    #expect(rig.server.connections.count == 2)
    let third = try rig.connect()
    #expect(third.lines().first?.contains(#""kind":"tooManyClients""#) == true)
  }

  @Test func whoIsHereKeepsItsPlaceWithItsWritingSideShut() throws {
    let rig = try Rig { $0.limits.clients = 1 }
    let client = try rig.connect()
    // Waits for what it asked: it reads nothing yet.
    let asked = flood(rig, client, ask)
    client.stopSending()
    rig.settle(rounds: 20)
    #expect(try rig.connect().lines().first?.contains(#""kind":"tooManyClients""#) == true)
    var answers = 0
    for _ in 0..<10_000 where !client.isClosed {
      answers += client.lines().count
      rig.settle(rounds: 1)
    }
    #expect(answers >= asked)
    #expect(rig.host.left == [ClientID(rawValue: 1)])
  }

  @Test func oneLineOfTheGreatestLengthIsServedAlthoughItsClientIsGone() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let padding = String(repeating: " ", count: 150_000)
    client.send(#"{"method":"settings.get"}"# + padding + "\n" + act)
    client.leave()
    rig.settle(rounds: 10)
    #expect(rig.host.taps.count == 1)
    #expect(rig.host.left == [ClientID(rawValue: 1)])
  }

  @Test func whoShutsItsReadingSideOnlyIsServedOn() throws {
    let rig = try Rig()
    let client = try rig.connect()
    shutdown(client.descriptor, Int32(SHUT_RD))
    for _ in 0..<20 {
      client.send(ask + String(repeating: act, count: 100))
      rig.settle(rounds: 4)
    }
    #expect(rig.host.taps.count == 2_000)
    #expect(rig.host.left.isEmpty)
  }
}
