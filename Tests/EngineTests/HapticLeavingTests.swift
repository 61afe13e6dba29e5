// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What becomes of what a client has felt when it leaves.
@Suite struct HapticLeavingTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1_000)

  private func play(
    _ fixture: inout EngineFixture, durationUs: Int64 = 1_000_000, at: Int64? = nil, keepUs: Int64? = nil,
    by cause: Cause? = nil
  ) throws -> Int64 {
    let params = HapticsContinuous.Params(
      durationUs: durationUs, intensity: 0.8, sharpness: 0.5, atUs: at, keepAfterDisconnectUs: keepUs)
    return try #require(try fixture.engine.playContinuous(params, by: cause ?? me).player)
  }

  /// A second of 0.8 that repeats until it is stopped.
  private func loop(_ fixture: inout EngineFixture, at: Int64? = nil, keepUs: Int64? = nil) throws -> Int64 {
    let params = HapticsPlay.Params(
      ahap: .object([
        "Pattern": .array([
          .object([
            "Event": .object([
              "Time": .integer(0), "EventType": .string("HapticContinuous"), "EventDuration": .integer(1),
              "EventParameters": .array([
                .object(["ParameterID": .string("HapticIntensity"), "ParameterValue": .number(0.8)])
              ]),
            ])
          ])
        ])
      ]), atUs: at, loop: true, keepAfterDisconnectUs: keepUs)
    return try #require(try fixture.engine.playHaptics(params, by: me).player)
  }

  private func level(_ fixture: EngineFixture, at us: Int64) -> Double {
    Double(fixture.engine.haptics.mixer.level(at: Instant(microseconds: us)).intensity)
  }

  private func stopped(_ tUs: Int64, _ player: Int64) -> Told {
    Told(tUs: tUs, player: player, change: "stopped", reason: "disconnected")
  }

  @Test func whatPlaysOnceFinishesWhatRepeatsFadesAndWhatIsToComeDoesNot() throws {
    var fixture = try EngineFixture()
    let once = try play(&fixture)
    let loops = try loop(&fixture)
    let later = try play(&fixture, at: 1_600_000)
    let loopsLater = try loop(&fixture, at: 1_600_000)
    _ = fixture.run(to: 1_500_000)
    fixture.engine.clientLeft(me.client)
    #expect(
      try fixture.run(to: 4_000_000).hapticChanges == [
        Told(tUs: 1_500_000, player: later, change: "cancelled"),
        Told(tUs: 1_500_000, player: loopsLater, change: "cancelled"), stopped(1_550_000, loops),
        Told(tUs: 2_000_000, player: once, change: "finished"),
      ])
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  @Test func whatRepeatsFadesInAStraightLineOf50Milliseconds() throws {
    var fixture = try EngineFixture()
    _ = try loop(&fixture)
    _ = fixture.run(to: 1_500_000)
    fixture.engine.clientLeft(me.client)
    let levels = [1_500_000, 1_510_000, 1_525_000, 1_540_000, 1_550_000].map { level(fixture, at: $0) }
    for (level, expected) in zip(levels, [0.8, 0.64, 0.4, 0.16, 0]) { #expect(abs(level - expected) < 1e-6) }
  }

  @Test func whatStandsStillEndsAndWhatWasSetToRepeatDoes() throws {
    var fixture = try EngineFixture()
    let paused = try play(&fixture)
    let looped = try play(&fixture)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: paused, atUs: 1_200_000), by: me)
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: looped, loop: true, atUs: 1_300_000), by: me)
    _ = fixture.run(to: 1_500_000)
    fixture.engine.clientLeft(me.client)
    #expect(try fixture.run(to: 4_000_000).hapticChanges == [stopped(1_550_000, paused), stopped(1_550_000, looped)])
  }

  @Test func whatIsToRepeatOrStandStillBeforeItsEndDoesNotFinish() throws {
    var fixture = try EngineFixture()
    let toLoop = try play(&fixture)
    let toPause = try play(&fixture)
    let toPauseTooLate = try play(&fixture)
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: toLoop, loop: true, atUs: 1_800_000), by: me)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: toPause, atUs: 1_800_000), by: me)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: toPauseTooLate, atUs: 2_500_000), by: me)
    _ = fixture.run(to: 1_500_000)
    fixture.engine.clientLeft(me.client)
    #expect(
      try fixture.run(to: 4_000_000).hapticChanges == [
        stopped(1_550_000, toLoop), stopped(1_550_000, toPause),
        Told(tUs: 2_000_000, player: toPauseTooLate, change: "finished"),
      ])
  }

  @Test func whatIsPlayedNowByAProgramThatEndsIsFelt() throws {
    var fixture = try EngineFixture(
      cues: #""snap": {"align": "soundFirst", "steps": [{"sound": "click"}, {"pattern": "thud"}]}"#)
    let tap = try #require(try fixture.engine.playTransient(HapticsTransient.Params(), by: me).player)
    let cue = try fixture.engine.fireCue(CueFire.Params(cue: "snap"), by: me)
    // It is felt with its sound, which can be heard 10 ms later.
    #expect(cue.hapticAtUs == 1_010_000)
    let loops = try loop(&fixture, at: 1_010_000)
    fixture.engine.clientLeft(me.client)
    let actions = fixture.run(to: 2_000_000)
    let told = try actions.hapticChanges
    #expect(told.filter { $0.player == tap }.map(\.change) == ["started", "finished"])
    #expect(told.filter { $0.player == loops }.map(\.change) == ["cancelled"])
    #expect(told.filter { $0.player != tap && $0.player != loops }.map(\.change) == ["started", "finished"])
    #expect(!actions.lines.contains { $0.contains("cue.cancelled") })
  }

  @Test func whatEndsByItselfGoesOnFor30SecondsAtMost() throws {
    var fixture = try EngineFixture()
    let long = try play(&fixture, durationUs: 30_000_000)
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: long, rate: 0.5), by: me)
    _ = fixture.run(to: 2_000_000)
    fixture.engine.clientLeft(me.client)
    _ = fixture.run(to: 31_900_000)
    #expect(level(fixture, at: 32_000_000) > 0.79 && level(fixture, at: 32_025_000) < 0.41)
    #expect(try fixture.run(to: 40_000_000).hapticChanges == [stopped(32_050_000, long)])
  }

  @Test func whatIsKeptGoesOnForAsLongAsItsClientAskedFor() throws {
    var fixture = try EngineFixture()
    let loops = try loop(&fixture, keepUs: 1_000_000)
    let later = try play(&fixture, at: 1_900_000, keepUs: 1_000_000)
    let tooLate = try play(&fixture, at: 2_600_000, keepUs: 1_000_000)
    _ = fixture.run(to: 1_500_000)
    fixture.engine.clientLeft(me.client)
    #expect(
      try fixture.run(to: 4_000_000).hapticChanges.filter { $0.change != "looped" } == [
        Told(tUs: 1_500_000, player: tooLate, change: "cancelled"),
        Told(tUs: 1_900_000, player: later, change: "started"), stopped(2_550_000, loops),
        Told(tUs: 2_900_000, player: later, change: "finished"),
      ])
  }

  @Test func aCueIsToldAsStoppedWhereSomethingFeltOfItIsCut() throws {
    for (step, cutUs) in [
      (#""pattern": "thud", "loop": true"#, 1_560_000),
      (#""continuous": {"intensity": 1, "sharpness": 1, "duration": 1}"#, nil),
      (#""continuous": {"intensity": 1, "sharpness": 1, "duration": 30}"#, 31_550_000 as Int64?),
    ] {
      var fixture = try EngineFixture(cues: #""felt": {"steps": [{\#(step)}]}"#)
      _ = try fixture.engine.fireCue(CueFire.Params(cue: "felt", atUs: 2_000_000), by: me)
      _ = fixture.run(to: 2_500_000)
      // What is longer than can be asked for in a cue is played slower.
      if cutUs ?? 0 > 30_000_000, let player = fixture.engine.haptics.players.first {
        let id = Int64(player.rawValue)
        _ = try fixture.engine.setHaptics(HapticsSet.Params(player: id, rate: 0.5), by: me)
      }
      fixture.engine.clientLeft(me.client)
      let told = fixture.run(to: 40_000_000).lines.filter { $0.contains("cue.cancelled") }
      #expect(told.count == (cutUs == nil ? 0 : 1), "\(step): \(told)")
      if let cutUs, let line = told.first {
        #expect(line.contains(#""tUs":\#(cutUs + 1_000_000)"#) && line.contains(#""reason":"stopped""#), "\(line)")
      }
      #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
    }
  }

  /// A tone of a second, and another half way.
  private static let tones = """
    {"Pattern": [{"Event": {"Time": 0, "EventType": "AudioContinuous", "EventDuration": 1}},
                 {"Event": {"Time": 0.52, "EventType": "AudioContinuous", "EventDuration": 0.3}}]}
    """

  @Test(arguments: [false, true]) func whatIsHeardOfAPatternFinishesOrFadesWithIt(loops: Bool) throws {
    var fixture = try EngineFixture { pack in
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(Self.tones.utf8), name: "thud").0)
    }
    _ = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: 2_000_000, loop: loops), by: me)
    // The second is planned by now, and begins behind what is left.
    #expect(fixture.run(to: 2_490_000).soundStarts.count == 2)
    fixture.engine.clientLeft(me.client)
    let actions = fixture.run(to: 5_000_000)
    let stops = actions.audio.compactMap { step -> [Int64]? in
      if case .steer(.stop(let voice, let at, let fade)) = step {
        [Int64(voice.rawValue), at, Int64(fade.frames)]
      } else {
        nil
      }
    }
    // Heard 10 ms after it is asked for at the earliest, at 2.5 s. What is over by itself ends by 5 ms.
    #expect(stops.filter { $0[0] == 1 } == (loops ? [[1, 72_000, 2_400]] : [[1, 96_000, 240]]))
    #expect(actions.audio.retracted.contains(VoiceID(rawValue: 2)) == loops)
    #expect(actions.soundStarts.isEmpty)
  }

  @Test func thoseWhoHaveGoneLeaveTheLastPlayersToThoseWhoAreHere() throws {
    var fixture = try EngineFixture()
    for client in 1...40 as ClosedRange<UInt64> {
      let cause = Cause(client: ClientID(rawValue: client), user: 1_000)
      _ = try play(&fixture, durationUs: 20_000_000, by: cause)
      fixture.engine.clientLeft(cause.client)
    }
    _ = fixture.run(to: 1_500_000)
    #expect(fixture.engine.haptics.owners.count == 24)
    // One of its own, and as many of the last as there are for who has few.
    let here = Cause(client: ClientID(rawValue: 41), user: 1_000)
    for _ in 0..<4 { _ = try play(&fixture, by: here) }
    #expect(throws: RPCError.self) { try play(&fixture, by: here) }
  }

  @Test func whereThereIsNoRoomItEndsAtOnce() throws {
    var fixture = try EngineFixture()
    // 12, 12, 3, 3 and 2 beside each client's own are all that a user may have.
    for (client, count) in [13, 13, 4, 4, 3, 1].enumerated() {
      let cause = Cause(client: ClientID(rawValue: UInt64(client) + 1), user: 1_000)
      for _ in 0..<count { _ = try play(&fixture, by: cause) }
    }
    _ = fixture.run(to: 1_200_000)
    let last = try #require(fixture.engine.haptics.players.last)
    fixture.engine.clientLeft(ClientID(rawValue: 6))
    #expect(try fixture.run(to: 1_500_000).hapticChanges == [stopped(1_200_000, Int64(last.rawValue))])
  }

  @Test func whatIsSkippedOfACueIsNotCutByItsClientsLeaving() throws {
    var fixture = try EngineFixture(cues: #""snap": {"steps": [{"sound": "click"}, {"pattern": "thud"}]}"#)
    let params = CueFire.Params(cue: "snap", atUs: 2_000_000, keepAfterDisconnectUs: 10_000_000)
    _ = try fixture.engine.fireCue(params, by: me)
    fixture.engine.clientLeft(me.client)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(haptics: false), by: .daemon)
    let lines = fixture.run(to: 20_000_000).lines
    #expect(lines.contains { $0.contains("cue.fired") && $0.contains("hapticsOff") })
    #expect(!lines.contains { $0.contains("cue.cancelled") })
  }
}
