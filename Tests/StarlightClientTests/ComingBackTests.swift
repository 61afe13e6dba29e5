// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import StarlightClient

/// What the client does by itself as a connection ends and another begins, so that no game has to.
@Suite struct ComingBackTests {
  private let closed = ClientError(.closed, "gone", remedy: "look")

  private func listener(_ topics: Set<Topic> = [], _ link: inout Link) -> EventBuffer {
    let buffer = EventBuffer(topics: topics, capacity: 100)
    link.join(buffer)
    return buffer
  }

  // MARK: - What was asked

  private func post(_ method: String, _ link: inout Link) throws -> Int64 {
    try link.ask(method: method, params: Array("{}".utf8), .refusal(method: method))
  }

  @Test func whatWasSentMayHaveBeenDoneAndWhatWasNotIsToldSo() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([], &link)
    try link.begin()
    link.wrote(.max)
    let (sent, begun, waits) = (
      try post("rhythm.start", &link), try post("cue.fire", &link), try post("music.play", &link)
    )
    let lines = link.takeOutbox()
    // All of the first, and a byte of the second.
    link.wrote(lines[0].line.count + 2)
    _ = link.disconnected(closed, 0)
    let refusals = buffer.takeAll().compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
    #expect(refusals.map(\.ticket) == [sent, begun, waits])
    #expect(refusals.map(\.error.kind) == [.unanswered, .unanswered, .notConnected])
    #expect(
      refusals.map(\.error.message) == [
        "rhythm.start was sent, and whether it was done nobody knows: gone "
          + "(rhythm.status tells, once there is another connection)",
        "cue.fire was sent, and whether it was done nobody knows: gone (what of it had not begun is over with the "
          + "connection: once there is another, ask anew for what is still due)",
        "music.play is not sent: gone (look)",
      ])
  }

  @Test func aTaskIsToldLikewise() async throws {
    let result = await withCheckedContinuation { continuation in
      var link = Link(name: "game", pack: nil)
      do {
        try link.begin()
        link.wrote(.max)
        _ = try link.ask(
          method: "pack.list", params: [], .answer(continuation, method: "pack.list", deadlineNs: .max))
        link.wrote(link.takeOutbox()[0].line.count + 1)
        for unserved in link.disconnected(closed, 0) { unserved.tell() }
      } catch {
        Issue.record(error)
      }
    }
    guard case .failure(let error) = result else { return #expect(Bool(false)) }
    #expect(error.kind == .unanswered && error.remedy == "pack.list tells, once there is another connection")
  }

  // MARK: - Beats

  private func ahead(_ count: Int, _ beatUs: Int64) -> Event.Notification {
    .musicBeatAhead(
      MusicBeatAhead(track: "a:b", beat: count, bar: 0, beatInBar: 0, count: count, bpm: 120, beatUs: beatUs))
  }

  private func recalled(_ events: [Event]) -> [String] {
    events.compactMap { event in
      switch event {
      case .told(.musicBeatRecalled(let beat), _): "beat \(beat.count) \(beat.beatUs)"
      case .told(.musicMarkerRecalled(let marker), _): "\(marker.marker) \(marker.markerUs)"
      case .disconnected: "disconnected"
      default: nil
      }
    }
  }

  private func heard(_ count: Int) -> Event.Notification {
    .musicBeat(MusicBeat(track: "a:b", beat: count, bar: 0, beatInBar: 0, count: count, bpm: 120))
  }

  private func recalled(_ count: Int, _ beatUs: Int64) -> Event.Notification {
    .musicBeatRecalled(MusicBeatRecalled(track: "a:b", beat: count, count: count, beatUs: beatUs))
  }

  private func marker(_ name: String, _ markerUs: Int64) -> Event.Notification {
    .musicMarkerAhead(MusicMarkerAhead(track: "a:b", marker: name, markerUs: markerUs))
  }

  @Test func whatWasToldAheadOfTheMusicIsRecalledBeforeTheEndIsTold() throws {
    var link = Link(name: "game", pack: nil)
    let (buffer, deaf) = (listener([.beats], &link), listener([.cue], &link))
    try link.begin(topics: [.beats, .cue])
    for (count, us) in [(1, 100), (2, 200), (3, 300), (4, 400)] as [(Int, Int64)] {
      link.told(ahead(count, us), .beats, tUs: us - 300)
    }
    link.told(marker("chorus", 350), .beats, tUs: 50)
    // One is heard, and one the daemon has recalled itself.
    link.told(heard(1), .beats, tUs: 100)
    link.told(recalled(3, 300), .beats, tUs: 150)
    _ = buffer.takeAll()
    _ = link.disconnected(closed, 150_000)
    #expect(recalled(buffer.takeAll()) == ["beat 2 200", "chorus 350", "beat 4 400", "disconnected"])
    #expect(recalled(deaf.takeAll()) == ["disconnected"])
    // Once.
    try link.begin(after: 3, topics: [.beats, .cue])
    _ = link.disconnected(closed, 300_000)
    #expect(recalled(buffer.takeAll()) == ["disconnected"])
  }

  @Test func whatAPauseMovedIsRecalledAsItWasMoved() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([.beats, .engine], &link)
    try link.begin(topics: [.beats, .engine])
    link.told(ahead(1, 100), .beats, tUs: 0)
    link.told(ahead(2, 200), .beats, tUs: 0)
    link.told(.enginePaused(EnginePaused(sleep: false)), .engine, tUs: 150)
    link.told(.engineResumed(EngineResumed(movedUs: 1_000)), .engine, tUs: 1_150)
    _ = link.disconnected(closed, 0)
    #expect(recalled(buffer.takeAll()) == ["beat 1 100", "beat 2 1200", "disconnected"])
  }

  @Test(arguments: [[.beats], [.beats, .engine]] as [Set<Topic>])
  func whatWasToComeInAPauseIsRecalledWhoeverHearsOfThePause(_ topics: Set<Topic>) throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener(topics, &link)
    try link.begin(topics: Array(topics))
    for (count, us) in [(1, 100), (2, 150), (3, 200)] as [(Int, Int64)] { link.told(ahead(count, us), .beats, tUs: 0) }
    link.told(marker("chorus", 180), .beats, tUs: 0)
    link.told(heard(1), .beats, tUs: 100)
    if topics.contains(.engine) { link.told(.enginePaused(EnginePaused(sleep: false)), .engine, tUs: 150) }
    _ = link.disconnected(closed, 900_000)
    #expect(recalled(buffer.takeAll()) == ["beat 2 150", "chorus 180", "beat 3 200", "disconnected"])
  }

  @Test func afterAPauseThatNobodyHeardOfABeatCountsByItsNumberNotByItsInstant() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([.beats], &link)
    try link.begin(topics: [.beats])
    for (count, us) in [(1, 160), (2, 220), (3, 280), (4, 340)] as [(Int, Int64)] {
      link.told(ahead(count, us), .beats, tUs: 0)
    }
    link.told(marker("verse", 170), .beats, tUs: 0)
    link.told(marker("chorus", 300), .beats, tUs: 0)
    // It stood from 150 on for 1000: what comes is told where it comes then, and so is what the daemon takes back.
    link.told(heard(1), .beats, tUs: 1_160)
    link.told(.musicMarker(MusicMarker(track: "a:b", marker: "verse")), .beats, tUs: 1_170)
    link.told(recalled(4, 1_340), .beats, tUs: 1_180)
    _ = buffer.takeAll()
    _ = link.disconnected(closed, 1_200_000)
    #expect(recalled(buffer.takeAll()) == ["beat 2 220", "beat 3 280", "chorus 300", "disconnected"])
  }

  @Test func aBeatThatIsToComeTwiceIsTakenBackByItsInstant() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([.beats], &link)
    try link.begin(topics: [.beats])
    // Behind beat 5 the music is to be sought to before it.
    for (count, us) in [(5, 200), (5, 300), (6, 400)] as [(Int, Int64)] { link.told(ahead(count, us), .beats, tUs: 0) }
    link.told(recalled(5, 300), .beats, tUs: 100)
    _ = buffer.takeAll()
    _ = link.disconnected(closed, 150_000)
    #expect(recalled(buffer.takeAll()) == ["beat 5 200", "beat 6 400", "disconnected"])
  }

  @Test func whatTheDaemonTellsNoMoreForItStoodStillIsNotKept() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([.beats], &link)
    try link.begin(topics: [.beats])
    for (count, us) in [(1, 100), (2, 200), (3, 300)] as [(Int, Int64)] { link.told(ahead(count, us), .beats, tUs: 0) }
    link.told(heard(2), .beats, tUs: 200)
    _ = buffer.takeAll()
    _ = link.disconnected(closed, 250_000)
    #expect(recalled(buffer.takeAll()) == ["beat 3 300", "disconnected"])
  }

  @Test func whoBeginsToListenIsToldOfNoBeatsOfThoseBefore() throws {
    var link = Link(name: "game", pack: nil)
    let before = listener([.beats], &link)
    try link.begin(topics: [.beats])
    link.told(ahead(1, 100), .beats, tUs: 0)
    link.leave(before)
    // On its way by then.
    link.told(ahead(2, 200), .beats, tUs: 0)
    let buffer = listener([.beats], &link)
    link.told(ahead(3, 300), .beats, tUs: 0)
    _ = link.disconnected(closed, 50_000)
    #expect(recalled(buffer.takeAll()) == ["beat 3 300", "disconnected"])
  }

  /// Before the system sleeps the daemon takes who listens to `engine` for somebody who welcomes the player back.
  @Test func ofTheEngineTheClientHearsForItsReadersAlone() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([.beats], &link)
    link.connected(0)
    #expect(link.lines().last?.contains(#"{"topics":["beats","packs"]}"#) == true)
    withExtendedLifetime(buffer) {}
  }

  // MARK: - Standing still

  @Test func aHoldIsAskedForAnewBeforeAnythingElseUntilItIsLetGoOf() throws {
    var link = Link(name: "game", pack: nil)
    let buffer = listener([], &link)
    try link.begin()
    link.hold(true)
    #expect(link.lines() == [#"{"jsonrpc":"2.0","id":4,"method":"engine.pause","params":{}}"#])
    _ = link.disconnected(closed, 0)
    _ = buffer.takeAll()
    try link.begin(after: 4)
    #expect(names(buffer.takeAll()) == ["connected sameDaemon"])
    _ = try post("cue.fire", &link)
    #expect(link.lines().map { $0.contains("engine.pause") } == [true, false])
    link.hold(false)
    #expect(link.lines() == [#"{"jsonrpc":"2.0","id":10,"method":"engine.resume","params":{}}"#])
    _ = link.disconnected(closed, 0)
    try link.begin(after: 10)
    #expect(link.lines().isEmpty)
  }

  @Test func aConnectionThatIsNotSetUpHoldsNobody() throws {
    var link = Link(name: "game", pack: "lighthose")
    link.hold(true)
    link.connected(0)
    #expect(link.lines().count == 3, "greeting, pack and topics alone")
    try link.answer(1, Replies.hello())
    #expect(throws: ClientError.self) { try link.answered(2, .failure(RPCError(.unknownName, "no pack")), 0) }
    #expect(link.lines().isEmpty)
  }

  @Test func aHoldWithoutADaemonIsKeptInMind() throws {
    var link = Link(name: "game", pack: nil)
    link.hold(true)
    #expect(link.lines().isEmpty)
    try link.begin()
    #expect(link.lines() == [#"{"jsonrpc":"2.0","id":4,"method":"engine.pause","params":{}}"#])
  }

  @Test func whatIsWishedInEachFrameWaitsOnce() throws {
    var link = Link(name: "game", pack: nil)
    try link.begin()
    for isHeld in [true, false] {
      for _ in 0..<1_000 { link.hold(isHeld) }
      #expect(link.lines().count == 1)
    }
    #expect(link.openRequests == 2)
    // Refused or done, it is asked for again.
    _ = try link.answered(5, .failure(RPCError(.notRunning, "not held")), 0)
    link.hold(false)
    #expect(link.lines() == [#"{"jsonrpc":"2.0","id":6,"method":"engine.resume","params":{}}"#])
  }

  private func wished(_ lines: [String]) -> [Bool] { lines.map { $0.contains("engine.pause") } }

  @Test func wishesThatAlternateWhereNothingIsAnsweredWaitTwiceAndTheLastCounts() throws {
    for first in [true, false] {
      for wishes in [20, 21] {
        var link = Link(name: "game", pack: nil)
        try link.begin()
        for index in 0..<wishes { link.hold(index.isMultiple(of: 2) ? first : !first) }
        #expect(wished(link.lines()) == [first, !first])
        #expect(link.openRequests == 2)
        // What was wished last is asked for as the first of them is answered, unless it is what was asked for last.
        try link.answer(4, Empty())
        #expect(wished(link.lines()) == (wishes == 20 ? [] : [first]))
        _ = try link.answered(5, .failure(RPCError(.notRunning, "not held")), 0)
        try link.answer(6, Empty())
        #expect(link.lines().isEmpty && link.openRequests == 0)
      }
    }
  }

  @Test func aWishThatWaitedGoesWithTheConnectionAndIsAskedForAnew() throws {
    for last in [true, false] {
      var link = Link(name: "game", pack: nil)
      try link.begin()
      for isHeld in [true, false, true, last] { link.hold(isHeld) }
      _ = link.lines()
      _ = link.disconnected(closed, 0)
      try link.begin(after: 5)
      #expect(wished(link.lines()) == (last ? [true] : []))
      // And it is no more than a wish: the next one is asked for at once.
      link.hold(!last)
      #expect(wished(link.lines()) == [!last])
    }
  }

  @Test func whatIsWishedWhileItIsSetUpIsAskedForOnceItIs() throws {
    for (wishes, asked) in [([true], 1), ([true, false], 0), ([false], 0)] {
      var link = Link(name: "game", pack: nil)
      link.connected(0)
      for wish in wishes { link.hold(wish) }
      #expect(link.lines().count == 3)
      try link.answer(1, Replies.hello())
      try link.answer(2, SessionUse.Result(pack: nil))
      try link.answer(3, EventsSubscribe.Result(topics: [], snapshot: Replies.status()))
      #expect(link.lines().map { $0.contains("engine.pause") } == Array(repeating: true, count: asked))
    }
  }

  // MARK: - The pack

  private func taken(_ pack: String, _ generation: Int) -> Event.Notification {
    .packLoading(PackLoading(change: .taken, pack: pack, path: "/p", generation: generation))
  }

  private func readings(_ events: [Event]) -> [Int] {
    events.compactMap { if case .packRead(let generation) = $0 { generation } else { nil } }
  }

  @Test func aNewReadingOfItsPackIsAnEventForEachReader() throws {
    var link = Link(name: "game", pack: "lighthouse")
    let (buffer, listens) = (listener([], &link), listener([.packs], &link))
    link.connected(0)
    #expect(link.lines().last?.contains(#"{"topics":["packs"]}"#) == true)
    try link.answer(1, Replies.hello())
    try link.answer(2, SessionUse.Result(pack: "lighthouse", generation: 3))
    try link.answer(3, EventsSubscribe.Result(topics: [.packs], snapshot: Replies.status()))
    #expect(link.session?.generation == 3 && link.generation == 3)
    link.told(taken("other", 4), .packs, tUs: 0)
    link.told(taken("lighthouse", 5), .packs, tUs: 0)
    link.told(.packLoading(PackLoading(change: .refused, pack: "lighthouse", path: "/p")), .packs, tUs: 0)
    #expect(readings(buffer.takeAll()) == [5])
    #expect(link.generation == 5)
    #expect(names(listens.takeAll()) == ["connected first", "told", "told", "read 5", "told"])
  }

  @Test func aPackThatIsUsedCountsFromThePlaceOfItsAnswerOnAndIsAskedForAnew() async throws {
    let result = await withCheckedContinuation { continuation in
      var link = Link(name: "game", pack: nil)
      let buffer = listener([], &link)
      do {
        try link.begin()
        let waiting = Link.Pending.answer(
          continuation, method: SessionUse.name, deadlineNs: .max, use: Link.Use(pack: "other"))
        let id = try link.ask(method: SessionUse.name, params: Array("{}".utf8), waiting)
        link.told(taken("other", 2), .packs, tUs: 0)
        let task = try link.answered(id, .success(encodeJSON(SessionUse.Result(pack: "other", generation: 3))), 0)
        link.told(taken("other", 4), .packs, tUs: 0)
        #expect(readings(buffer.takeAll()) == [4])
        #expect(link.generation == 4)
        _ = link.lines()
        _ = link.disconnected(closed, 0)
        link.connected(0)
        #expect(link.lines().count { $0.contains(#""method":"session.use","params":{"pack":"other"}"#) } == 1)
        task?.resume(returning: .success([]))
      } catch {
        Issue.record(error)
      }
    }
    #expect(throws: Never.self) { try result.get() }
  }

  @Test(arguments: [("a", 7, [7]), ("a", 3, []), ("b", 7, [])] as [(String, Int, [Int])])
  func oneThatWasReadAnewMeanwhileIsToldWhereTheDaemonIsTheSame(
    instance: String, generation: Int, told: [Int]
  ) throws {
    var link = Link(name: "game", pack: "lighthouse")
    let buffer = listener([], &link)
    for (first, instance, generation) in [(1, "a", 3), (4, instance, generation)] as [(Int64, String, Int)] {
      link.connected(0)
      try link.answer(first, Replies.hello(instanceId: instance))
      try link.answer(first + 1, SessionUse.Result(pack: "lighthouse", generation: generation))
      try link.answer(first + 2, EventsSubscribe.Result(topics: [], snapshot: Replies.status()))
      if first == 1 { _ = link.disconnected(closed, 0) }
    }
    #expect(readings(buffer.takeAll()) == told)
  }
}
