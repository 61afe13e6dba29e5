// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct CueStoppingTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  /// Three seconds of charge, then the snap, its music, and what the music's start ends.
  private static let press = """
    "press": {"steps": [
      {"sound": "word", "loop": true}, {"pattern": "thud", "loop": true},
      {"at": 1.5, "transient": {"intensity": 1, "sharpness": 1}}, {"at": 1.5, "sound": "click"},
      {"at": 2, "music": {"play": "main"}}, {"at": 2, "stop": {"sound": "word"}}, {"at": 2, "stop": {"haptics": true}}]},
    "tune": {"steps": [{"music": {"play": "main"}}, {"at": 0.5, "music": {"stop": true}}, {"at": 1, "sound": "click"}]},
    "often": {"cooldown": 0.25, "steps": [{"sound": "click"}]}
    """

  private func fixture() throws -> EngineFixture { try EngineFixture(cues: Self.press) }

  private func stop(_ id: Int64?, in fixture: inout EngineFixture, fadeUs: Int64? = nil) throws -> CueStop.Result {
    try fixture.engine.stopCue(CueStop.Params(id: try #require(id), fadeUs: fadeUs), by: me)
  }

  @Test func aCueThatIsReleasedEndsWithAllThatHasBegunAndNothingElseComes() throws {
    try Script(
      """
      0     press = fire press at 1000
      1500  release press fade 100
      """, fixture: try fixture()
    ).expect(
      """
      heard
      1000  word begins
      1510  word ends over 100
      felt
      1000  thud begins
      1500  thud ends
      told
      1000  cue fired press
      1000  haptics started thud
      1510  sound finished click (cancelled)
      1500  music play cancelled (cancelled)
      1500  cue cancelled press (stopped)
      1500  haptics stopped thud (requested)
      1500  haptics cancelled transient
      """)
  }

  @Test func whatEndedAndWhatNeverCameOfACueThatIsReleasedIsAnswered() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "press", atUs: 2_000_000), by: me)
    _ = fixture.run(to: 2_500_000)
    let stopped = try stop(fired.id, in: &fixture, fadeUs: 100_000)
    #expect(stopped.stopped == ["sound game:word", "pattern game:thud"])
    #expect(
      stopped.calledOff == [
        "sound game:click", "transient", "music.play game:main", "stop of sound game:word", "stop of haptics",
      ])
    #expect(stopped.tooLate == [] && stopped.soundAtUs == 2_510_000 && stopped.hapticAtUs == 2_500_000)
    let told = fixture.run(to: 6_000_000).lines
    #expect(told.contains { $0.contains("cue.cancelled") && $0.contains(#""tooLate":[]"#) })
  }

  /// What is told is what comes: within the time that was asked for all of the cue, behind it nothing.
  @Test(arguments: [(1_999_999, false), (2_000_000, true)])
  func aCueThatIsKeptAfterItsClientComesWholeAndIsToldOrNotAtAll(keepUs: Int64, comes: Bool) throws {
    var fixture = try fixture()
    _ = fixture.run(to: 1_000_000)
    let params = CueFire.Params(cue: "often", atUs: 3_000_000, keepAfterDisconnectUs: keepUs)
    let fired = try fixture.engine.fireCue(params, by: me)
    fixture.engine.clientLeft(me.client)
    let actions = fixture.run(to: 5_000_000)
    #expect(fired.scheduledUs == 3_000_000)
    #expect(actions.soundStarts.count == (comes ? 1 : 0))
    #expect(actions.lines.filter { $0.contains("cue.fired") }.count == (comes ? 1 : 0))
    #expect(actions.lines.filter { $0.contains("cue.cancelled") }.count == (comes ? 0 : 1))
  }

  @Test func musicThatHasBegunStays() throws {
    try Script(
      """
      0     tune = fire tune at 1000
      1300  release tune
      3000  music is playing main at 2000
      """, fixture: try fixture()
    ).expect(
      """
      heard
      1000  main begins
      told
      1000  music started main
      1000  cue fired tune
      1310  sound finished click (cancelled)
      1300  music stop cancelled (cancelled)
      1300  cue cancelled tune (stopped)
      """)
  }

  @Test func musicThatHasBegunIsAnsweredAndToldAsTooLate() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "tune", atUs: 2_000_000), by: me)
    _ = fixture.run(to: 2_300_000)
    let stopped = try stop(fired.id, in: &fixture)
    #expect(stopped.tooLate == ["music.play game:main"])
    #expect(stopped.calledOff == ["sound game:click", "music.stop"])
    let told = fixture.run(to: 4_000_000).lines
    #expect(told.contains { $0.contains("cue.cancelled") && $0.contains(#""tooLate":["music.play game:main"]"#) })
  }

  @Test func musicThatTheMixerHasPassedStaysThoughItIsNotHeardYet() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "tune", atUs: 2_000_000), by: me)
    _ = fixture.run(to: 1_995_000)
    #expect(try stop(fired.id, in: &fixture).tooLate == ["music.play game:main"])
    let actions = fixture.run(to: 4_000_000)
    #expect(fixture.engine.musicStatus().state == .playing)
    // It was called off before its instant: it is not told as fired.
    #expect(!actions.lines.contains { $0.contains("cue.fired") })
  }

  @Test func aCueThatHasNotBegunIsCalledOffWholeAndToldSo() throws {
    try Script(
      """
      0     press = fire press at 4000
      1000  release press
      """, fixture: try fixture()
    ).expect(
      """
      heard
      felt
      told
      1010  sound finished word (cancelled)
      1010  sound finished click (cancelled)
      1000  music play cancelled (cancelled)
      1000  cue cancelled press (cancelled)
      1000  haptics cancelled thud
      1000  haptics cancelled transient
      """)
  }

  @Test func ofACueThatHasNotBegunNothingIsHeldAndNoInstantIsAnswered() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "press", atUs: 5_000_000), by: me)
    _ = fixture.run(to: 2_000_000)
    let stopped = try stop(fired.id, in: &fixture)
    #expect(stopped.stopped == [] && stopped.calledOff.count == 7)
    #expect(stopped.soundAtUs == nil && stopped.hapticAtUs == nil)
    _ = fixture.run(to: 9_000_000)
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  @Test func aSoundThatTheMixerKnowsAndHasNotBegunIsTakenBack() throws {
    try Script(
      """
      0     often = fire often at 1000
      950   release often
      """, fixture: try fixture()
    ).expect(
      """
      heard
      told
      950   cue cancelled often (cancelled)
      """)
  }

  /// At 3.5 s the transient is felt and the click is heard.
  @Test(arguments: [3_499_999, 3_500_000, 3_500_001] as [Int64])
  func whatIsFeltAtTheInstantOfTheStopIsNotCalledOff(atUs: Int64) throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "press", atUs: 2_000_000), by: me)
    var lines = fixture.run(to: atUs).lines
    let stopped = try stop(fired.id, in: &fixture)
    lines += fixture.run(to: 4_000_000).lines
    let told = lines.filter { $0.contains("haptics.changed") && $0.contains("transient") }
    #expect(stopped.calledOff.contains("transient") == (atUs < 3_500_000))
    #expect(told.count == (atUs < 3_500_000 ? 1 : 2))
    #expect(told[0].contains(atUs < 3_500_000 ? #""change":"cancelled""# : #""change":"started""#))
  }

  @Test func whatNeverBeganIsToldAsCancelledOnce() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "press", atUs: 2_000_000), by: me)
    let voices = fixture.run(to: 1_950_000).soundStarts.map(\.id)
    let stopped = try stop(fired.id, in: &fixture)
    for voice in voices { fixture.engine.voiceFinished(voice, at: 46_080, .cancelled) }
    let lines = fixture.run(to: 5_000_000).lines
    let sounds = lines.filter { $0.contains("sound.finished") }
    let players = lines.filter { $0.contains("haptics.changed") }
    #expect(stopped.stopped == [] && sounds.count == 2 && players.count == 2)
    #expect((sounds + players).allSatisfy { $0.contains("cancelled") })
  }

  @Test func noSoundThatIsCalledOffIsToldBeforeTheInstantOfTheStop() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "press", atUs: 2_000_000), by: me)
    _ = fixture.run(to: 2_200_000)
    // Frames that fall between microseconds.
    fixture.output = Turn(
      now: Instant(microseconds: 2_200_007), timeline: fixture.output.timeline, reachableFrame: 58_081,
      hapticLead: .zero)
    let stopped = try stop(fired.id, in: &fixture)
    let told = try #require(fixture.engine.takeActions().lines.first { $0.contains("sound.finished") })
    #expect(told.contains(#""tUs":\#(stopped.soundAtUs ?? 0)"#))
  }

  @Test func aCueThatItsClientsLeavingCutsIsToldAsStoppedAndTakesItsMusicAlong() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "press", atUs: 2_000_000), by: me)
    var actions = fixture.run(to: 3_600_000)
    fixture.engine.clientLeft(me.client)
    actions += fixture.run(to: 6_000_000)
    let told = actions.lines.filter { $0.contains("cue.cancelled") }
    #expect(told.count == 1 && told[0].contains(#""reason":"stopped""#) && told[0].contains(#""id":\#(fired.id ?? 0)"#))
    #expect(actions.lines.contains { $0.contains("music.cancelled") && $0.contains(#""reason":"clientLeft""#) })
    #expect(actions.audio.compactMap(\.trackStart).isEmpty)
  }

  @Test func aCueThatIsKeptIsCutWhenItsTimeIsOverAndItsMusicByThenComes() throws {
    for (keepUs, hasMusic) in [(300_000, false), (500_000, true)] as [(Int64, Bool)] {
      var fixture = try fixture()
      let params = CueFire.Params(cue: "press", atUs: 2_000_000, keepAfterDisconnectUs: keepUs)
      _ = try fixture.engine.fireCue(params, by: me)
      var actions = fixture.run(to: 3_600_000)
      fixture.engine.clientLeft(me.client)
      actions += fixture.run(to: 4_020_000)
      if hasMusic { fixture.engine.voiceFinished(try #require(actions.soundStarts.first?.id), at: 144_240, .stopped) }
      actions += fixture.run(to: 6_000_000)
      #expect(actions.audio.compactMap(\.trackStart).isEmpty == !hasMusic)
      let told = actions.lines.filter { $0.contains("cue.cancelled") }
      #expect(told.count == (hasMusic ? 0 : 1))
      if !hasMusic { #expect(told[0].contains(#""tUs":\#(3_600_000 + keepUs)"#)) }
    }
  }

  @Test func aCueThatIsOverButForWhatPlaysOutIsNotCut() throws {
    var fixture = try fixture()
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "often", atUs: 2_000_000), by: me)
    var actions = fixture.run(to: 2_050_000)
    fixture.engine.clientLeft(me.client)
    actions += fixture.run(to: 3_000_000)
    #expect(!actions.lines.contains { $0.contains("cue.cancelled") })
  }

  @Test func whatWasStoppedOrNeverWasCannotBeStopped() throws {
    var fixture = try fixture()
    let again = try fixture.engine.fireCue(CueFire.Params(cue: "press"), by: me)
    _ = try stop(again.id, in: &fixture)
    #expect(throws: RPCError.self) { try stop(again.id, in: &fixture) }
    #expect(throws: RPCError.self) { try stop(Int64.max, in: &fixture) }
  }

  @Test func aClientThatLeavesTakesTheStopsOfItsCuesAlong() throws {
    var fixture = try fixture()
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "word", loop: true), by: .daemon)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "press", atUs: 2_000_000), by: me)
    fixture.engine.clientLeft(me.client)
    #expect(fixture.run(to: 5_000_000).audio.stopped.isEmpty)
    #expect(fixture.engine.holdings["cues"] == 0 && fixture.engine.holdings["stops of players"] == 0)
  }

  @Test func aCueThatCoolsIsSuppressed() throws {
    var fixture = try fixture()
    func fire(_ atUs: Int64, by cause: Cause) throws -> CueFire.Result {
      try fixture.engine.fireCue(CueFire.Params(cue: "often", atUs: atUs), by: cause)
    }
    #expect(try !fire(3_000_000, by: me).suppressed)
    // By instants, in whatever order they are asked for.
    for at in [2_750_001, 3_000_000, 3_249_999] as [Int64] {
      let suppressed = try fire(at, by: me)
      #expect(suppressed.suppressed && suppressed.id == nil && suppressed.soundAtUs == nil)
    }
    #expect(try !fire(3_250_000, by: me).suppressed)
    #expect(try !fire(2_750_000, by: me).suppressed)
    // Another client's is another matter.
    #expect(try !fire(3_000_000, by: Cause(client: ClientID(rawValue: 2))).suppressed)
    #expect(fixture.run(to: 4_000_000).soundStarts.map(\.at).sorted() == [84_000, 96_000, 96_000, 108_000])
  }

  @Test func aCueThatWasCalledOffKeepsNoOtherAway() throws {
    var fixture = try fixture()
    let first = try fixture.engine.fireCue(CueFire.Params(cue: "often", atUs: 3_000_000), by: me)
    _ = try stop(first.id, in: &fixture)
    #expect(try !fixture.engine.fireCue(CueFire.Params(cue: "often", atUs: 3_100_000), by: me).suppressed)
  }
}
