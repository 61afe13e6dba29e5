// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Haptics
import Testing
import Timing
import Wire

@testable import Engine

/// The verbs of haptic players: what is told, refused and counted.
@Suite struct HapticVerbTests {
  private let me = ClientID(rawValue: 1)

  /// A second of steady vibration.
  private func play(
    _ fixture: inout EngineFixture, from client: ClientID? = nil, at: Int64? = nil, durationUs: Int64 = 1_000_000,
    keepUs: Int64? = nil
  ) throws -> Int64 {
    let params = HapticsContinuous.Params(
      durationUs: durationUs, intensity: 0.5, sharpness: 0.5, atUs: at, keepAfterDisconnectUs: keepUs)
    return try #require(try fixture.engine.playContinuous(params, by: Cause(client: client ?? me)).player)
  }

  private func kind(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return (error as? RPCError)?.data.kind }
  }

  @Test func clientsShareThePlayersAndLeaveSomeToTheDaemon() throws {
    var fixture = try EngineFixture()
    func plays(_ count: Int, _ user: UInt32, from client: UInt64) -> Int {
      let cause = Cause(client: ClientID(rawValue: client), user: user)
      let params = HapticsContinuous.Params(durationUs: 500_000, intensity: 0.5, sharpness: 0.5)
      return (0..<count).count { _ in kind { _ = try fixture.engine.playContinuous(params, by: cause) } == nil }
    }
    // 16 of a client. Beside the first of each a user has 24; those that have next to none find 8 more, and each its first.
    #expect(plays(20, 1, from: 1) == 16)
    #expect(plays(20, 1, from: 2) == 10)
    #expect(plays(20, 1, from: 3) == 4)
    #expect(plays(20, 1, from: 4) == 4)
    #expect(plays(20, 1, from: 5) == 3)
    #expect(plays(20, 1, from: 6) == 1)
    // All clients have 36, and 8 more likewise.
    #expect(plays(20, 2, from: 7) == 5)
    #expect(plays(20, 3, from: 8) == 4)
    #expect(plays(20, 4, from: 9) == 4)
    #expect(plays(20, 5, from: 10) == 3)
    #expect(plays(20, 6, from: 11) == 1)
    for _ in 0..<4 { _ = try play(&fixture, from: .daemon) }
    #expect(kind { _ = try play(&fixture, from: .daemon) } == "busy")
    // The clock passes the end of all; nobody has asked the engine to notice.
    fixture.output = EngineFixture.output(at: 2_000_000)
    _ = try play(&fixture)
  }

  /// A program that connects anew for each has what its user shares, however long it asks for.
  @Test func whatGoesOnWithoutItsClientIsShared() throws {
    var fixture = try EngineFixture()
    for client in 1...40 as ClosedRange<UInt64> {
      _ = try play(&fixture, from: ClientID(rawValue: client), durationUs: 5_000_000, keepUs: 5_000_000)
      fixture.engine.clientLeft(ClientID(rawValue: client))
    }
    _ = fixture.run(to: 1_500_000)
    #expect(fixture.engine.haptics.owners.count == 24)
    for client in 41...48 as ClosedRange<UInt64> {
      for _ in 0..<2 { _ = try play(&fixture, from: ClientID(rawValue: client)) }
    }
    _ = try play(&fixture, from: ClientID(rawValue: 49))
    #expect(kind { _ = try play(&fixture, from: ClientID(rawValue: 49)) } == "busy")
  }

  @Test func ofAClientsPlayersTheFirstGoOnWithoutItAndAsManyAsThereIsRoomFor() throws {
    var fixture = try EngineFixture()
    let others = 22 as UInt64
    for client in 1...others {
      _ = try play(&fixture, from: ClientID(rawValue: client), durationUs: 5_000_000, keepUs: 5_000_000)
      fixture.engine.clientLeft(ClientID(rawValue: client))
    }
    for _ in 0..<3 {
      _ = try play(&fixture, from: ClientID(rawValue: 50), durationUs: 5_000_000, keepUs: 5_000_000)
    }
    let players = fixture.engine.haptics.players(of: ClientID(rawValue: 50))
    fixture.engine.clientLeft(ClientID(rawValue: 50))
    _ = fixture.run(to: 1_500_000)
    #expect(fixture.engine.haptics.players(of: ClientID(rawValue: 50)) == Array(players.prefix(2)))
    #expect(fixture.engine.haptics.owners.count == 24)
  }

  @Test func aPlayerThatIsReplacedMakesRoomAndSaysWhyItEnded() throws {
    var fixture = try EngineFixture()
    let players = try (0..<HapticBoard.mostPlayersOfAClient).map { _ in try play(&fixture) }
    let params = HapticsPlay.Params(pattern: "thud", atUs: 1_200_000, replaces: players[3])
    let played = try #require(try fixture.engine.playHaptics(params, by: Cause(client: me)).player)
    let told = try fixture.run(to: 1_500_000).hapticChanges
    #expect(
      told.filter { $0.player == players[3] || $0.player == played } == [
        Told(tUs: 1_000_000, player: players[3], change: "started"),
        Told(tUs: 1_200_000, player: played, change: "started"),
        Told(tUs: 1_200_000, player: players[3], change: "stopped", reason: "replaced"),
        Told(tUs: 1_220_000, player: played, change: "finished"),
      ])
  }

  @Test func aPatternForSomePadsIsKeptFromTheOthers() throws {
    var fixture = try EngineFixture()
    let everywhere = try play(&fixture)
    let params = HapticsPlay.Params(pattern: "thud", loop: true, device: "left")
    let there = try #require(try fixture.engine.playHaptics(params, by: Cause(client: me)).player)
    let starts = fixture.engine.takeActions().haptics
    #expect(starts.map { fixture.engine.device(for: $0) } == [nil, "left"])
    // What a pad that comes late joins in.
    fixture.output = EngineFixture.output(at: 1_005_000)
    func felt(by pad: String) -> [String] {
      let mixer = fixture.engine.playingHaptics { $0 == pad }
      return mixer.activeSources(at: Instant(microseconds: 1_005_000))
    }
    #expect(felt(by: "left") == ["continuous", "game:thud"])
    #expect(felt(by: "right") == ["continuous"])
    #expect(everywhere != there)
  }

  @Test func stoppingTellsWhoseDoingItWas() throws {
    var fixture = try EngineFixture()
    let asked = try play(&fixture)
    func loop(keepUs: Int64? = nil) throws -> Int64 {
      let player = try play(&fixture, from: ClientID(rawValue: 2), keepUs: keepUs)
      _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, loop: true), by: .daemon)
      return player
    }
    let left = try loop()
    let kept = try loop(keepUs: 300_000)
    // The client goes before the stop that was planned for its player: the first end is the one that counts.
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: asked, atUs: 1_100_000), by: .daemon)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: left, atUs: 1_900_000), by: .daemon)
    var told = try fixture.run(to: 1_200_000).hapticChanges
    fixture.engine.clientLeft(ClientID(rawValue: 2))
    told += try fixture.run(to: 2_100_000).hapticChanges
    #expect(
      told.filter { $0.change == "stopped" } == [
        Told(tUs: 1_100_000, player: asked, change: "stopped", reason: "requested"),
        Told(tUs: 1_250_000, player: left, change: "stopped", reason: "disconnected"),
        Told(tUs: 1_550_000, player: kept, change: "stopped", reason: "disconnected"),
      ])
  }

  @Test func loopsAreCountedAndTheirEndCanBeMoved() throws {
    var fixture = try EngineFixture()
    let params = HapticsPlay.Params(pattern: "thud", atUs: 1_100_000, loop: true, loopEndUs: 100_000)
    let player = try #require(try fixture.engine.playHaptics(params, by: Cause(client: me)).player)
    var told = try fixture.run(to: 1_250_000).hapticChanges
    // Half way through its second turn: this turn ends where the new loop end is.
    let set = HapticsSet.Params(player: player, loopEndUs: 200_000)
    #expect(try fixture.engine.setHaptics(set, by: .daemon).positionUs == 50_000)
    told += try fixture.run(to: 1_700_000).hapticChanges
    #expect(
      told == [
        Told(tUs: 1_100_000, player: player, change: "started"),
        Told(tUs: 1_200_000, player: player, change: "looped", iteration: 1),
        Told(tUs: 1_400_000, player: player, change: "looped", iteration: 2),
        Told(tUs: 1_600_000, player: player, change: "looped", iteration: 3),
      ])
  }

  @Test func repliesSayWhereInThePatternTheChangeFalls() throws {
    var fixture = try EngineFixture()
    let player = try play(&fixture, at: 1_100_000)
    let paused = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_350_000), by: .daemon)
    #expect(paused == PlayerScheduled(scheduledUs: 1_350_000, lateUs: 0, positionUs: 250_000))
    let resumed = try fixture.engine.resumeHaptics(PlayerParams(player: player, atUs: 1_900_000), by: .daemon)
    #expect(resumed.positionUs == 250_000)
    let faster = HapticsSet.Params(player: player, rate: 2, atUs: 2_000_000)
    #expect(try fixture.engine.setHaptics(faster, by: .daemon).positionUs == 350_000)
    // 350 ms and then 2 x 100 ms.
    let later = HapticsSet.Params(player: player, mute: true, atUs: 2_100_000)
    #expect(try fixture.engine.setHaptics(later, by: .daemon).positionUs == 550_000)
    // 450 ms are left at twice the speed: it has ended by then.
    let over = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 2_400_000), by: .daemon)
    #expect(over.positionUs == nil)
    let seek = HapticsSeek.Params(player: player, positionUs: 700_000, atUs: 900_000)
    let late = try fixture.engine.seekHaptics(seek, by: .daemon)
    #expect(late == PlayerScheduled(scheduledUs: 1_000_000, lateUs: 100_000, positionUs: 700_000))
  }

  @Test func nonsenseIsRefusedWithItsRange() throws {
    var fixture = try EngineFixture()
    let player = try play(&fixture)
    func refuses(_ expected: String = "invalidParams", _ body: (inout Engine) throws -> Void) {
      #expect(kind { try body(&fixture.engine) } == expected)
    }
    refuses("notRunning") { _ = try $0.pauseHaptics(PlayerParams(player: 99), by: .daemon) }
    refuses("notRunning") { _ = try $0.pauseHaptics(PlayerParams(player: -1), by: .daemon) }
    refuses { _ = try $0.setHaptics(HapticsSet.Params(player: player), by: .daemon) }
    refuses { _ = try $0.setHaptics(HapticsSet.Params(player: player, rate: 0), by: .daemon) }
    refuses { _ = try $0.setHaptics(HapticsSet.Params(player: player, rate: .nan), by: .daemon) }
    refuses { _ = try $0.setHaptics(HapticsSet.Params(player: player, gain: 1.5), by: .daemon) }
    refuses { _ = try $0.setHaptics(HapticsSet.Params(player: player, loopEndUs: -1), by: .daemon) }
    refuses { _ = try $0.seekHaptics(HapticsSeek.Params(player: player, positionUs: .max), by: .daemon) }
    refuses { _ = try $0.sendParameters(HapticsSendParameters.Params(player: player), by: .daemon) }
    refuses { _ = try $0.sendParameters(HapticsSendParameters.Params(player: player, intensity: -0.1), by: .daemon) }
    refuses { _ = try $0.sendParameters(HapticsSendParameters.Params(player: player, sharpness: 1.1), by: .daemon) }
    refuses {
      _ = try $0.scheduleCurve(
        HapticsScheduleCurve.Params(player: player, control: .intensity, points: []), by: .daemon)
    }
    refuses { _ = try $0.sendParameters(HapticsSendParameters.Params(player: player, audioVolume: 1.1), by: .daemon) }
    refuses { _ = try $0.sendParameters(HapticsSendParameters.Params(player: player, audioPan: -1.1), by: .daemon) }
    let wild = [HapticsScheduleCurve.Point(timeUs: 0, value: 2)]
    refuses {
      _ = try $0.scheduleCurve(
        HapticsScheduleCurve.Params(player: player, control: .intensity, points: wild), by: .daemon)
    }
    refuses { _ = try $0.playContinuous(HapticsContinuous.Params(durationUs: 0), by: .daemon) }
    refuses { _ = try $0.playContinuous(HapticsContinuous.Params(durationUs: 30_000_001), by: .daemon) }
    refuses("notRunning") {
      _ = try $0.playHaptics(HapticsPlay.Params(pattern: "thud", replaces: 7), by: .daemon)
    }
    #expect(fixture.engine.takeActions().haptics.count == 1)
  }

  @Test func aDocumentSentInlineIsBounded() throws {
    var fixture = try EngineFixture()
    func played(_ events: Int) -> String? {
      let event: JSONValue = .object([
        "Event": .object(["Time": .number(0.5), "EventType": .string("HapticTransient")])
      ])
      let ahap: JSONValue = .object([
        "Version": .integer(1), "Pattern": .array(Array(repeating: event, count: events)),
      ])
      do {
        _ = try fixture.engine.playHaptics(HapticsPlay.Params(ahap: ahap), by: Cause(client: me))
        return nil
      } catch { return error.message }
    }
    #expect(played(2_000) == nil)
    #expect(played(3_000) == "ahap has more than 131072 bytes, white space not counted")
  }

  @Test func noClientCanPileUpChangesWithoutEnd() throws {
    var fixture = try EngineFixture()
    let player = try play(&fixture)
    func send(_ user: UInt32, from client: UInt64) -> String? {
      let cause = Cause(client: ClientID(rawValue: client), user: user)
      let params = HapticsSendParameters.Params(player: player, intensity: 0.5, atUs: 1_500_000)
      return kind { _ = try fixture.engine.sendParameters(params, by: cause) }
    }
    // Of one client, whoever's the player is: 512, and 32 that nobody else could have.
    for _ in 0..<544 { #expect(send(1, from: 1) == nil) }
    #expect(send(1, from: 1) == "busy")
    // Of one user 1 024, and of each of its clients those that are its own.
    for _ in 0..<544 { #expect(send(1, from: 2) == nil) }
    #expect(send(1, from: 2) == "busy")
    for _ in 0..<32 { #expect(send(1, from: 3) == nil) }
    #expect(send(1, from: 3) == "busy")
    #expect(send(2, from: 4) == nil)
    _ = fixture.run(to: 1_600_000)
    for client in 1...3 as ClosedRange<UInt64> { #expect(send(1, from: client) == nil) }
  }

  @Test func changesBehindAStopCountNoMore() throws {
    var fixture = try EngineFixture()
    let (player, other) = (try play(&fixture), try play(&fixture))
    func send(to player: Int64, at: Int64) throws {
      let params = HapticsSendParameters.Params(player: player, intensity: 0.5, atUs: at)
      _ = try fixture.engine.sendParameters(params, by: Cause(client: me))
    }
    for index in 0..<512 as Range<Int64> { try send(to: player, at: 1_500_000 + index) }
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player, atUs: 1_500_100), by: .daemon)
    for _ in 0..<412 + 32 { try send(to: other, at: 1_600_000) }
    #expect(kind { try send(to: other, at: 1_600_000) } == "busy")
  }

  @Test func whatWaitsForAPlayerThatHasEndedCountsNoMore() throws {
    var fixture = try EngineFixture()
    for round in 1...3 as ClosedRange<Int64> {
      let player = try play(&fixture)
      let params = HapticsSendParameters.Params(player: player, intensity: 0.5, atUs: 60_000_000)
      for _ in 0..<512 { _ = try fixture.engine.sendParameters(params, by: .daemon) }
      _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player), by: .daemon)
      _ = fixture.run(to: 1_000_000 + round * 20_000)
      #expect(fixture.engine.playingHaptics { _ in true }.pendingCount == 0)
    }
    // The same where it ends by itself.
    let player = try play(&fixture, durationUs: 100_000)
    let params = HapticsSendParameters.Params(player: player, intensity: 0.5, atUs: 60_000_000)
    _ = try fixture.engine.sendParameters(params, by: .daemon)
    _ = fixture.run(to: 1_200_000)
    #expect(fixture.engine.playingHaptics { _ in true }.pendingCount == 0)
  }

  @Test func stopsDoNotPileUpAndTheFirstCounts() throws {
    var fixture = try EngineFixture()
    let player = try play(&fixture)
    for stop in [1_500_000, 1_400_000, 1_600_000, 1_400_000, 1_300_000] as [Int64] {
      _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player, atUs: stop), by: .daemon)
      #expect(fixture.engine.playingHaptics { _ in true }.pendingCount == 1)
    }
    let told = try fixture.run(to: 2_000_000).hapticChanges
    #expect(told.last == Told(tUs: 1_300_000, player: player, change: "stopped", reason: "requested"))
  }

  @Test func aClientsGainIsForAllItPlaysAndForNobodyElse() throws {
    var fixture = try EngineFixture()
    let you = ClientID(rawValue: 2)
    func level() -> Float { fixture.engine.playingHaptics { _ in true }.level(at: fixture.output.now).intensity }
    _ = try play(&fixture)
    _ = try fixture.engine.changeHapticGain(HapticsGain.Params(gain: 0.5), by: Cause(client: me))
    _ = fixture.run(to: 1_100_000)
    #expect(level() == 0.25)
    // On top of a player's own gain, whichever came first, and for players to come.
    let second = try play(&fixture)
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: second, gain: 0.5), by: .daemon)
    _ = fixture.run(to: 1_200_000)
    #expect(level() == 0.375)
    _ = try play(&fixture, from: you)
    _ = fixture.run(to: 1_300_000)
    #expect(level() == 0.875)
    #expect(
      kind { _ = try fixture.engine.changeHapticGain(HapticsGain.Params(gain: 1.5), by: Cause(client: me)) }
        == "invalidParams")
  }
}

/// A `haptics.changed` as it goes out.
struct Told: Decodable, Equatable {
  var tUs: Int64
  var player: Int64
  var change: String
  var reason: String?
  var iteration: Int?
}

private struct ToldLine: Decodable {
  var params: Told
}

extension [EngineAction] {
  /// What was told of players, read back from the lines.
  var hapticChanges: [Told] {
    get throws {
      try compactMap { action in
        guard case .notify(let notification, _) = action, notification.topic == .haptics else { return nil }
        let line = notification.line(seq: 0)
        guard String(decoding: line, as: UTF8.self).contains("haptics.changed") else { return nil }
        return try JSONDecoder().decode(ToldLine.self, from: Data(line)).params
      }
    }
  }
}
