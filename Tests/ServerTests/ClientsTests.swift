// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Testing
import Timing
import Wire

@testable import Server

@Suite struct ClientsTests {
  private let ask = #"{"id":1,"method":"settings.get"}"# + "\n"
  private let settings =
    #"{"jsonrpc":"2.0","id":1,"result":{"haptics":true,"hapticsVolume":1,"judgingOffsetUs":0,"masterVolume":1,"music":true,"musicVolume":1,"profile":"player","profiles":[],"sound":true,"soundVolume":1,"voiceVolume":1}}"#

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let rig = try Rig()
    let requests = (1...100).map { #"{"id":\#($0),"method":"settings.get"}"# + "\n" }.joined()
    let lines = rig.exchange(try rig.connect(), requests)
    #expect(
      lines
        == (1...100).map {
          #"{"jsonrpc":"2.0","id":\#($0),"result":{"haptics":true,"hapticsVolume":1,"judgingOffsetUs":0,"masterVolume":1,"music":true,"musicVolume":1,"profile":"player","profiles":[],"sound":true,"soundVolume":1,"voiceVolume":1}}"#
        })
  }

  @Test func aMalformedLineHurtsNeitherItsSenderNorOthers() throws {
    let rig = try Rig()
    let rude = try rig.connect()
    let polite = try rig.connect()
    let answers = rig.exchange(rude, "nonsense\n" + ask)
    #expect(answers.count == 2)
    #expect(answers.first?.contains(#""kind":"parse""#) == true)
    #expect(answers.last == settings)
    #expect(rig.exchange(polite, ask) == [settings])
  }

  @Test func aLineTooLongIsRefusedOnceAndTheNextIsAnswered() throws {
    let rig = try Rig { $0.limits.lineBytes = 1_000 }
    let client = try rig.connect()
    let answers = rig.exchange(client, String(repeating: "x", count: 5_000) + "\n" + ask)
    #expect(answers.count == 2)
    #expect(answers.first?.contains(#""kind":"lineTooLong""#) == true)
    #expect(answers.last == settings)
  }

  @Test func oneClientTooManyIsToldAndClosed() throws {
    let rig = try Rig { $0.limits.clients = 2 }
    let clients = [try rig.connect(), try rig.connect()]
    let late = try rig.connect()
    #expect(late.lines().first?.contains(#""kind":"tooManyClients""#) == true)
    #expect(late.isClosed)
    #expect(rig.host.clientCount == 2)
    for client in clients { #expect(rig.exchange(client, ask) == [settings]) }
  }

  @Test func aClientThatLeavesMakesRoom() throws {
    let rig = try Rig { $0.limits.clients = 1 }
    do { _ = try rig.connect() }
    rig.settle()
    #expect(rig.host.left == [ClientID(rawValue: 1)])
    #expect(rig.host.clientCount == 0)
    #expect(rig.exchange(try rig.connect(), ask) == [settings])
  }

  @Test func whatALeavingClientSetsOffIsToldInTheSameRound() throws {
    let rig = try Rig()
    let stays = try rig.connect()
    _ = rig.exchange(stays, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    let leaves = try rig.connect()
    leaves.stopSending()
    rig.settle(rounds: 1)
    #expect(stays.lines() == [])
    rig.settle(rounds: 1)
    #expect(stays.lines().first?.contains(#""change":"stopped","player":2,"reason":"disconnected"#) == true)
  }

  @Test func aClientThatStopsSendingIsAnsweredBeforeItIsClosed() throws {
    let rig = try Rig()
    let client = try rig.connect()
    client.send(ask)
    client.stopSending()
    rig.settle()
    #expect(client.lines() == [settings])
    #expect(client.isClosed)
    #expect(rig.host.left == [ClientID(rawValue: 1)])
  }

  @Test func whatAClientAskedBeforeItVanishedIsDone() throws {
    let rig = try Rig()
    do {
      let client = try rig.connect()
      client.send(String(repeating: #"{"method":"rhythm.stop"}"# + "\n", count: 100))
    }
    rig.settle()
    #expect(rig.host.taps.count == 100)
    #expect(rig.host.left == [ClientID(rawValue: 1)])
  }

  @Test func requestsCarryTheirClientAndTheInstantTheyCame() throws {
    let rig = try Rig()
    _ = try rig.connect()
    let client = try rig.connect()
    rig.host.steppedNow = Instant(microseconds: 77)
    _ = rig.exchange(client, #"{"id":1,"method":"rhythm.stop"}"# + "\n")
    #expect(rig.host.taps.count == 1)
    #expect(rig.host.taps.first?.cause.client == ClientID(rawValue: 2))
    #expect(rig.host.taps.first?.arrival == Instant(microseconds: 77))
  }

  @Test func aTapIsStampedWhenItCameWhateverAnotherAskedBeforeIt() throws {
    for isFirst in [true, false] {
      let rig = try Rig()
      let clients = [try rig.connect(), try rig.connect()]
      let (stepping, tapping) = isFirst ? (clients[0], clients[1]) : (clients[1], clients[0])
      rig.host.steppedNow = Instant(microseconds: 5)
      // Serving it takes all the time there is.
      stepping.send(#"{"id":1,"method":"clock.step","params":{"toUs":1000000}}"# + "\n")
      tapping.send(#"{"id":1,"method":"rhythm.stop"}"# + "\n")
      rig.settle()
      #expect(rig.host.taps.map(\.arrival) == [Instant(microseconds: 5)])
    }
  }

  @Test func aTapIsStampedWhenItCameAlsoBehindItsOwnClientsLines() throws {
    let rig = try Rig()
    let client = try rig.connect()
    client.send(String(repeating: ask, count: 1_500))
    rig.settle(rounds: 1)
    rig.host.steppedNow = Instant(microseconds: 9)
    client.send(#"{"id":1,"method":"rhythm.stop"}"# + "\n")
    rig.settle(rounds: 1)
    rig.host.steppedNow = Instant(microseconds: 1_000)
    for _ in 0..<100 where rig.host.taps.isEmpty {
      _ = client.lines()
      rig.settle()
    }
    #expect(rig.host.taps.map(\.arrival) == [Instant(microseconds: 9)])
    #expect(rig.host.taps.map(\.cause.line) == [1_501])
  }

  @Test func linesAreNumberedForEachClientWhateverTheyHold() throws {
    let rig = try Rig { $0.limits.lineBytes = 100 }
    let tap = #"{"method":"rhythm.stop"}"# + "\n"
    let clients = [try rig.connect(), try rig.connect()]
    _ = rig.exchange(clients[0], tap + "nonsense\n" + "\n" + String(repeating: "x", count: 200) + "\n" + tap)
    _ = rig.exchange(clients[1], tap)
    #expect(rig.host.taps.map(\.cause.line) == [1, 5, 1])
    #expect(rig.host.taps.map(\.cause.client.rawValue) == [1, 1, 2])
    #expect(rig.host.taps.allSatisfy { $0.cause.user == geteuid() })
  }

  @Test func theEngineGoesOnBetweenTheTurnsOfAFlood() throws {
    let rig = try Rig()
    let client = try rig.connect()
    client.send(String(repeating: ask, count: 1_000))
    let before = rig.host.runs
    var answered = 0
    for _ in 0..<1_000 where answered < 1_000 {
      rig.settle(rounds: 1)
      answered += client.lines().count
      #expect(answered <= 400 * (rig.host.runs - before))
    }
    #expect(answered == 1_000)
  }

  @Test func aClientThatAsksWithoutReadingIsPausedAndLosesNothing() throws {
    let rig = try Rig()
    let client = try rig.connect()
    var unsent = Array((1...10_000).map { #"{"id":\#($0),"method":"settings.get"}"# + "\n" }.joined().utf8)[...]
    // As much as goes while nothing is read: the server stops reading too.
    while case let count = client.send(Array(unsent.prefix(65_536))), count > 0 {
      unsent = unsent.dropFirst(count)
      rig.settle()
    }
    #expect(!unsent.isEmpty)
    let queued = try #require(rig.server.connections.values.first).channel.standing.queuedBytes
    #expect(queued > 0 && queued < 70_000)
    var lines: [String] = []
    for _ in 0..<10_000 where lines.count < 10_000 {
      lines += client.lines()
      if !unsent.isEmpty { unsent = unsent.dropFirst(client.send(Array(unsent.prefix(65_536)))) }
      rig.settle(rounds: 1)
    }
    #expect(!client.isClosed)
    #expect(lines.count == 10_000)
    #expect(
      lines.last
        == #"{"jsonrpc":"2.0","id":10000,"result":{"haptics":true,"hapticsVolume":1,"judgingOffsetUs":0,"masterVolume":1,"music":true,"musicVolume":1,"profile":"player","profiles":[],"sound":true,"soundVolume":1,"voiceVolume":1}}"#
    )
  }

  @Test func aFloodingClientDoesNotStarveAnother() throws {
    let rig = try Rig()
    let flood = try rig.connect()
    let quiet = try rig.connect()
    flood.send(String(repeating: ask, count: 1_000))
    quiet.send(ask)
    rig.settle(rounds: 1)
    #expect(quiet.lines() == [settings])
    #expect(flood.lines().count < 1_000)
    rig.settle(rounds: 40)
    #expect(flood.lines().count > 0)
  }
}
