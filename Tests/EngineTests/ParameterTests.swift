// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import JSON
import Mixing
import SeededNumbers
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct ParameterTests {
  private static let me = Cause(client: ClientID(rawValue: 1), user: 1)

  /// `dark` drives a track, and a bus, dull and low; `rise` drives the track too, a sound's pitch and a pattern.
  static let parameters = """
    "dark": {"targets": [
      {"track": "main", "gain": {"points": [{"value": 0, "to": 1}, {"value": 0.5, "to": 0.8}, {"value": 1, "to": 0.2}]}},
      {"bus": "music", "lowPass": {"points": [{"value": 0, "to": 20000}, {"value": 1, "to": 625}]}}]},
    "rise": {"default": 1, "targets": [
      {"track": "main", "gain": {"power": 0.8}}, {"sound": "click", "pitch": {"power": 1, "from": 0.5, "to": 2}},
      {"pattern": "thud", "intensity": {"power": 2}, "sharpness": {"points": [{"value": 0, "to": 0.5}, {"value": 1, "to": 1}]}}]}
    """

  private func set(
    _ fixture: inout EngineFixture, _ parameter: String, _ value: Double, at: Int64? = nil, over: Int64? = nil,
    by cause: Cause = me
  ) throws -> Scheduled {
    try fixture.engine.setParameter(
      ParameterSet.Params(parameter: parameter, value: value, atUs: at, overUs: over), by: cause)
  }

  private func driven(_ actions: [EngineAction]) -> [String] {
    actions.audio.compactMap { step in
      guard case .steer(.drive(let target, let value, let at, let fade)) = step else { return nil }
      return "\(target) to \(value) at \(at) in \(fade.frames)"
    }
  }

  @Test func aSettingMovesWhatItLeadsAlongItsCurve() throws {
    var fixture = try EngineFixture(parameters: Self.parameters)
    let told = try set(&fixture, "dark", 1, at: 2_000_000, over: 100_000)
    #expect(told.scheduledUs == 2_000_000 && told.lateUs == 0)
    #expect(driven(fixture.run(to: 1_890_000)).isEmpty)
    // By bends, and no further ahead than 100 ms; -5 octaves are 625 Hz.
    let steps = driven(fixture.run(to: 2_200_000))
    #expect(steps.first == "familyGain(0) to 0.98 at 48000 in 240")
    #expect(steps.last { $0.contains("familyGain") }?.hasPrefix("familyGain(0) to 0.2 ") == true)
    #expect(steps.last { $0.contains("lowPass") }?.hasPrefix("lowPass(Mixing.Bus.music) to -5.0 ") == true)
  }

  @Test func withoutALengthItTakesTenMillisecondsAndWhatIsHeardFiveAtLeast() throws {
    var fixture = try EngineFixture(parameters: Self.parameters)
    let told = try set(&fixture, "dark", 1)
    #expect(told.scheduledUs == 1_010_000)
    #expect(fixture.engine.parameters.parameters[0].course.settings[0].over == .milliseconds(10))
    _ = try set(&fixture, "dark", 0, at: 3_000_000, over: 0)
    #expect(fixture.engine.parameters.parameters[0].course.settings[1].over == .milliseconds(5))
    let late = try set(&fixture, "dark", 0, at: 900_000)
    #expect(late.scheduledUs == 1_010_000 && late.lateUs == 110_000)
  }

  @Test func whatNobodyLeadsIsLeftAloneAndWhatIsLedIsLedFromTheStart() throws {
    var plain = try EngineFixture()
    #expect(plain.engine.takeActions().audio.isEmpty)
    var fixture = try EngineFixture(
      parameters: #""low": {"targets": [{"bus": "sound", "gain": {"power": 1, "from": 0.5}}]}"#)
    let first = fixture.engine.takeActions().audio.compactMap { step -> String? in
      if case .command(.drive(let target, let value, _, let fade)) = step {
        "\(target) \(value) \(fade.frames)"
      } else {
        nil
      }
    }
    #expect(first == ["busGain(Mixing.Bus.sound) 0.5 0", "busGain(Mixing.Bus.haptic) 0.5 0"])
  }

  @Test(arguments: [(#""default": 0.5, "#, 0.25), ("", 0)])
  func aPatternIsFeltAsItsParameterHasItBeforeAnybodySetsIt(_ standard: String, _ factor: Float) throws {
    var fixture = try EngineFixture(
      parameters: #""low": {\#(standard)"targets": [{"pattern": "thud", "intensity": {"power": 2}}]}"#)
    _ = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: 1_100_000), by: Self.me)
    _ = fixture.run(to: 1_100_000)
    let plain = try {
      var fixture = try EngineFixture()
      _ = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: 1_100_000), by: Self.me)
      _ = fixture.run(to: 1_100_000)
      return fixture.engine.haptics.mixer.level(at: fixture.engine.turn.now).intensity
    }()
    #expect(plain > 0)
    #expect(abs(fixture.engine.haptics.mixer.level(at: fixture.engine.turn.now).intensity - factor * plain) < 1e-6)
  }

  @Test func voicesBeginInTheirFamily() throws {
    var fixture = try EngineFixture(parameters: Self.parameters)
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: Self.me)
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "word"), by: Self.me)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: Self.me)
    let starts = fixture.run(to: 1_200_000).audio.compactMap { step -> Int32? in
      if case .start(let start) = step { start.family } else { nil }
    }
    #expect(starts == [1, -1, 0])
    #expect(Engine.familyCount(of: fixture.engine.catalog) == 2)
  }

  @Test func settingsAreToldAtTheirInstantsAndListed() throws {
    var fixture = try EngineFixture(parameters: Self.parameters)
    _ = try set(&fixture, "dark", 1, at: 2_000_000, over: 1_000_000)
    _ = try set(&fixture, "rise", 0.25, at: 1_900_000)
    #expect(!fixture.run(to: 1_890_000).lines.contains { $0.contains("parameter.changed") })
    let lines = fixture.run(to: 2_500_000).lines.filter { $0.contains("parameter.changed") }
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""tUs":1900000,"#) == true && lines.first?.contains("rise") == true)
    #expect(lines.last?.contains(#""overUs":1000000"#) == true && lines.last?.contains(#""tUs":2000000"#) == true)
    let list = try fixture.engine.listParameters(ParameterList.Params()).parameters
    #expect(list.map(\.parameter) == ["game:dark", "game:rise"])
    #expect(list.map(\.value) == [0.5, 0.25] && list.map(\.target) == [1, 0.25])
    #expect(list.map(\.untilUs) == [3_000_000, nil] && list.map(\.default) == [0, 1])
  }

  @Test func whatIsPlannedHasAShareAndEndsWithItsClient() throws {
    var fixture = try EngineFixture(parameters: Self.parameters)
    for turn in 0..<512 { _ = try set(&fixture, "dark", 0.5, at: 2_000_000 + Int64(turn) * 1_000) }
    let said = #expect(throws: RPCError.self) { try set(&fixture, "dark", 1, at: 9_000_000) }
    #expect(said?.data.kind == "busy")
    #expect(throws: Never.self, "what is set now takes no room from others") { try set(&fixture, "dark", 1) }
    _ = try set(&fixture, "dark", 1, at: 5_000_000, by: Cause(client: ClientID(rawValue: 2), user: 1))
    fixture.engine.clientLeft(ClientID(rawValue: 1))
    // What it set for now comes: a program that sets something and ends has it set.
    #expect(fixture.engine.holdings["settings of parameters"] == 2 && fixture.engine.holdings["shares"] == 4)
    let lines = fixture.run(to: 6_000_000).lines.filter { $0.contains("parameter.changed") }
    #expect(lines.count == 2 && fixture.engine.holdings["shares"] == 0)
    #expect(try fixture.engine.listParameters(ParameterList.Params()).parameters[0].value == 1)
  }

  /// 60 parameters that drive the same bus, set by one cue: what drives it is taken back and told once, not 60 times.
  @Test func aCueLeadsOnceWhatAllItsStepsLead() throws {
    let names = (10..<70).map { "p\($0)" }
    let parameters = names.map { #""\#($0)": {"targets": [{"bus": "music", "gain": {"power": 1, "from": 1}}]}"# }
    let steps = names.map { #"{"parameter": "\#($0)", "value": 1, "over": 0.05}"# }.joined(separator: ", ")
    var fixture = try EngineFixture(
      cues: #""all": {"steps": [\#(steps)]}"#, parameters: parameters.joined(separator: ", "))
    _ = fixture.run(to: 1_100_000)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "all"), by: Self.me)
    #expect(fired.skipped.isEmpty)
    let steers = fixture.engine.takeActions().audio.filter { if case .steer = $0 { true } else { false } }
    #expect(steers.count { if case .steer(.retractDriven) = $0 { true } else { false } } == 1)
    // Ten bends in 50 ms, which all of them make together.
    #expect(steers.count < 16, "\(steers.count)")
  }

  @Test func whatNothingMovesIsNotLedOn() throws {
    let names = (10..<60).map { "p\($0)" }
    let parameters = names.map { #""\#($0)": {"targets": [{"sound": "click", "gain": {"power": 1, "from": 1}}]}"# }
    let dark = #""dark": {"targets": [{"track": "main", "gain": {"power": 1}}]}"#
    var fixture = try EngineFixture(parameters: (parameters + [dark]).joined(separator: ", "))
    _ = try set(&fixture, "dark", 1, at: 3_600_000_000)
    let now = fixture.output.now
    #expect(fixture.engine.parameters.movedTargets(from: now, to: now + .seconds(60)).isEmpty)
    _ = try set(&fixture, "dark", 0.5, over: 1_000_000)
    #expect(fixture.engine.parameters.movedTargets(from: now, to: now + .seconds(1)).count == 1)
  }

  @Test func aCueSetsAParameterAndMayBeStoppedBefore() throws {
    let cues =
      #""go": {"steps": [{"parameter": "felt", "value": 0.5, "over": 0}, {"pattern": "thud"}]}, "later": {"steps": [{"at": 1, "parameter": "dark", "value": 1, "over": 0.5}]}"#
    let felt = #", "felt": {"targets": [{"pattern": "thud", "intensity": {"power": 1}}]}"#
    var fixture = try EngineFixture(cues: cues, parameters: Self.parameters + felt)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_000_000), by: Self.me)
    // Nothing of it is heard.
    #expect(fired.soundAtUs == nil && fired.hapticAtUs == 2_000_000 && fired.skipped.isEmpty)
    _ = fixture.run(to: 2_000_000)
    #expect(fixture.engine.haptics.mixer.level(at: Instant(microseconds: 2_001_000)).intensity == 0.5)
    let later = try fixture.engine.fireCue(CueFire.Params(cue: "later", atUs: 3_000_000), by: Self.me)
    _ = fixture.run(to: 3_500_000)
    let stopped = try fixture.engine.stopCue(CueStop.Params(id: try #require(later.id)), by: Self.me)
    #expect(stopped.calledOff == ["parameter game:dark"])
    _ = fixture.run(to: 5_000_000)
    #expect(try fixture.engine.listParameters(ParameterList.Params()).parameters[0].value == 0)
    let done = try fixture.engine.fireCue(CueFire.Params(cue: "later", atUs: 6_000_000), by: Self.me)
    #expect(done.scheduledUs == 6_000_000 && done.soundAtUs == 7_000_000)
    _ = fixture.run(to: 7_600_000)
    #expect(try fixture.engine.listParameters(ParameterList.Params()).parameters[0].value == 1)
    #expect(fixture.engine.holdings["shares"] == 0 && fixture.engine.holdings["cues"] == 0)
  }

  @Test(
    arguments: [("beat", nil, 1_700_000), ("bar", nil, 3_200_000), ("beat", 1_800_000, 2_200_000)]
      as [(String, Int64?, Int64)])
  func aSettingWaitsForTheMusic(word: String, atUs: Int64?, scheduledUs: Int64) throws {
    var fixture = try EngineFixture(parameters: Self.parameters)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), by: .daemon)
    _ = fixture.run(to: 1_300_000)
    let at = atUs.map { ",\"atUs\":\($0)" } ?? ""
    let params = try decodeJSON(
      ParameterSet.Params.self, from: Array(#"{"parameter":"dark","value":1,"quantise":"\#(word)"\#(at)}"#.utf8)[...])
    let set = try fixture.engine.setParameter(params, by: Self.me)
    #expect(set.scheduledUs == scheduledUs && set.lateUs == 0)
    let told = fixture.run(to: 4_000_000).lines.filter { $0.contains("parameter.changed") }
    #expect(told.count == 1 && told[0].contains(#""tUs":\#(scheduledUs)"#), "\(told)")
  }

  @Test func aSettingIsRefusedWhereThereIsNothingToWaitFor() throws {
    var fixture = try EngineFixture(parameters: Self.parameters)
    let params = try decodeJSON(
      ParameterSet.Params.self, from: Array(#"{"parameter":"dark","value":1,"quantise":"bar"}"#.utf8)[...])
    let refused = #expect(throws: RPCError.self) { try fixture.engine.setParameter(params, by: Self.me) }
    #expect(refused?.data.kind == "unavailable")
    #expect(ParameterSet.refusals.contains(.unavailable) && fixture.engine.holdings["shares"] == 0)
  }

  @Test func unknownNamesAndValuesOutOfRangeAreRefused() throws {
    var fixture = try EngineFixture(parameters: Self.parameters)
    let said = #expect(throws: RPCError.self) { try set(&fixture, "drak", 1) }
    #expect(said?.message == "no parameter game:drak; did you mean game:dark?")
    for value in [-0.01, 1.01, .infinity] { #expect(throws: RPCError.self) { try set(&fixture, "dark", value) } }
    #expect(throws: RPCError.self) { try set(&fixture, "dark", 1, over: 60_000_001) }
    #expect(fixture.engine.holdings["shares"] == 0)
  }

  // MARK: - The fold

  /// Settings asked for in any order, near and far, by two clients of which one leaves: what is heard and felt at each instant
  /// is the curves of their fold, thought through by hand.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func allSettingsComeToTheirFoldWhateverOrderTheyAreAskedIn(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var fixture = try EngineFixture(parameters: Self.parameters) { pack in
      pack.patterns["thud"] = .continuous(intensity: 1, sharpness: 1, duration: .seconds(20))
    }
    struct Asked {
      var at, over: Int64
      var value: Double
      var client: UInt64
    }
    var asked: [String: [Asked]] = ["dark": [], "rise": []]
    var listener = DrivenListener()
    var haptics = HapticMixer()
    _ = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: 1_000_000), by: .daemon)
    let leaves = Int.random(in: 20..<60, using: &random)
    var felt: [(at: Int64, intensity: Float, sharpness: Float)] = []
    for turn in 0..<80 {
      let now = fixture.output.now.microseconds
      if turn == leaves {
        fixture.engine.clientLeft(ClientID(rawValue: 2))
        // What has been mixed stays, and what was set for now.
        let soonest = fixture.engine.earliestSetting(of: 0) + .milliseconds(20)
        for key in asked.keys { asked[key]?.removeAll { $0.client == 2 && Instant(microseconds: $0.at) > soonest } }
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let name = Bool.random(using: &random) ? "dark" : "rise"
        let at = Bool.random(using: &random) ? nil : now + Int64.random(in: -50_000...250_000, using: &random)
        let over = Int64.random(in: 5_000...120_000, using: &random)
        let value = Double.random(in: 0...1, using: &random)
        let client = turn < leaves ? UInt64.random(in: 1...2, using: &random) : 1
        let told = try set(
          &fixture, name, value, at: at, over: over, by: Cause(client: ClientID(rawValue: client), user: 1))
        asked[name]?.append(Asked(at: told.scheduledUs, over: over, value: value, client: client))
      }
      let actions = fixture.run(to: now + Int64.random(in: 1...30_000, using: &random))
      listener.hear(actions.audio, of: .familyGain(0))
      for command in actions.haptics { haptics.apply(command) }
      let end = fixture.output.now
      _ = haptics.advance(to: end)
      let level = haptics.level(at: end)
      felt.append((end.microseconds, level.intensity, level.sharpness))
    }
    func value(_ name: String, _ start: Double, at us: Double) -> Double {
      var (from, to, at, over) = (start, start, 0.0, 1.0)
      func now(_ instant: Double) -> Double { from + (to - from) * min(1, max(0, (instant - at) / over)) }
      for setting in (asked[name] ?? []).enumerated().sorted(by: {
        ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
      })
      .map(\.element) where Double(setting.at) <= us {
        (from, to) = (now(Double(setting.at)), setting.value)
        (at, over) = (Double(setting.at), Double(setting.over))
      }
      return now(us)
    }
    func dark(_ value: Double) -> Double { value < 0.5 ? 1 - 0.4 * value : 0.8 - 1.2 * (value - 0.5) }
    let end = fixture.output.now.microseconds
    let frames = Array(stride(from: Int64(480), to: (end - 1_000_000) * 48 / 1_000, by: 211))
    for (frame, heard) in zip(frames, listener.values(at: frames, from: 1)) {
      let us = 1_000_000 + Double(frame) * 1_000 / 48
      let expected = dark(value("dark", 0, at: us)) * Double.pow(value("rise", 1, at: us), 0.8)
      #expect(abs(Double(heard) - expected) < 3e-3, "\(us) us")
    }
    for (at, intensity, sharpness) in felt {
      let rise = value("rise", 1, at: Double(at))
      #expect(abs(Double(intensity) - rise * rise) < 1e-3, "\(at) us")
      if intensity > 0.01 { #expect(abs(Double(sharpness) - (0.5 + rise / 2)) < 1e-3, "\(at) us") }
    }
  }
}

extension Double {
  fileprivate static func pow(_ base: Double, _ power: Double) -> Double {
    ParameterCurve(power: power, from: 0, to: 1)(base)
  }
}
