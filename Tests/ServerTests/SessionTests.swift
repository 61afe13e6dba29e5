// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing
import Wire

@testable import Server

@Suite struct SessionTests {
  private func beat(_ number: Int, tUs: Int64, sendAtUs: Int64? = nil) -> OutgoingNotification {
    OutgoingNotification(RhythmBeat(beat: number, lane: nil), tUs: tUs, sendAtUs: sendAtUs)
  }

  private func told(_ method: String, _ seq: Int, _ tUs: Int, _ rest: String) -> String {
    #"{"jsonrpc":"2.0","method":"\#(method)","params":{"seq":\#(seq),"tUs":\#(tUs),\#(rest)}}"#
  }

  @Test func helloTellsOneServerFromTheNext() throws {
    func instance(_ rig: Rig) throws -> String {
      let reply = rig.exchange(try rig.connect(), #"{"id":1,"method":"session.hello"}"# + "\n").first ?? ""
      return String(try #require(reply.firstMatch(of: /"instanceId":"([0-9a-f]+)"/)).1)
    }
    let (rig, next) = (try Rig(), try Rig())
    #expect(try instance(rig) == instance(rig))
    #expect(try instance(rig) != instance(next))
  }

  @Test func helloTellsProtocolClockAndLimits() throws {
    let rig = try Rig()
    let client = try rig.connect()
    rig.host.steppedNow = Instant(microseconds: 12)
    let lines = rig.exchange(
      client, #"{"id":1,"method":"session.hello","params":{"protocol":1,"client":"test"}}"# + "\n")
    #expect(lines.count == 1)
    let reply = try #require(lines.first)
    #expect(reply.contains(#""protocol":1"#))
    #expect(reply.contains(#""clock":"stepped""#))
    #expect(reply.contains(#""nowUs":12"#))
    #expect(reply.contains(#""capabilities":["clock.step"]"#))
    #expect(
      reply.contains(
        #""limits":{"clients":64,"clientsOfAUser":48,"clientsReserved":4,"depth":32,"earlierGenerations":16,"earlierGenerationsOfAClient":4,"earlierGenerationsOfAUser":12,"futureToleranceUs":2000,"graceUs":50000,"hapticChangesOfAClient":512,"hapticChangesOfAUser":1024,"hapticChangesOfAll":2048,"hapticPlayers":48,"hapticPlayersOfAClient":16,"hapticPlayersOfAUser":32,"hapticPlayersReserved":4,"laterPlansOfAClient":8,"lineBytes":262144,"musicChangesOfAClient":4,"musicChangesShared":256,"nameBytes":128,"ownHapticPlayersOfAClient":1,"plansOfAClient":1024,"plansOfAUser":2048,"plansOfAll":8192,"plansReserved":1024,"queuedBytes":262144,"queuedBytesAtOnce":2097152,"readWithinUs":200000,"requestBytes":16384,"soundStepsOfAClient":4,"soundStepsShared":384,"soundStopsOfAClient":2,"soundsOfAClient":1024,"textBytes":1024,"urgentHapticChangesOfAClient":32,"urgentPlansOfAClient":64,"voicePlacesOfAClient":4,"voices":64}"#
      ))
  }

  @Test func anotherProtocolIsRefused() throws {
    let rig = try Rig()
    let lines = rig.exchange(try rig.connect(), #"{"id":1,"method":"session.hello","params":{"protocol":2}}"# + "\n")
    #expect(lines.count == 1)
    #expect(lines.first?.contains(#""kind":"unsupportedProtocol""#) == true)
    #expect(lines.first?.contains("send protocol 1, or leave it out") == true)
  }

  /// The server's own methods know few words, and what is sent in place of one comes back cut.
  @Test(arguments: [
    ("session.hello", #""client":"test","NAME":1"#), ("events.subscribe", #""topics":["beats","NAME"]"#),
    ("events.unsubscribe", #""topics":["NAME"]"#),
  ]) func noMessageHoldsMoreThan64BytesOfWhatWasSent(method: String, params: String) throws {
    let rig = try Rig()
    let sent = params.replacing("NAME", with: String(repeating: "q", count: 128))
    let lines = rig.exchange(try rig.connect(), #"{"id":1,"method":"\#(method)","params":{\#(sent)}}"# + "\n")
    let reply = try #require(lines.first)
    #expect(lines.count == 1 && reply.contains(#""kind":"invalidParams""#), "\(reply)")
    #expect(reply.contains("qqqq") && !reply.contains(String(repeating: "q", count: 65)), "\(reply)")
  }

  @Test func nothingIsPushedUnasked() throws {
    let rig = try Rig()
    let client = try rig.connect()
    rig.host.pending = [beat(1, tUs: 1)]
    rig.settle()
    #expect(client.lines() == [])
  }

  @Test func subscribingGivesASnapshotAndThenWhatHappens() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let subscribed = rig.exchange(
      client, #"{"id":1,"method":"events.subscribe","params":{"topics":["rhythm"]}}"# + "\n")
    #expect(subscribed.count == 1)
    #expect(subscribed.first?.contains(#""snapshot":{"audio":"#) == true)
    #expect(subscribed.first?.contains(#""topics":["rhythm"]"#) == true)
    rig.host.pending = [
      beat(1, tUs: 5),
      OutgoingNotification(CueFired(id: 1, cue: "x", skipped: []), tUs: 6),
      beat(2, tUs: 7),
    ]
    rig.settle()
    #expect(
      client.lines() == [
        told("rhythm.beat", 1, 5, #""beat":1,"run":1"#), told("rhythm.beat", 2, 7, #""beat":2,"run":1"#),
      ])
  }

  @Test func whatHappenedBeforeTheSnapshotIsNotTold() throws {
    let rig = try Rig()
    let client = try rig.connect()
    rig.host.pending = [beat(1, tUs: 5)]
    #expect(rig.exchange(client, #"{"id":1,"method":"events.subscribe"}"# + "\n").count == 1)
  }

  @Test func topicsAddUpAndAreTakenAway() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let all = rig.exchange(
      client,
      #"{"id":1,"method":"events.subscribe","params":{"topics":["rhythm"]}}"# + "\n"
        + #"{"id":2,"method":"events.subscribe","params":{"topics":["cue","rhythm"]}}"# + "\n"
        + #"{"id":3,"method":"events.unsubscribe","params":{"topics":["rhythm","music"]}}"# + "\n"
        + #"{"id":4,"method":"events.unsubscribe"}"# + "\n")
    #expect(all.count == 4)
    #expect(all[1].contains(#""topics":["rhythm","cue"]"#))
    #expect(all[2] == #"{"jsonrpc":"2.0","id":3,"result":{"topics":["cue"]}}"#)
    #expect(all[3] == #"{"jsonrpc":"2.0","id":4,"result":{"topics":[]}}"#)
    rig.host.pending = [beat(1, tUs: 1)]
    rig.settle()
    #expect(client.lines() == [])
  }

  @Test func eachClientCountsItsOwnNotifications() throws {
    let rig = try Rig()
    let first = try rig.connect()
    let second = try rig.connect()
    _ = rig.exchange(first, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    rig.host.pending = [beat(1, tUs: 5)]
    rig.settle()
    _ = rig.exchange(second, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    rig.host.pending = [beat(2, tUs: 6)]
    rig.settle()
    #expect(
      first.lines() == [
        told("rhythm.beat", 1, 5, #""beat":1,"run":1"#), told("rhythm.beat", 2, 6, #""beat":2,"run":1"#),
      ])
    #expect(second.lines() == [told("rhythm.beat", 1, 6, #""beat":2,"run":1"#)])
  }

  @Test func aStepTellsEverythingBeforeItsReply() throws {
    let rig = try Rig()
    let client = try rig.connect()
    _ = rig.exchange(client, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    rig.host.onStep = [beat(1, tUs: 5, sendAtUs: 5), beat(2, tUs: 9), beat(3, tUs: 10, sendAtUs: 10)]
    #expect(
      rig.exchange(client, #"{"id":2,"method":"clock.step","params":{"toUs":10}}"# + "\n")
        == [
          told("rhythm.beat", 1, 5, #""beat":1,"run":1"#), told("rhythm.beat", 2, 9, #""beat":2,"run":1"#),
          told("rhythm.beat", 3, 10, #""beat":3,"run":1"#), #"{"jsonrpc":"2.0","id":2,"result":{"nowUs":10}}"#,
        ])
  }

  @Test func onTheSteppedClockWhatIsNotDueWaitsForItsStep() throws {
    let rig = try Rig()
    let client = try rig.connect()
    _ = rig.exchange(client, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    rig.host.pending = [beat(2, tUs: 20, sendAtUs: 20), beat(1, tUs: 11, sendAtUs: 11)]
    rig.settle()
    #expect(client.lines() == [])
    let stepped = rig.exchange(client, #"{"id":2,"method":"clock.step","params":{"toUs":19}}"# + "\n")
    #expect(stepped.first == told("rhythm.beat", 1, 11, #""beat":1,"run":1"#))
    #expect(stepped.count == 2)
    let again = rig.exchange(client, #"{"id":3,"method":"clock.step","params":{"toUs":20}}"# + "\n")
    #expect(again.first == told("rhythm.beat", 2, 20, #""beat":2,"run":1"#))
  }

  @Test func onTheLiveClockTheBeatsThreadSendsWhatIsDueAtItsInstant() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    _ = rig.exchange(client, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    let soon = rig.host.now.microseconds + 2_000
    rig.host.pending = [beat(1, tUs: soon, sendAtUs: soon)]
    rig.settle()
    // Control does nothing more: the line comes from the other thread.
    client.waitUntilReadable()
    #expect(rig.host.now.microseconds >= soon)
    #expect(client.lines() == [told("rhythm.beat", 1, Int(soon), #""beat":1,"run":1"#)])
  }

  @Test func anUnknownMethodComesWithTheNearest() throws {
    let rig = try Rig()
    let lines = rig.exchange(try rig.connect(), #"{"id":1,"method":"setings.get"}"# + "\n")
    #expect(lines.first?.contains(#"no method \"setings.get\"; did you mean settings.get?"#) == true)
  }

  @Test func discoveryDescribesWhatIsAnsweredHere() throws {
    let rig = try Rig()
    let lines = rig.exchange(try rig.connect(), #"{"id":1,"method":"rpc.discover"}"# + "\n")
    let document = try #require(lines.first)
    for name in ["rpc.discover", "session.hello", "events.subscribe", "clock.step", "rhythm.stop"] {
      #expect(document.contains(#""name":"\#(name)""#))
    }
    #expect(!document.contains(#""name":"music.play""#))
  }
}
