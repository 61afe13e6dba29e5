// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Wire

@testable import Engine

/// Where what is asked for now is heard more than 50 ms later, as on a headset by radio, what is felt in answer to a player does
/// not wait for it.
@Suite struct FarSoundTests {
  private static func fixture(soundAheadMs: Int64) throws -> EngineFixture {
    try EngineFixture(
      cues: #""hit": {"steps": [{"sound": "click"}, {"pattern": "thud"}, {"at": 0.1, "pattern": "thud"}]}"#,
      feedback: "hit", soundAheadMs: soundAheadMs)
  }

  @Test func aChaptersFeedbackIsFeltAtOnce() throws {
    try Script(
      """
      0     chapter tap at 1200
      2200  tap
      """, fixture: try Self.fixture(soundAheadMs: 200)
    ).expect(
      """
      felt
      2200 thud begins
      2220 thud is over
      2300 thud#2 begins
      2320 thud#2 is over
      """)
  }

  @Test(
    arguments: [(10, 1_010), (50, 1_050), (51, 1_000), (200, 1_000)] as [(Int64, Int64)])
  func aCueThatIsFiredNowIsFeltWithItsSoundOrAtOnceAndHeardWhenItCanBe(soundAheadMs: Int64, felt: Int64) throws {
    try Script("1000 fire hit", fixture: try Self.fixture(soundAheadMs: soundAheadMs)).expect(
      """
      heard
      \(1_000 + soundAheadMs) click begins
      felt
      \(felt) thud begins
      \(felt + 20) thud is over
      \(felt + 100) thud#2 begins
      \(felt + 120) thud#2 is over
      """)
  }

  /// What there is time to prepare comes together, however far the sound is.
  @Test func atAnInstantThatCanBeMetAllComesTogether() throws {
    try Script("1000 fire hit at 1300", fixture: try Self.fixture(soundAheadMs: 200)).expect(
      """
      heard
      1300 click begins
      felt
      1300 thud begins
      1320 thud is over
      1400 thud#2 begins
      1420 thud#2 is over
      """)
  }

  /// What is asked for as `together` waits; what is `soundFirst` does not wait for a sound that comes far too late.
  @Test(
    arguments: [(.together, nil, 0), (.soundFirst, nil, -200_000), (.soundFirst, 1_000_000, -200_000)]
      as [(CueFire.Params.Align, Int64?, Int64)])
  func howFarApartTheyAreIsTold(align: CueFire.Params.Align, atUs: Int64?, skewUs: Int64) throws {
    var fixture = try Self.fixture(soundAheadMs: 200)
    let fired = try fixture.engine.fireCue(
      CueFire.Params(cue: "hit", atUs: atUs, align: align), by: Cause(client: ClientID(rawValue: 1), user: 1))
    #expect(fired.soundAtUs == 1_200_000 && fired.skewUs == skewUs)
  }

  /// Sounds that belong to a pattern are of one piece with it.
  @Test func whatIsOnePieceStaysSo() throws {
    var fixture = try EngineFixture(cues: #""hit": {"steps": [{"pattern": "thud"}]}"#, soundAheadMs: 200) { pack in
      let text = #"{"Version":1,"Pattern":[{"Event":{"Time":0,"EventType":"AudioContinuous","EventDuration":1}}]}"#
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(text.utf8), name: "thud").0)
    }
    let fired = try fixture.engine.fireCue(
      CueFire.Params(cue: "hit"), by: Cause(client: ClientID(rawValue: 1), user: 1))
    #expect(fired.hapticAtUs == 1_200_000)
  }
}
