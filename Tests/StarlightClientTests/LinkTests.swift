// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import StarlightClient

@Suite struct LinkTests {
  private let closed = ClientError(.closed, "gone")
  private let second: Int64 = 1_000_000_000

  private func listener(_ topics: Set<Topic> = [], _ link: inout Link, capacity: Int = 100) -> EventBuffer {
    let buffer = EventBuffer(topics: topics, capacity: capacity)
    link.join(buffer)
    return buffer
  }

  // MARK: - Connecting

  @Test func aConnectionIsSetUpWithoutWaitingBetweenTheRequests() throws {
    var link = Link(name: "game", pack: "lighthouse")
    let buffer = listener([.rhythm], &link)
    link.connected(0)
    #expect(
      link.lines() == [
        #"{"jsonrpc":"2.0","id":1,"method":"session.hello","params":{"client":"game","protocol":1}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"session.use","params":{"pack":"lighthouse"}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"events.subscribe","params":{"topics":["packs","rhythm"]}}"#,
      ])
    try link.answer(1, Replies.hello())
    try link.answer(2, SessionUse.Result(pack: "lighthouse"))
    #expect(buffer.takeAll().isEmpty)
    try link.answer(3, EventsSubscribe.Result(topics: [.rhythm], snapshot: Replies.status()))
    #expect(names(buffer.takeAll()) == ["connected first"])
    #expect(link.session?.pack == "lighthouse")
    #expect(link.lines().isEmpty)
  }

  @Test func untilItIsSetUpNothingIsSent() throws {
    var link = Link(name: "game", pack: nil)
    var kinds: [ClientError.Kind] = []
    func ask() throws {
      do throws(ClientError) {
        _ = try link.ask(method: "cue.fire", params: Array("{}".utf8), .refusal(method: "cue.fire"))
      } catch {
        kinds.append(error.kind)
      }
    }
    try ask()
    link.connected(0)
    try ask()
    #expect(kinds == [.notConnected, .notConnected])
    #expect(link.lines().count == 3)
  }

  @Test func whatKeepsItFromBeingSetUpIsTheReason() throws {
    var link = Link(name: "game", pack: "lighthose")
    let buffer = listener([], &link)
    link.connected(0)
    try link.answer(1, Replies.hello())
    let refusal = RPCError(.unknownName, "no pack lighthose", hint: "there is lighthouse")
    let error = #expect(throws: ClientError.self) { try link.answered(2, .failure(refusal), 0) }
    _ = link.disconnected(try #require(error), 0)
    guard case .disconnected(let told)? = buffer.takeAll().first else { return #expect(Bool(false)) }
    #expect(told.message == "no pack lighthose (there is lighthouse)")
    // Whoever sends meanwhile is told the same.
    let unsent = #expect(throws: ClientError.self) {
      try link.ask(method: "cue.fire", params: Array("{}".utf8), .refusal(method: "cue.fire"))
    }
    #expect(unsent?.kind == .notConnected)
    #expect(unsent?.message == "cue.fire is not sent: no pack lighthose (there is lighthouse)")
  }

  @Test func aDaemonThatDoesNotAnswerIsGivenUp() throws {
    var link = Link(name: "game", pack: nil)
    link.connected(7)
    #expect(link.nextNs == 7 + 5 * second)
    #expect(try link.passed(6 + 5 * second).isEmpty)
    let error = #expect(throws: ClientError.self) { try link.passed(7 + 5 * second) }
    #expect(error?.kind == .timedOut)
  }

  // MARK: - Coming back

  @Test func itLooksAgainAfterFiftyMillisecondsAndTwiceAsLongEachTimeToTwoSeconds() throws {
    var link = Link(name: "game", pack: nil)
    var waits: [Int64] = []
    for _ in 0..<8 {
      _ = link.disconnected(ClientError(.refused, "nobody"), 0)
      waits.append(try #require(link.nextNs) / 1_000_000)
    }
    #expect(waits == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000])
    try link.begin()
    _ = link.disconnected(closed, second)
    #expect(link.nextNs == second + 50_000_000)
  }

  @Test func aConnectionThatIsNotSetUpDoesNotShortenTheWait() throws {
    var link = Link(name: "game", pack: nil)
    for wait: Int64 in [50, 100, 200] {
      link.connected(0)
      _ = link.disconnected(closed, 0)
      #expect(link.nextNs == wait * 1_000_000)
    }
  }

  @Test func absenceIsToldOnceForEachReason() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([], &link)
    for _ in 0..<3 { _ = link.disconnected(ClientError(.notFound(["/a"]), "none"), 0) }
    #expect(names(buffer.takeAll()) == [#"disconnected notFound(["/a"])"#])
    try link.begin()
    _ = link.disconnected(closed, 0)
    for _ in 0..<3 { _ = link.disconnected(ClientError(.refused, "nobody"), 0) }
    #expect(names(buffer.takeAll()) == ["connected first", "disconnected closed", "disconnected refused"])
  }

  @Test func itTellsWhetherItIsTheSameDaemon() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([], &link)
    for (times, instance) in ["a", "a", "b", "a"].enumerated() {
      try link.begin(after: Int64(times * 3), hello: Replies.hello(instanceId: instance))
      _ = link.disconnected(closed, 0)
    }
    #expect(
      names(buffer.takeAll()).filter { $0.hasPrefix("connected") } == [
        "connected first", "connected sameDaemon", "connected newDaemon", "connected newDaemon",
      ])
  }

  @Test func packAndSubscriptionsAreAskedForAnew() throws {
    var link = Link(name: "game", pack: "lighthouse")
    let buffer = listener([.music], &link)
    try link.begin(topics: [.music])
    _ = link.disconnected(closed, 0)
    link.connected(0)
    #expect(
      link.lines().dropFirst() == [
        #"{"jsonrpc":"2.0","id":5,"method":"session.use","params":{"pack":"lighthouse"}}"#,
        #"{"jsonrpc":"2.0","id":6,"method":"events.subscribe","params":{"topics":["music","packs"]}}"#,
      ])
    withExtendedLifetime(buffer) {}
  }

  // MARK: - Asking

  @Test func whatWasSentAndNotAnsweredIsRefusedInItsOrderBeforeTheEndIsTold() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([], &link)
    try link.begin()
    for method in ["cue.fire", "rhythm.tap", "sound.play"] {
      _ = try link.ask(method: method, params: Array("{}".utf8), .refusal(method: method))
    }
    try link.answer(5, Empty())
    _ = link.disconnected(closed, 0)
    #expect(
      names(buffer.takeAll()) == [
        "connected first", "refused 4 cue.fire", "refused 6 sound.play", "disconnected closed",
      ])
  }

  @Test func anAnswerThatAFrameAskedForComesInItsPlaceAmongWhatIsTold() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([.rhythm], &link)
    try link.begin(topics: [.rhythm])
    let ticket = try link.ask(method: "cue.stop", params: Array("{}".utf8), .readers(method: "cue.stop"))
    let refused = try link.ask(method: "rhythm.tap", params: Array("{}".utf8), .readers(method: "rhythm.tap"))
    _ = try link.answered(
      ticket, .success(Array(#"{"calledOff":["a"],"stopped":[],"tooLate":[]}"#.utf8)), 0)
    link.told(.rhythmAssist(RhythmAssist(windowUs: 1)), .rhythm, tUs: 0)
    _ = try link.answered(refused, .failure(RPCError(.tooLate, "late")), 0)
    let events = buffer.takeAll()
    #expect(
      names(events) == [
        "connected first", "answered \(ticket) cue.stop", "told", "refused \(refused) rhythm.tap",
      ])
    guard case .answered(let answer) = events[1] else { return #expect(Bool(false)) }
    #expect(try answer.result(of: CueStop.self) == CueStop.Result(calledOff: ["a"], stopped: [], tooLate: []))
    #expect(try answer.result(of: CueFire.self) == nil)
  }

  @Test func whatAFrameAskedAndTheConnectionTookAlongIsRefused() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([], &link)
    try link.begin()
    let ticket = try link.ask(method: "cue.fire", params: Array("{}".utf8), .readers(method: "cue.fire"))
    #expect(link.openRequests == 1)
    _ = link.disconnected(closed, 0)
    #expect(names(buffer.takeAll()) == ["connected first", "refused \(ticket) cue.fire", "disconnected closed"])
  }

  @Test func aRefusalOfWhatWasSentIsToldWithItsTicketAndRemedy() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([], &link)
    try link.begin()
    let ticket = try link.ask(method: "cue.fire", params: Array("{}".utf8), .refusal(method: "cue.fire"))
    _ = try link.answered(ticket, .failure(RPCError(.unknownName, "no cue", hint: "pack.list")), 0)
    guard case .refused(let refusal)? = buffer.takeAll().last else { return #expect(Bool(false)) }
    #expect(
      refusal
        == Refusal(
          ticket: ticket, method: "cue.fire", error: ClientError(RPCError(.unknownName, "no cue", hint: "pack.list"))))
  }

  @Test func theOutboxHoldsSoManyBytesAndNoMore() throws {
    var link = Link(name: "game", pack: nil)
    try link.begin()
    // Nothing is written until it is said to be.
    let params = Array("{\"x\":\"\(String(repeating: "x", count: 60_000))\"}".utf8)
    var taken = 0
    let error = #expect(throws: ClientError.self) {
      while true {
        _ = try link.ask(method: "a.b", params: params, .refusal(method: "a.b"))
        taken += 1
      }
    }
    #expect(error?.kind == .outboxFull)
    #expect(taken == 4)
    let bytes = link.takeOutbox().reduce(0) { $0 + $1.line.count + 1 }
    #expect(bytes <= Link.outboxBytes)
    #expect(throws: ClientError.self) { try link.ask(method: "a.b", params: params, .refusal(method: "a.b")) }
    link.wrote(bytes)
    _ = try link.ask(method: "a.b", params: params, .refusal(method: "a.b"))
  }

  @Test func soManyRequestsMayWaitForAnswersAndNoMore() throws {
    var link = Link(name: "game", pack: nil)
    try link.begin()
    for _ in 0..<Link.openRequests {
      _ = try link.ask(method: "a.b", params: Array("{}".utf8), .refusal(method: "a.b"))
      link.wrote(link.takeOutbox().reduce(0) { $0 + $1.line.count + 1 })
    }
    let error = #expect(throws: ClientError.self) {
      try link.ask(method: "a.b", params: Array("{}".utf8), .refusal(method: "a.b"))
    }
    #expect(error?.kind == .outboxFull)
    try link.answer(4, Empty())
    _ = try link.ask(method: "a.b", params: Array("{}".utf8), .refusal(method: "a.b"))
  }

  @Test func aTaskIsWokenAtItsDeadlineAndItsLateAnswerIsPassedOver() async throws {
    let result = await withCheckedContinuation { continuation in
      var link = Link(name: "game", pack: nil)
      do {
        try link.begin()
        let id = try link.ask(
          method: "a.b", params: Array("{}".utf8), .answer(continuation, method: "a.b", deadlineNs: 9))
        _ = try link.passed(0)
        #expect(link.nextNs == 9)
        #expect(try link.passed(8).isEmpty)
        let overdue = try link.passed(9)
        #expect(overdue.count == 1)
        try link.answer(id, Empty())
        for task in overdue { task.resume(returning: .failure(ClientError(.timedOut, ""))) }
      } catch {
        Issue.record(error)
      }
    }
    #expect(throws: ClientError.self) { try result.get() }
  }

  // MARK: - Listening

  @Test func theDaemonIsAskedForWhatAnybodyListensTo() throws {
    var link = Link(name: "game", pack: nil)
    try link.begin()
    let rhythm = listener([.rhythm], &link)
    let both = listener([.rhythm, .music], &link)
    #expect(
      link.lines() == [
        #"{"jsonrpc":"2.0","id":4,"method":"events.subscribe","params":{"topics":["rhythm"]}}"#,
        #"{"jsonrpc":"2.0","id":5,"method":"events.subscribe","params":{"topics":["music"]}}"#,
      ])
    link.leave(rhythm)
    #expect(link.lines().isEmpty)
    link.leave(both)
    let last = try #require(link.takeOutbox().first)
    let text = String(decoding: last.line, as: UTF8.self)
    #expect(text.contains("events.unsubscribe") && text.contains("rhythm") && text.contains("music"))
  }

  @Test func whoListensWhileItIsSetUpHearsAllTheSame() throws {
    var link = Link(name: "game", pack: nil)
    link.connected(0)
    _ = link.lines()
    let buffer = listener([.cue], &link)
    #expect(link.lines().isEmpty)
    try link.answer(1, Replies.hello())
    try link.answer(2, SessionUse.Result(pack: nil))
    try link.answer(3, EventsSubscribe.Result(topics: [], snapshot: Replies.status()))
    #expect(link.lines() == [#"{"jsonrpc":"2.0","id":4,"method":"events.subscribe","params":{"topics":["cue"]}}"#])
    #expect(names(buffer.takeAll()) == ["connected first"])
  }

  @Test func eachHearsItsTopicsAndWhatStandsWhenItBegins() throws {
    var link = Link(name: "game", pack: nil)
    let early = listener([.rhythm], &link)
    try link.begin(topics: [.rhythm])
    let late = listener([.music], &link)
    link.told(.rhythmBeat(RhythmBeat(beat: 3, lane: nil)), .rhythm, tUs: 5)
    #expect(names(early.takeAll()) == ["connected first", "beat 3 5"])
    #expect(names(late.takeAll()) == ["connected first"])
    _ = link.disconnected(closed, 0)
    let last = listener([], &link)
    #expect(names(last.takeAll()) == ["disconnected closed"])
  }

  @Test func whoIsLetGoOfEndsItsReaders() async throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([], &link)
    try link.begin()
    #expect(link.end().isEmpty)
    #expect(names(buffer.takeAll()) == ["connected first"])
    #expect(await buffer.take() == nil)
    #expect(link.session == nil)
    #expect(await listener([], &link).take() == nil)
  }

  // MARK: - The clock

  @Test func theClockIsReadAtTheGreetingEightTimesBehindItAndEveryTenSeconds() throws {
    var link = Link(name: "game", pack: nil)
    var instants: [Int64] = []
    try link.begin(hello: Replies.hello(nowUs: 40))
    #expect(link.clock?.offsetUs == 40)
    while instants.count < 10, let next = link.nextNs {
      #expect(try link.passed(next).isEmpty)
      let line = try #require(link.lines().first)
      #expect(line.contains("clock.now"))
      let timeline = Timeline(frame: 0, instantUs: 0, framesPerSecond: 48_000, errorUs: 0)
      // A millisecond under way: less exact than the greeting.
      try link.answer(
        Int64(instants.count) + 4, ClockNow.Result(nowUs: 40 + next / 1_000, timeline: timeline), next + 1_000_000)
      instants.append(next / second)
    }
    #expect(instants == [0, 0, 0, 0, 0, 0, 0, 0, 10, 20])
    #expect(link.clock?.offsetUs == 40)
    #expect(link.clock?.errorUs == 1)
    _ = link.disconnected(closed, 0)
    #expect(link.clock == nil)
  }

  @Test func aSteppedClockIsNotMapped() throws {
    var link = Link(name: "game", pack: nil)
    try link.begin(hello: Replies.hello(nowUs: 40, clock: .stepped))
    #expect(link.clock == nil)
    #expect(link.nextNs == nil)
  }
}
