// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// The verbs of haptic players, through the socket of the real daemon and out of its haptic log: every line by hand.
@Suite struct HapticsVerbTests {
  @Test func aPlayerPausedSoughtLoopedAndChangedIsFeltExactlySo() throws {
    let game = try LoggedGame()
    let call = game.game.connection
    // Two taps, at 0 and 100 ms, and a steady half from 200 to 300 ms.
    let played = try call.call(HapticsPlay.self, HapticsPlay.Params(ahap: twoTapsAndARumble, atUs: game.at(0)))
    #expect(played.scheduledUs == game.at(0))
    #expect(played.durationUs == 300_000)
    let id = try #require(played.player)

    // Paused at 50 ms for a second: the second tap comes at 1 100 ms.
    _ = try call.call(HapticsPause.self, PlayerParams(player: id, atUs: game.at(50)))
    _ = try call.call(HapticsResume.self, PlayerParams(player: id, atUs: game.at(1_050)))
    // At 1 150 (position 150) back to 90: the second tap again at 1 160, the rumble from 1 260.
    let sought = try call.call(
      HapticsSeek.self, HapticsSeek.Params(player: id, positionUs: 90_000, atUs: game.at(1_150)))
    #expect(sought.positionUs == 90_000)
    // In the rumble: half as strong at 1 280, sharper from 1 300 on, taps too, a curve from 1 310 to 1 330, then looping from 1 350.
    _ = try call.call(
      HapticsSendParameters.self,
      HapticsSendParameters.Params(player: id, intensity: 0.5, atUs: game.at(1_280)))
    _ = try call.call(
      HapticsSendParameters.self,
      HapticsSendParameters.Params(player: id, sharpness: 0.3, atUs: game.at(1_300)))
    _ = try call.call(
      HapticsScheduleCurve.self,
      HapticsScheduleCurve.Params(
        player: id, control: .intensity, points: [.init(timeUs: 0, value: 0.2), .init(timeUs: 20_000, value: 1)],
        atUs: game.at(1_310)))
    _ = try call.call(HapticsSet.self, HapticsSet.Params(player: id, loop: true, atUs: game.at(1_350)))
    // The pattern's end, 300 ms, comes at 1 360: it goes round, at twice the speed from 1 410 (position 50).
    _ = try call.call(HapticsSet.self, HapticsSet.Params(player: id, rate: 2, gain: 0.5, atUs: game.at(1_410)))
    // Position 100 at 1 435: a tap of 10 ms. Position 200 at 1 485: the rumble, muted at 1 500.
    _ = try call.call(HapticsSet.self, HapticsSet.Params(player: id, mute: true, atUs: game.at(1_500)))
    _ = try call.call(HapticsStop.self, HapticsStop.Params(player: id, atUs: game.at(1_520)))
    let told = try game.game.step(to: game.at(2_000)).all(HapticsChanged.self)

    #expect(
      try game.lines() == [
        .init(0, 0.8, 0.5), .init(20, 0, 0),
        .init(1_100, 1, 0.25), .init(1_120, 0, 0),
        .init(1_160, 1, 0.25), .init(1_180, 0, 0),
        .init(1_260, 0.5, 0.4), .init(1_280, 0.25, 0.4), .init(1_300, 0.25, 0.7),
        .init(1_310, 0.1, 0.7), .init(1_320, 0.3, 0.7), .init(1_330, 0.5, 0.7),
        .init(1_360, 0.8, 0.8), .init(1_380, 0, 0),
        .init(1_435, 0.5, 0.55), .init(1_445, 0, 0),
        .init(1_485, 0.25, 0.7), .init(1_500, 0, 0),
      ])
    #expect(told.map { $0.tUs - game.zero } == [0, 1_360_000, 1_520_000])
    #expect(told.map(\.payload.change) == [.started, .looped, .stopped])
    #expect(told.last?.payload.reason == .requested)
  }

  @Test func aHundredAndTwentyParametersASecondAreEachFeltAtTheirInstant() throws {
    let game = try LoggedGame()
    let call = game.game.connection
    let played = try call.call(
      HapticsContinuous.self,
      HapticsContinuous.Params(durationUs: 2_000_000, intensity: 1, sharpness: 0, atUs: game.at(0)))
    var expected: [FeltLine] = [FeltLine(0, 1, 0)]
    var answers: [FeltLine] = []
    for turn in 1...240 {
      // Sent when it is felt, as a hand on a slider does: 8 333 us apart.
      let instant = game.zero + Int64(turn) * 8_333
      try game.game.step(to: instant)
      let intensity = Double(turn % 100) / 100
      let sent = try call.call(
        HapticsSendParameters.self,
        HapticsSendParameters.Params(player: try #require(played.player), intensity: intensity))
      #expect(sent.lateUs == 0)
      answers.append(FeltLine(us: sent.scheduledUs - game.zero, intensity, 0))
      expected.append(FeltLine(us: Int64(turn) * 8_333, intensity, 0))
    }
    try game.game.step(to: game.at(2_500))
    #expect(answers == Array(expected.dropFirst()))
    // 240 x 8 333 us is 80 us before the end: the last one is felt too.
    #expect(try game.lines() == expected + [FeltLine(2_000, 0, 0)])
  }

  @Test func aClientsPlayersFinishWithoutItAndAnyoneMayStopThem() throws {
    let game = try LoggedGame()
    let mine = try game.game.connection.call(
      HapticsContinuous.self, HapticsContinuous.Params(durationUs: 5_000_000, intensity: 0.5, atUs: game.at(0)))
    var other: StarlightConnection? = try game.game.daemon.connect()
    let theirs = try #require(
      try other?.call(
        HapticsContinuous.self, HapticsContinuous.Params(durationUs: 5_000_000, intensity: 0.25, atUs: game.at(0))))
    let loops = try #require(
      try other?.call(
        HapticsContinuous.self, HapticsContinuous.Params(durationUs: 1_000_000, intensity: 0.125, atUs: game.at(0))))
    _ = try other?.call(
      HapticsSet.self, HapticsSet.Params(player: try #require(loops.player), loop: true, atUs: game.at(50)))
    _ = try other?.call(HapticsStop.self, HapticsStop.Params(player: mine.player, atUs: game.at(100)))
    var told = try game.game.step(to: game.at(200)).all(HapticsChanged.self)
    other = nil
    // The daemon has noticed when it counts one client.
    while try game.game.connection.call(EngineStatus.self, Empty()).clients > 1 {}
    told += try game.game.step(to: game.at(5_100)).all(HapticsChanged.self)
    let ends = told.filter { $0.payload.change == .stopped || $0.payload.change == .finished }
    #expect(ends.map(\.payload.player) == [mine.player, loops.player, theirs.player])
    #expect(ends.map(\.payload.reason) == [.requested, .disconnected, nil])
    // What repeats fades out.
    let levels = try game.lines().map(\.intensity)
    #expect(levels.prefix(2) == [0.875, 0.375] && levels.suffix(2) == [0.25, 0])
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test func aClientHasItsShareOfThePlayersAndItsGain() throws {
    let game = try LoggedGame()
    let params = HapticsContinuous.Params(durationUs: 1_000_000, intensity: 0.05, atUs: game.at(0))
    let limits = try game.game.connection.call(SessionHello.self, SessionHello.Params()).limits
    for _ in 0..<limits.hapticPlayersOfAClient {
      _ = try game.game.connection.call(HapticsContinuous.self, params)
    }
    #expect(
      try errorKind { _ = try game.game.connection.call(HapticsContinuous.self, params) } == "busy")
    // All sixteen are felt together, 16 x 0.05, and that of another beside them, which its gain is for.
    let other = try game.game.daemon.connect()
    _ = try other.call(HapticsGain.self, HapticsGain.Params(gain: 0.5))
    _ = try other.call(HapticsContinuous.self, params)
    try game.game.step(to: game.at(500))
    let felt = try #require(try game.lines().first?.intensity)
    #expect(abs(felt - 0.825) < 1e-6)
  }

  @Test func anOutputIsTurnedDownByItself() throws {
    let game = try LoggedGame()
    let call = game.game.connection
    let log = try #require(try call.call(DevicesList.self, Empty()).haptics.first)
    #expect(log.kind == .log && log.state == .ready && log.gain == 1)
    let changed = try call.call(DevicesSet.self, DevicesSet.Params(device: log.name, gain: 0.25))
    #expect(changed.haptic?.gain == 0.25 && changed.audio == nil)
    #expect(try game.game.drain().all(DevicesChanged.self).first?.payload.haptics?.first?.gain == 0.25)
    #expect(
      try errorKind { _ = try call.call(DevicesSet.self, DevicesSet.Params(device: "pad", gain: 1)) } == "unknownName")
    #expect(
      try errorKind { _ = try call.call(DevicesSet.self, DevicesSet.Params(device: log.name, gain: 2)) }
        == "invalidParams")
    _ = try call.call(
      HapticsTransient.self, HapticsTransient.Params(intensity: 0.8, sharpness: 0.5, atUs: game.at(0)))
    try game.game.step(to: game.at(100))
    #expect(try game.lines() == [.init(0, 0.2, 0.5), .init(20, 0, 0)])
  }

  private var twoTapsAndARumble: JSONValue {
    func event(_ type: String, _ time: Double, _ intensity: Double, _ sharpness: Double, _ duration: Double? = nil)
      -> JSONValue
    {
      var event: [String: JSONValue] = [
        "EventType": .string(type), "Time": .number(time),
        "EventParameters": .array([
          .object(["ParameterID": .string("HapticIntensity"), "ParameterValue": .number(intensity)]),
          .object(["ParameterID": .string("HapticSharpness"), "ParameterValue": .number(sharpness)]),
        ]),
      ]
      if let duration { event["EventDuration"] = .number(duration) }
      return .object(["Event": .object(event)])
    }
    return .object([
      "Version": .number(1),
      "Pattern": .array([
        event("HapticTransient", 0, 0.8, 0.5), event("HapticTransient", 0.1, 1, 0.25),
        event("HapticContinuous", 0.2, 0.5, 0.4, 0.1),
      ]),
    ])
  }
}

/// One line of the haptic log, in time from the test's zero.
struct FeltLine: Equatable {
  var us: Int64
  var intensity: Double
  var sharpness: Double

  init(us: Int64, _ intensity: Double, _ sharpness: Double) {
    self.us = us
    self.intensity = intensity
    self.sharpness = sharpness
  }

  init(_ milliseconds: Int64, _ intensity: Double, _ sharpness: Double) {
    self.init(us: milliseconds * 1_000, intensity, sharpness)
  }
}

/// A stepped game with a haptic log, and an instant to count from.
private final class LoggedGame {
  let game: SteppedGame
  let zero: Int64
  private let directory: String

  init() throws {
    directory = try makeTemporaryDirectory()
    game = try SteppedGame(["--haptic-log", directory + "/haptics.ndjson"])
    zero = game.nowUs + 100_000
  }

  deinit { removeDirectory(directory) }

  func at(_ milliseconds: Int64) -> Int64 { zero + milliseconds * 1_000 }

  /// What has been written so far.
  func lines() throws -> [FeltLine] {
    struct Line: Decodable {
      var tUs: Int64
      var intensity: Double
      var sharpness: Double
    }
    return try String(contentsOfFile: directory + "/haptics.ndjson", encoding: .utf8).split(separator: "\n").map {
      let line = try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      return FeltLine(us: line.tUs - zero, line.intensity, line.sharpness)
    }
  }
}
