// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// When what is heard and what is felt begin: 10 ms until something can be heard here.
@Suite struct CueAlignmentTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private func fixture(lead: Int64, align: String? = nil, isHeard: Bool = true) throws -> EngineFixture {
    let field = align.map { #""align": "\#($0)", "# } ?? ""
    var fixture = try EngineFixture(
      cues: #""both": {\#(field)"steps": [{"sound": "click"}, {"pattern": "thud"}]}, "#
        + #""felt": {\#(field)"steps": [{"pattern": "thud"}]}, "heard": {\#(field)"steps": [{"sound": "click"}]}"#,
      feedback: "both")
    fixture.output.hapticLead = .microseconds(lead)
    fixture.output.isHeard = isHeard
    return fixture
  }

  private func fire(
    _ cue: String, _ fixture: inout EngineFixture, atUs: Int64? = nil, align: CueFire.Params.Align? = nil
  ) throws -> CueFire.Result {
    try fixture.engine.fireCue(CueFire.Params(cue: cue, atUs: atUs, align: align), by: me)
  }

  @Test(arguments: [(0, 0), (4_000, 0), (10_000, 0), (25_000, 15_000)] as [(Int64, Int64)])
  func firedNowTheSoundWaitsForNobodyAndTouchNeverComesBeforeIt(lead: Int64, skew: Int64) throws {
    var fixture = try fixture(lead: lead)
    let fired = try fire("both", &fixture)
    #expect(fired.scheduledUs == 1_010_000 && fired.soundAtUs == 1_010_000)
    #expect(fired.hapticAtUs == 1_010_000 + skew && fired.skewUs == skew)
    let actions = fixture.engine.takeActions()
    #expect(actions.soundStarts.map(\.at) == [480])
    #expect(actions.haptics.starts == [1_010_000 + skew])
  }

  @Test(arguments: [(0, 1_010_000), (25_000, 1_025_000)] as [(Int64, Int64)])
  func atAnInstantAllWaitForTheSlowest(lead: Int64, earliest: Int64) throws {
    var fixture = try fixture(lead: lead)
    let soon = try fire("both", &fixture, atUs: 1_005_000)
    #expect(soon.scheduledUs == earliest && soon.lateUs == earliest - 1_005_000 && soon.skewUs == 0)
    let later = try fire("both", &fixture, atUs: 2_000_000)
    #expect(later.scheduledUs == 2_000_000 && later.lateUs == 0 && later.skewUs == 0)
    #expect(later.soundAtUs == later.hapticAtUs)
  }

  /// How far apart two things are says nothing where one of them is not there.
  @Test(arguments: [(true, false), (false, true), (false, false)])
  func withoutADeviceOrAPadNoSkewIsTold(isHeard: Bool, isFelt: Bool) throws {
    var fixture = try fixture(lead: 0)
    func setOutputs(_ output: Turn) -> Turn {
      var output = output
      (output.isHeard, output.isFelt) = (isHeard, isFelt)
      return output
    }
    fixture.output = setOutputs(fixture.output)
    let fired = try fire("both", &fixture)
    #expect(fired.soundAtUs != nil && fired.hapticAtUs != nil && fired.skewUs == nil)
    fixture.output = setOutputs(EngineFixture.output(at: 1_100_000))
    fixture.engine.advance()
    let told = fixture.engine.takeActions().lines.first { $0.contains("cue.fired") }
    #expect(told?.contains("skewUs") == false && told?.contains("hapticAtUs") == true)
  }

  @Test func onABeatAllComeTogether() throws {
    var fixture = try fixture(lead: 25_000)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_015_000), by: me)
    fixture.engine.advance()
    // The first beat that everything can meet: the one at 1.015 s comes too early for the motor.
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "both", quantise: .beat), by: me)
    #expect(fired.scheduledUs == 1_515_000 && fired.skewUs == 0)
  }

  @Test func whatIsHeardOrFeltAloneWaitsForNobodyElse() throws {
    var fixture = try fixture(lead: 25_000)
    #expect(try fire("heard", &fixture, atUs: 1_000_000).soundAtUs == 1_010_000)
    #expect(try fire("felt", &fixture).hapticAtUs == 1_025_000)
    fixture.output.hapticLead = .zero
    #expect(try fire("felt", &fixture).hapticAtUs == 1_000_000)
  }

  @Test func nobodyWaitsForWhatIsOff() throws {
    var fixture = try fixture(lead: 25_000)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(haptics: false), by: me)
    #expect(try fire("both", &fixture, atUs: 1_000_000).soundAtUs == 1_010_000)
    fixture.output.hapticLead = .zero
    _ = try fixture.engine.changeSettings(SettingsSet.Params(sound: false, haptics: true), by: me)
    #expect(try fire("both", &fixture).hapticAtUs == 1_000_000)
    #expect(try fire("both", &fixture, atUs: 1_000_000).hapticAtUs == 1_000_000)
  }

  @Test func nobodyWaitsForADeviceThatIsNotThere() throws {
    var fixture = try fixture(lead: 4_000, isHeard: false)
    #expect(try fire("both", &fixture).hapticAtUs == 1_004_000)
  }

  @Test(arguments: [("asap", -6_000), ("together", 0), ("soundFirst", 0)] as [(String, Int64)])
  func aCueMaySayOtherwise(align: String, skew: Int64) throws {
    var fixture = try fixture(lead: 4_000, align: align)
    #expect(try fire("both", &fixture).skewUs == skew)
    // And whoever fires it may say it anew.
    #expect(try fire("both", &fixture, align: .asap).skewUs == -6_000)
    #expect(try fire("both", &fixture, atUs: 1_007_000, align: .asap).hapticAtUs == 1_007_000)
  }

  @Test(arguments: [(4_000, 0), (25_000, 15_000)] as [(Int64, Int64)])
  func theFeedbackOfAChapterIsHeardAtOnceAndFeltWithItOrSoonAfter(lead: Int64, skew: Int64) throws {
    var fixture = try fixture(lead: lead)
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap", atUs: 2_000_000), by: me)
    _ = fixture.run(to: 3_000_000)
    fixture.output.hapticLead = .microseconds(lead)
    _ = try fixture.engine.tap(RhythmTap.Params(), arrival: fixture.output.now)
    let actions = fixture.engine.takeActions()
    #expect(actions.soundStarts.map(\.at) == [96_480])
    #expect(actions.haptics.starts == [3_010_000 + skew])
    let told = fixture.run(to: 3_100_000).lines.first { $0.contains("cue.fired") }
    #expect(told?.contains(#""skewUs":\#(skew)"#) ?? false, "\(told ?? "")")
  }
}

extension [HapticCommand] {
  /// When players begin, in microseconds.
  fileprivate var starts: [Int64] {
    compactMap { if case .start(_, _, _, let at, _) = $0 { at.microseconds } else { nil } }
  }
}
