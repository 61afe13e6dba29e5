// SPDX-License-Identifier: Apache-2.0

import Glibc
import Moments
import StarlightClient
import Testing

/// The game's client beside the real daemon.
@Suite(.timeLimit(.minutes(2))) struct StarlightTests {
  private func liveDaemon(_ socket: String? = nil) throws -> DaemonProcess {
    try DaemonProcess(
      ["--device", "none", "--haptics", "none"] + (socket.map { ["--socket", $0] } ?? []),
      packs: Repository.path + "/Patterns")
  }

  /// The events up to the one that is waited for.
  private func events(
    _ iterator: inout Events.Iterator, until isLast: (Event) -> Bool
  ) async throws -> [Event] {
    var events: [Event] = []
    while let event = await iterator.next() {
      events.append(event)
      if isLast(event) { return events }
    }
    throw ProcessFailure("the events ended")
  }

  private func isConnected(_ event: Event) -> Bool { if case .connected = event { true } else { false } }

  // MARK: - Coming back

  @Test func afterAKillItComesBackAndIsToldThatNothingIsLeft() async throws {
    let daemon = try liveDaemon()
    let game = try Starlight(pack: "feedback", path: daemon.socketPath)
    var iterator = game.events(of: [.cue]).makeAsyncIterator()
    let first = try await events(&iterator, until: isConnected)
    guard case .connected(let session)? = first.last else { return #expect(Bool(false)) }
    #expect(session.continuity == .first)
    #expect(session.pack == "feedback")

    // Whether it was with the kernel by then is the thread's business.
    let lost: [ClientError.Kind] = [.unanswered, .notConnected]
    daemon.signal(SIGSTOP)
    async let unanswered = game.request(EngineStatus.self)
    while game.openRequests == 0 { await Task.yield() }
    let ticket = try game.send(HapticsTransient.self, .init())
    daemon.signal(SIGKILL)
    _ = daemon.wait()
    do {
      _ = try await unanswered
      Issue.record("a dead daemon does not answer")
    } catch let error as ClientError {
      #expect(lost.contains(error.kind))
    }
    let successor = try liveDaemon(daemon.socketPath)
    let back = try await events(&iterator, until: isConnected)
    guard case .refused(let refusal)? = back.first, case .disconnected(let why)? = back.dropFirst().first,
      case .connected(let again)? = back.last
    else { return #expect(Bool(false), "\(back)") }
    #expect(refusal.ticket == ticket && lost.contains(refusal.error.kind))
    #expect(why.kind == .closed)
    #expect(again.continuity == .newDaemon)
    #expect(again.pack == "feedback")
    #expect(game.session == again)

    successor.signal(SIGTERM)
    #expect(successor.wait() == 0)
    let end = try await events(&iterator) { if case .disconnected = $0 { true } else { false } }
    #expect(end.count == 1)
  }

  @Test func subscriptionsAndThePackAreMadeAnewByItself() async throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let packs = try TestPack.make(in: directory)
    let arguments = ["--device", "none", "--haptics", "none"]
    let daemon = try DaemonProcess(arguments, packs: packs)
    let game = try Starlight(path: daemon.socketPath)
    var iterator = game.events(of: [.cue]).makeAsyncIterator()
    _ = try await events(&iterator, until: isConnected)
    try await game.use(pack: "starlight-sync")
    try await fire(game, &iterator)
    daemon.signal(SIGKILL)
    _ = daemon.wait()
    let successor = try DaemonProcess(arguments + ["--socket", daemon.socketPath], packs: packs)
    _ = try await events(&iterator, until: isConnected)
    try await fire(game, &iterator)
    _ = consume successor
  }

  /// Fires a cue by its bare name and hears of it.
  private func fire(_ game: Starlight, _ iterator: inout Events.Iterator) async throws {
    let fired = try await game.request(CueFire.self, .init(cue: "segment-lock"))
    let told = try await events(&iterator) { if case .told(.cueFired, _) = $0 { true } else { false } }
    guard case .told(.cueFired(let cue), let tUs)? = told.last else { return #expect(Bool(false)) }
    #expect((cue.cue, cue.id, tUs) == ("starlight-sync:segment-lock", fired.id, fired.scheduledUs))
  }

  /// Time stands meanwhile, so that nothing can be told by it.
  @Test func aConnectionThatIsCutComesBackToTheSameDaemonAndItsChapter() async throws {
    let stepped = try SteppedGame()
    let game = try Starlight(path: stepped.daemon.socketPath)
    var iterator = game.events(of: [.rhythm]).makeAsyncIterator()
    _ = try await events(&iterator, until: isConnected)
    let chapter = try await game.request(RhythmStart.self, .init(chapter: "firewall"))
    #expect(cutConnections(to: stepped.daemon.socketPath, but: [stepped.connection.descriptor]) == 1)
    let back = try await events(&iterator, until: isConnected)
    guard case .connected(let session)? = back.last else { return #expect(Bool(false)) }
    #expect(session.continuity == .sameDaemon)
    #expect(session.snapshot.rhythm.run == chapter.run)
    #expect(session.snapshot.rhythm.leaseEndsUs != nil)
    _ = try await game.request(RhythmTakeOver.self, .init())
    #expect(try await game.request(RhythmStatus.self).leaseEndsUs == nil)
    let told = try await events(&iterator) {
      if case .told(.rhythmChanged(let changed), _) = $0 { changed.change == .takenOver } else { false }
    }
    #expect(told.count >= 1)
  }

  /// Shuts the connections of this process to a daemon; how many.
  private func cutConnections(to path: String, but others: [Int32]) -> Int {
    (Int32(3)..<1_024).filter { descriptor in
      var address = sockaddr_un()
      var length = socklen_t(MemoryLayout<sockaddr_un>.size)
      let isConnected = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
      }
      let peer = withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard isConnected, address.sun_family == AF_UNIX, peer == path, !others.contains(descriptor) else { return false }
      return shutdown(descriptor, Int32(SHUT_RDWR)) == 0
    }.count
  }

  @Test func aDaemonThatIsNotThereYetIsWaitedFor() async throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let game = try Starlight(path: directory + "/socket")
    var iterator = game.events(of: []).makeAsyncIterator()
    guard case .disconnected(let why)? = await iterator.next() else { return #expect(Bool(false)) }
    #expect(why.kind == .notFound([directory + "/socket"]))
    let error = #expect(throws: ClientError.self) { try game.send(HapticsTransient.self, .init()) }
    #expect(error?.kind == .notConnected)
    let daemon = try liveDaemon(directory + "/socket")
    _ = try await events(&iterator, until: isConnected)
    _ = try await game.request(EngineStatus.self)
    _ = consume daemon
  }

  // MARK: - Being told

  @Test func allIsToldInItsOrderAndWhoIsSlowIsToldWhatItLost() async throws {
    let stepped = try SteppedGame()
    let game = try Starlight(path: stepped.daemon.socketPath)
    let all = game.events(of: [.rhythm])
    let slow = game.events(of: [.rhythm], capacity: 5)
    while game.session == nil { await Task.yield() }
    let chapter = try await game.request(RhythmStart.self, .init(chapter: "firewall"))
    try stepped.step(to: chapter.startUs + 20_000_000)
    // What is told before an answer is there before it.
    _ = try await game.request(ClockNow.self)
    let heard = all.takeAll()
    let beats = heard.compactMap {
      if case .told(.rhythmBeat(let beat), let tUs) = $0 { (beat.beat, tUs) } else { nil }
    }
    let expected = try TestPack.firewallBeats().map { chapter.startUs + $0 }.filter { $0 <= stepped.nowUs }
    #expect(beats.map(\.0) == Array(expected.indices))
    #expect(beats.map(\.1) == expected)

    let late = slow.takeAll()
    guard case .lost(let lost)? = late.first else { return #expect(Bool(false), "\(late.count)") }
    #expect(late.count == 6)
    #expect(lost.notifications == [.rhythm: heard.count - 6])
    #expect(lost.connections == 1)
    #expect(slow.takeAll().isEmpty)
  }

  @Test func whatIsRefusedComesBackAsAnEvent() async throws {
    let daemon = try liveDaemon()
    let game = try Starlight(path: daemon.socketPath)
    var iterator = game.events(of: []).makeAsyncIterator()
    _ = try await events(&iterator, until: isConnected)
    let ticket = try game.send(CueFire.self, .init(cue: "nothing"))
    guard case .refused(let refusal)? = await iterator.next() else { return #expect(Bool(false)) }
    #expect((refusal.ticket, refusal.method) == (ticket, "cue.fire"))
    guard case .rpc(let error) = refusal.error.kind else { return #expect(Bool(false)) }
    #expect(error.data.kind == "unknownName")
  }

  @Test func whatTheClientAsksAnewByItselfIsNotAskedBehindItsBack() async throws {
    let daemon = try liveDaemon()
    let game = try Starlight(path: daemon.socketPath)
    for method in ["session.use", "events.subscribe", "engine.pause", "engine.resume"] {
      let error = await #expect(throws: ClientError.self) {
        switch method {
        case "session.use": try await game.request(SessionUse.self, .init(pack: "feedback"))
        case "events.subscribe": try await game.request(EventsSubscribe.self, .init())
        case "engine.pause": try await game.request(EnginePause.self)
        default: try await game.request(EngineResume.self)
        }
      }
      #expect(error?.kind == .reserved)
      #expect(error?.message.hasPrefix(method) == true)
    }
  }

  // MARK: - Never waiting

  @Test func callersGoOnWhileTheDaemonStandsStillAndAreToldWhenThereIsNoMoreRoom() async throws {
    let daemon = try liveDaemon()
    let game = try Starlight(path: daemon.socketPath)
    var iterator = game.events(of: []).makeAsyncIterator()
    _ = try await events(&iterator, until: isConnected)
    while game.openRequests > 0 || game.clock == nil { await Task.yield() }
    daemon.signal(SIGSTOP)
    // Long lines fill the socket's buffer, then the outbox; short ones the open requests.
    let transient = JSONValue.object([
      "Event": .object(["EventType": .string("HapticTransient"), "Time": .number(0.5)])
    ])
    let long = JSONValue.object(["Version": .integer(1), "Pattern": .array(Array(repeating: transient, count: 1_500))])
    var taken = 0
    let full = #expect(throws: ClientError.self) {
      while true {
        try game.send(HapticsPlay.self, .init(ahap: long))
        taken += 1
      }
    }
    #expect(full?.kind == .outboxFull)
    #expect((2...64).contains(taken))
    let refused = await #expect(throws: ClientError.self) {
      try await game.request(HapticsPlay.self, .init(ahap: long))
    }
    #expect(refused?.kind == .outboxFull)
    var short = 0
    _ = #expect(throws: ClientError.self) {
      while true {
        try game.send(ClockNow.self, Empty())
        short += 1
      }
    }
    #expect(taken + short <= 1_024)
    daemon.signal(SIGCONT)
    // There is room again as soon as all is read.
    while true {
      do throws(ClientError) {
        _ = try await game.request(ClockNow.self)
        break
      } catch {
        guard error.kind == .outboxFull else { throw error }
        await Task.yield()
      }
    }
    while game.openRequests > 0 { await Task.yield() }
    #expect(game.session?.continuity == .first)
  }

  @Test func manyTasksAskAtOnceAndEachHasItsOwnAnswer() async throws {
    let stepped = try SteppedGame()
    let game = try Starlight(path: stepped.daemon.socketPath)
    var iterator = game.events(of: []).makeAsyncIterator()
    _ = try await events(&iterator, until: isConnected)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for number in 0..<40 {
            // What is sent meanwhile by others must keep nobody asleep.
            try game.send(SoundStop.self, .init(fadeUs: 0))
            let gain = Double(task * 40 + number) / 1_000
            let asked = try await game.request(SettingsSet.self, .init(musicVolume: gain))
            #expect(asked.musicVolume == gain)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(game.openRequests == 0)
  }

  @Test func aCancelledTaskWaitsNoMore() async throws {
    let daemon = try liveDaemon()
    let game = try Starlight(path: daemon.socketPath)
    var iterator = game.events(of: []).makeAsyncIterator()
    _ = try await events(&iterator, until: isConnected)
    daemon.signal(SIGSTOP)
    defer { daemon.signal(SIGCONT) }
    let asking = Task { () -> ClientError.Kind? in
      do throws(ClientError) {
        _ = try await game.request(EngineStatus.self, timeoutUs: .max)
        return nil
      } catch {
        return error.kind
      }
    }
    while game.openRequests == 0 { await Task.yield() }
    asking.cancel()
    #expect(await asking.value == .cancelled)
    let error = await #expect(throws: ClientError.self) { try await game.request(EngineStatus.self, timeoutUs: 0) }
    #expect(error?.kind == .timedOut)
  }

  // MARK: - Clock and end

  @Test func theClockIsMappedWithinItsBound() async throws {
    let daemon = try liveDaemon()
    let game = try Starlight(path: daemon.socketPath)
    var iterator = game.events(of: []).makeAsyncIterator()
    _ = try await events(&iterator, until: isConnected)
    let clock = try #require(game.clock)
    // One kernel, one CLOCK_MONOTONIC: the truth is 0.
    #expect(abs(clock.offsetUs) <= clock.errorUs)
    let before = game.nowUs
    let now = try await game.request(ClockNow.self).nowUs
    #expect(before - clock.errorUs <= now && now <= game.nowUs + clock.errorUs)
  }

  @Test func aSteppedClockIsWhereItWasLeft() async throws {
    let stepped = try SteppedGame()
    let game = try Starlight(path: stepped.daemon.socketPath)
    var iterator = game.events(of: []).makeAsyncIterator()
    _ = try await events(&iterator, until: isConnected)
    #expect(game.clock == nil)
    #expect(game.nowUs == stepped.nowUs)
    try await game.request(ClockStep.self, .init(toUs: stepped.nowUs + 70_001))
    #expect(game.nowUs == stepped.nowUs + 70_001)
    try stepped.step(to: stepped.nowUs + 90_000)
    try await game.request(ClockNow.self)
    #expect(game.nowUs == stepped.nowUs)
  }

  @Test func lettingGoOfTheClientAndItsReadersEndsTheConnection() async throws {
    let daemon = try liveDaemon()
    let other = try daemon.connect()
    do {
      let game = try Starlight(path: daemon.socketPath)
      var iterator = game.events(of: []).makeAsyncIterator()
      _ = try await events(&iterator, until: isConnected)
      #expect(try other.call(EngineStatus.self, Empty()).clients == 2)
    }
    while try other.call(EngineStatus.self, Empty()).clients > 1 { await Task.yield() }
    let game = try Starlight(path: daemon.socketPath)
    let events = game.events(of: [])
    game.close()
    for await _ in events {}
    let error = await #expect(throws: ClientError.self) { try await game.request(EngineStatus.self) }
    #expect(error?.kind == .notConnected)
  }
}
