// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import SyncRules
import Testing

@testable import SyncFrontEnd

/// Whoever plays is called away and comes back: game and daemon stand and go on together. The daemon is a real one.
@Suite(.timeLimit(.minutes(2))) struct FrontEndInterruptionTests {
  private let folder = TemporaryFolder()
  private static let cues = ["press", "snap"]

  /// The game, and a clock that is stepped frame by frame.
  private final class Played {
    let starlight: Starlight
    let frontEnd: FrontEnd
    /// What is told of pauses.
    let pauses: Events
    private var connections: Events.Iterator
    var nowUs: Int64 = 0

    init(_ socket: String) throws {
      starlight = try Starlight(pack: "starlight-sync", path: socket)
      connections = starlight.events(of: []).makeAsyncIterator()
      pauses = starlight.events(of: [.engine])
      frontEnd = FrontEnd(starlight, state: nil)
    }

    /// Waits until a daemon is there, of which the front end has not heard yet.
    func meetUnheard() async {
      while let event = await connections.next() {
        if case .connected = event { break }
      }
      nowUs = max(nowUs, starlight.nowUs)
    }

    /// Waits until a daemon is there, draws a second, and passes over that there was none before.
    func meet() async throws {
      await meetUnheard()
      try await draw(1_000_000)
      let notices = frontEnd.takeNotices()
      #expect(notices.allSatisfy { if case .away = $0 { true } else { false } }, "\(notices)")
    }

    func part() async {
      while let event = await connections.next() {
        if case .disconnected = event { return }
      }
    }

    func draw(_ us: Int64) async throws {
      let untilUs = nowUs + us
      while nowUs < untilUs {
        let toUs = min(nowUs + 16_667, untilUs)
        nowUs = try await starlight.request(ClockStep.self, .init(toUs: toUs)).nowUs
        frontEnd.advance(toUs: nowUs)
      }
    }

    /// Whether the daemon stands, once all that was sent is with it.
    func daemonStands() async throws -> Bool { try await starlight.request(EngineStatus.self).paused != nil }

    var handshake: Handshake? {
      guard case .handshake(let handshake)? = frontEnd.story.scene else { return nil }
      return handshake
    }

    /// By how much pauses moved all, those of which it was told since this was asked last.
    func takeMovedUs() -> [Int64] {
      pauses.takeAll().compactMap { if case .told(.engineResumed(let told), tUs: _) = $0 { told.movedUs } else { nil } }
    }
  }

  @Test func allStandsUntilWelcomeBackHasStoodAndThenGoesOnInPlace() async throws {
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    let played = try Played(daemon.socket)
    try await played.meet()
    let pressedUs = played.nowUs
    played.frontEnd.act(.press, atUs: played.nowUs)
    try await played.draw(1_000_000)
    played.frontEnd.interrupt()
    try await played.draw(5_000_000)
    #expect(played.frontEnd.story.isInterrupted)
    #expect(try await played.daemonStands())
    #expect(!played.frontEnd.story.isWelcoming(atUs: played.nowUs))

    played.frontEnd.interruptionEnded()
    #expect(played.frontEnd.story.isWelcoming(atUs: played.nowUs))
    try await played.draw(1_499_999)
    #expect(played.frontEnd.story.isInterrupted)
    #expect(try await played.daemonStands())
    try await played.draw(100_000)
    #expect(!played.frontEnd.story.isInterrupted)
    #expect(try await !played.daemonStands())
    let movedUs = played.takeMovedUs()
    #expect(movedUs.count == 1)
    #expect(movedUs == [played.frontEnd.story.behindUs])

    // Two seconds of the charge are left.
    try await played.draw(pressedUs + 3_000_000 + movedUs[0] - 1 - played.nowUs)
    #expect(played.handshake?.pressedUs == pressedUs)
    #expect(played.handshake?.completedUs == nil)
    try await played.draw(1)
    #expect(played.handshake?.completedUs == pressedUs + 3_000_000)
    #expect(played.frontEnd.takeNotices() == [])
  }

  @Test func whatWasNotInterruptedHasNoEnd() async throws {
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    let played = try Played(daemon.socket)
    try await played.meet()
    played.frontEnd.interruptionEnded()
    #expect(!played.frontEnd.story.isWelcoming(atUs: played.nowUs))
    try await played.draw(2_000_000)
    #expect(played.takeMovedUs() == [])
    #expect(played.frontEnd.story.behindUs == 0)
    #expect(played.frontEnd.takeNotices() == [])
  }

  @Test func whatAnotherHoldsWaitsForThePlayerToo() async throws {
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    let played = try Played(daemon.socket)
    try await played.meet()
    let other = try Starlight(path: daemon.socket)
    var events = other.events(of: []).makeAsyncIterator()
    while case .disconnected? = await events.next() {}
    other.hold()
    _ = try await other.request(ClockNow.self)
    try await played.draw(100_000)
    #expect(played.frontEnd.story.isInterrupted)
    other.letGo()
    _ = try await other.request(ClockNow.self)
    try await played.draw(10_000_000)
    #expect(played.frontEnd.story.isInterrupted)
    #expect(try await played.daemonStands())
    played.frontEnd.interruptionEnded()
    try await played.draw(1_600_000)
    #expect(!played.frontEnd.story.isInterrupted)
    #expect(played.takeMovedUs() == [played.frontEnd.story.behindUs])
  }

  @Test func whatAnotherHoldsAsTheDaemonIsMetWaitsForThePlayerToo() async throws {
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    let other = try Starlight(path: daemon.socket)
    var events = other.events(of: []).makeAsyncIterator()
    while case .disconnected? = await events.next() {}
    other.hold()
    _ = try await other.request(ClockStep.self, .init(toUs: other.nowUs + 5_000_000))
    let played = try Played(daemon.socket)
    try await played.meet()
    let metUs = played.nowUs - 1_000_000
    #expect(played.frontEnd.story.isInterrupted)
    other.letGo()
    _ = try await other.request(ClockNow.self)
    try await played.draw(1_000_000)
    #expect(played.frontEnd.story.isInterrupted)
    played.frontEnd.interruptionEnded()
    try await played.draw(1_600_000)
    #expect(!played.frontEnd.story.isInterrupted)
    #expect(try await !played.daemonStands())
    // The story stood since it met the daemon, which had stood for five seconds longer.
    let behindUs = played.frontEnd.story.behindUs
    #expect(behindUs > 3_000_000 && behindUs <= played.nowUs - metUs)
    #expect(played.takeMovedUs().map { $0 > 7_000_000 } == [true])
  }

  @Test func whoIsAwayAsAnotherDaemonComesFindsAllStandingStill() async throws {
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    let played = try Played(daemon.socket)
    try await played.meet()
    played.frontEnd.act(.press, atUs: played.nowUs)
    try await played.draw(1_000_000)
    played.frontEnd.interrupt()
    daemon.end()
    await played.part()
    played.frontEnd.advance(toUs: played.nowUs)
    let next = try RealDaemon(cues: Self.cues, in: folder)
    try await played.meet()
    #expect(try await played.daemonStands())
    #expect(played.frontEnd.story.isInterrupted)
    played.frontEnd.interruptionEnded()
    #expect(played.frontEnd.story.isWelcoming(atUs: played.nowUs))
    try await played.draw(1_600_000)
    #expect(try await !played.daemonStands())
    // The chapter begins anew, without a finger.
    #expect(!played.frontEnd.story.isInterrupted)
    #expect(played.handshake != nil && played.handshake?.pressedUs == nil)
    next.end()
  }

  private func calledAwayWithoutADaemon() throws -> Played {
    let played = try Played(folder.path + "/socket")
    played.frontEnd.interrupt()
    played.frontEnd.advance(toUs: 0)
    return played
  }

  @Test func whoIsCalledAwayWhileNoDaemonIsThereIsWaitedFor() async throws {
    let played = try calledAwayWithoutADaemon()
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    try await played.meet()
    #expect(try await played.daemonStands())
    #expect(played.frontEnd.story.isInterrupted)
    // Who is back before there is a daemon has no need to be welcomed.
    daemon.end()
    await played.part()
    played.frontEnd.interruptionEnded()
    let next = try RealDaemon(cues: Self.cues, in: folder)
    try await played.meet()
    #expect(try await !played.daemonStands())
    #expect(played.handshake != nil)
    next.end()
  }

  @Test func whoIsBackBeforeTheDaemonIsHeardOfIsAwayNoMore() async throws {
    let played = try calledAwayWithoutADaemon()
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    await played.meetUnheard()
    played.frontEnd.interruptionEnded()
    try await played.draw(500_000)
    #expect(!played.frontEnd.story.isInterrupted)
    #expect(try await !played.daemonStands())
    #expect(played.takeMovedUs() == [played.frontEnd.story.behindUs])
    // What holds all from there on is met as ever.
    let other = try Starlight(path: daemon.socket)
    var events = other.events(of: []).makeAsyncIterator()
    while case .disconnected? = await events.next() {}
    other.hold()
    _ = try await other.request(ClockNow.self)
    try await played.draw(100_000)
    other.letGo()
    _ = try await other.request(ClockNow.self)
    try await played.draw(5_000_000)
    #expect(played.frontEnd.story.isInterrupted)
    daemon.end()
  }

  @Test func whoIsBackBeforeTheLossIsHeardOfIsAwayNoMoreEither() async throws {
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    let played = try Played(daemon.socket)
    try await played.meet()
    played.frontEnd.interrupt()
    try await played.draw(1_000_000)
    daemon.end()
    await played.part()
    let next = try RealDaemon(cues: Self.cues, in: folder)
    await played.meetUnheard()
    played.frontEnd.interruptionEnded()
    try await played.draw(3_000_000)
    #expect(!played.frontEnd.story.isInterrupted)
    #expect(try await !played.daemonStands())
    next.end()
  }

  @Test func whoIsCalledAwayAgainAsTheyAreBackIsWaitedFor() async throws {
    let played = try calledAwayWithoutADaemon()
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    await played.meetUnheard()
    played.frontEnd.interruptionEnded()
    played.frontEnd.interrupt()
    try await played.draw(3_000_000)
    #expect(played.frontEnd.story.isInterrupted)
    #expect(try await played.daemonStands())
    daemon.end()
  }

  @Test func whoIsBeingWelcomedBackAsAnotherDaemonComesIsNotAwayAgain() async throws {
    let daemon = try RealDaemon(cues: Self.cues, in: folder)
    let played = try Played(daemon.socket)
    try await played.meet()
    played.frontEnd.interrupt()
    try await played.draw(1_000_000)
    played.frontEnd.interruptionEnded()
    try await played.draw(500_000)
    daemon.end()
    await played.part()
    played.frontEnd.advance(toUs: played.nowUs)
    let next = try RealDaemon(cues: Self.cues, in: folder)
    try await played.meet()
    #expect(try await !played.daemonStands())
    #expect(!played.frontEnd.story.isInterrupted)
    next.end()
  }
}
