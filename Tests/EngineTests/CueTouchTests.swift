// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// When the steps of a cue are felt that lie behind its zero: with their sounds, or as soon after as motors can be told. It is
/// 1 s, and 10 ms until something can be heard.
@Suite struct CueTouchTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private static let tap = #""transient": {"intensity": 1, "sharpness": 1}"#
  /// Sounds and taps, at once and half a second later.
  private static let both =
    #"{"sound": "click"}, {\#(tap)}, {"at": 0.5, "sound": "click"}, {"at": 0.5, \#(tap)}"#

  private func fixture(lead: Int64, _ steps: String, parameters: String? = nil) throws -> EngineFixture {
    var fixture = try EngineFixture(cues: #""go": {"steps": [\#(steps)]}"#, parameters: parameters)
    fixture.output.hapticLead = .microseconds(lead)
    return fixture
  }

  private func fire(
    _ fixture: inout EngineFixture, atUs: Int64? = nil, align: CueFire.Params.Align? = nil
  ) throws -> CueFire.Result {
    try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: atUs, align: align), by: me)
  }

  private func set(_ fixture: inout EngineFixture, sound: Bool? = nil, haptics: Bool? = nil) throws {
    _ = try fixture.engine.changeSettings(SettingsSet.Params(sound: sound, haptics: haptics), by: me)
  }

  @Test(
    arguments: [
      (nil, 0, [1_010_000, 1_510_000], 0), (nil, 25_000, [1_025_000, 1_510_000], 15_000),
      (.soundFirst, 25_000, [1_025_000, 1_510_000], 15_000), (.together, 25_000, [1_025_000, 1_525_000], 0),
      (.asap, 25_000, [1_025_000, 1_510_000], 15_000), (.asap, 4_000, [1_004_000, 1_504_000], -6_000),
    ] as [(CueFire.Params.Align?, Int64, [Int64], Int64)])
  func whatThereIsTimeToPrepareComesWithItsSound(
    align: CueFire.Params.Align?, lead: Int64, felt: [Int64], skew: Int64
  ) throws {
    var fixture = try fixture(lead: lead, Self.both)
    let fired = try fire(&fixture, align: align)
    #expect(fired.hapticAtUs == felt[0] && fired.skewUs == skew)
    let actions = fixture.run(to: 1_600_000)
    let heard: Int64 = align == .together ? 1_200 : 480
    #expect(actions.soundStarts.map(\.at) == [heard, heard + 24_000])
    #expect(actions.haptics.starts == felt)
    let told = try #require(actions.lines.first { $0.contains("cue.fired") })
    #expect(told.contains(#""hapticAtUs":\#(felt[0])"#) && told.contains(#""skewUs":\#(skew)"#))
  }

  @Test func whatThereIsNoTimeForComesAsSoonAsItCanInTheOrderOfItsSteps() throws {
    let offsets = ["0", "0.005", "0.01", "0.015", "0.0152", "0.02"]
    var fixture = try fixture(
      lead: 25_000, #"{"sound": "click"}, "# + offsets.map { #"{"at": \#($0), \#(Self.tap)}"# }.joined(separator: ", "))
    _ = try fire(&fixture)
    let felt = fixture.run(to: 1_100_000).haptics.starts
    #expect(felt == [1_025_000, 1_025_001, 1_025_002, 1_025_003, 1_025_200, 1_030_000])
  }

  @Test func whatEndsSomethingEndsWhatBeganBeforeItAndNotWhatComesAfterIt() throws {
    var fixture = try fixture(
      lead: 25_000,
      #"{"sound": "click"}, {"pattern": "thud", "loop": true}, {"at": 0.005, "stop": {"pattern": "thud"}}, "#
        + #"{"at": 0.01, "pattern": "thud", "loop": true}, {"at": 0.5, "stop": {"haptics": true}}"#)
    _ = try fire(&fixture)
    let commands = fixture.run(to: 2_000_000).haptics
    #expect(commands.starts == [1_025_000, 1_025_002])
    let stops = commands.compactMap { command -> [Int64]? in
      if case .stop(let player, let at) = command { [Int64(player.rawValue), at.microseconds] } else { nil }
    }
    #expect(
      Set(stops) == [[1, 1_025_001], [1, 1_510_000], [2, 1_510_000]]
        || Set(stops) == [[1, 1_025_001], [2, 1_510_000]])
  }

  /// Nothing of it is heard: its rhythm is its own.
  @Test func whatIsFeltAloneKeepsItsDistances() throws {
    var fixture = try fixture(lead: 25_000, #"{\#(Self.tap)}, {"at": 0.01, \#(Self.tap)}, {"at": 0.1, \#(Self.tap)}"#)
    let fired = try fire(&fixture)
    #expect(fired.scheduledUs == 1_025_000 && fired.hapticAtUs == 1_025_000 && fired.soundAtUs == nil)
    #expect(fixture.run(to: 1_200_000).haptics.starts == [1_025_000, 1_035_000, 1_125_000])
  }

  /// Both switches are off at the cue, and on again before what comes later in it.
  @Test(arguments: [0, 4_000, 25_000] as [Int64], [nil, .soundFirst, .together] as [CueFire.Params.Align?])
  func whatIsOnAgainBeforeALaterStepIsFeltWithItsSound(lead: Int64, align: CueFire.Params.Align?) throws {
    for (sound, haptics) in [(false, false), (false, true), (true, false)] {
      var fixture = try fixture(lead: lead, Self.both)
      try set(&fixture, sound: sound, haptics: haptics)
      let fired = try fire(&fixture, align: align)
      // Nobody waits for what is off.
      if !sound, haptics { #expect(fired.hapticAtUs == 1_000_000 + lead) }
      if sound, !haptics { #expect(fired.soundAtUs == 1_010_000) }
      var actions = fixture.run(to: 1_100_000)
      try set(&fixture, sound: true, haptics: true)
      actions += fixture.run(to: 1_600_000)
      let heard = try #require(actions.soundStarts.last).at
      let felt = try #require(actions.haptics.starts.last)
      #expect(1_000_000 + heard * 1_000 / 48 == felt, "\(sound) \(haptics)")
    }
  }

  /// What is asked for too late for its sound is decided at once, as it is where a sound is asked for alone.
  @Test func aSoundThatIsOffAndTooLateIsSkippedAtOnceAndWaitedForByNobody() throws {
    var fixture = try fixture(lead: 0, #"{"sound": "click"}, {\#(Self.tap)}"#)
    try set(&fixture, sound: false)
    let fired = try fire(&fixture, atUs: 1_005_000)
    #expect(fired.skipped.count == 1 && fired.hapticAtUs == 1_005_000 && fired.soundAtUs == nil)
    fixture.output = EngineFixture.output(at: 1_002_000)
    try set(&fixture, sound: true)
    let actions = fixture.run(to: 1_100_000)
    #expect(actions.soundStarts.isEmpty && actions.haptics.starts == [1_005_000])
  }

  /// A parameter that drives what is felt is set when that is.
  @Test func aParameterMovesWithThePatternThatItLeads() throws {
    var fixture = try fixture(
      lead: 25_000,
      #"{"sound": "click"}, {"parameter": "felt", "value": 0.5, "over": 0}, {"pattern": "thud"}, "#
        + #"{"at": 0.5, "parameter": "felt", "value": 0.25, "over": 0}, {"at": 0.5, "pattern": "thud"}, "#
        + #"{"at": 0.7, "parameter": "mixed", "value": 1, "over": 0}"#,
      parameters: #""felt": {"targets": [{"pattern": "thud", "intensity": {"power": 1}}]}, "#
        + #""mixed": {"targets": [{"pattern": "thud", "sharpness": {"power": 1}}, {"sound": "click", "gain": {"power": 1}}]}"#
    )
    _ = try fire(&fixture)
    var actions = fixture.run(to: 1_030_000)
    #expect(fixture.engine.haptics.mixer.level(at: Instant(microseconds: 1_026_000)).intensity == 0.5)
    actions += fixture.run(to: 1_511_000)
    #expect(fixture.engine.haptics.mixer.level(at: Instant(microseconds: 1_511_000)).intensity == 0.25)
    actions += fixture.run(to: 1_800_000)
    #expect(actions.haptics.starts == [1_025_000, 1_510_000])
    let told = actions.lines.filter { $0.contains("parameter.changed") }
    #expect(told.count == 3)
    for (line, at) in zip(told, [1_025_000, 1_510_000, 1_710_000]) { #expect(line.contains(#""tUs":\#(at)"#)) }
  }

  @Test func theInstantsThatAreToldAreThoseOfTheFirstThatIsHeardAndFelt() throws {
    let steps = #"{"at": 0.25, "sound": "click"}, {"at": 0.5, \#(Self.tap)}, {"at": 0.5, "sound": "click"}"#
    for atUs in [nil, 2_000_000] as [Int64?] {
      var fixture = try fixture(lead: 25_000, steps)
      let fired = try fire(&fixture, atUs: atUs)
      let zero = atUs ?? 1_010_000
      #expect(fired.scheduledUs == zero && fired.soundAtUs == zero + 250_000 && fired.hapticAtUs == zero + 500_000)
      #expect(fired.skewUs == 0)
    }
  }

  /// What is skipped at once is felt by nobody: what is told is of what comes.
  @Test func whatIsToldIsOfWhatIsNotSkipped() throws {
    var fixture = try fixture(lead: 25_000, Self.both)
    try set(&fixture, haptics: false)
    let fired = try fire(&fixture)
    #expect(fired.skipped.count == 1 && fired.hapticAtUs == 1_510_000 && fired.skewUs == 0)
    let told = try #require(fixture.run(to: 1_100_000).lines.first { $0.contains("cue.fired") })
    #expect(told.contains(#""hapticAtUs":1510000"#) && told.contains(#""skewUs":0"#))
  }
}

extension [HapticCommand] {
  /// When players begin, in microseconds.
  fileprivate var starts: [Int64] {
    compactMap { if case .start(_, _, _, let at, _) = $0 { at.microseconds } else { nil } }
  }
}
