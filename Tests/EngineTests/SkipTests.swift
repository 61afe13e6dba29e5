// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Outcomes
import Testing
import Timing
import Wire

@testable import Engine

/// Effects whose instant comes while their switch is off: sounds can be heard 10 ms after now, haptics felt at once.
@Suite struct SkipTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private func set(_ fixture: inout EngineFixture, sound: Bool? = nil, haptics: Bool? = nil) throws {
    _ = try fixture.engine.changeSettings(SettingsSet.Params(sound: sound, haptics: haptics), by: me)
  }

  @Test func whatIsAskedForNowWhileOffIsSkippedAndHasNoID() throws {
    var fixture = try EngineFixture()
    try set(&fixture, sound: false, haptics: false)
    for atUs in [nil, 990_000] as [Int64?] {
      let sound = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: atUs), by: me)
      #expect(sound.id == nil && sound.skipped == .soundOff && sound.scheduledUs == 1_010_000)
      let felt = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: atUs), by: me)
      #expect(felt.player == nil && felt.skipped == .hapticsOff && felt.scheduledUs == 1_000_000)
    }
    try set(&fixture, sound: true, haptics: true)
    let actions = fixture.run(to: 2_000_000)
    #expect(actions.soundStarts.isEmpty && actions.topics.allSatisfy { $0 == .settings })
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  /// Off from 2 s on, heard from 2.01 s; on again from 2.05 s, heard from 2.06 s.
  @Test(arguments: [
    (2_000_000, true), (2_010_000, true), (2_010_001, false), (2_060_000, false), (2_060_001, true), (2_120_000, true),
  ])
  func aSoundIsHeardByTheSwitchAtItsOwnInstant(atUs: Int64, isHeard: Bool) throws {
    for asked in [1_100_000, 1_990_000, 2_000_000, 2_040_000] as [Int64] where asked < atUs - 10_000 {
      var fixture = try EngineFixture()
      var actions = fixture.run(to: min(asked, 2_000_000))
      var id: Int64?
      func ask(_ fixture: inout EngineFixture) throws {
        id = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: atUs), by: me).id
      }
      if asked < 2_000_000 { try ask(&fixture) }
      actions += fixture.run(to: 2_000_000)
      try set(&fixture, sound: false)
      if asked == 2_000_000 { try ask(&fixture) }
      actions += fixture.run(to: 2_040_000)
      if asked == 2_040_000 { try ask(&fixture) }
      actions += fixture.run(to: 2_050_000)
      try set(&fixture, sound: true)
      actions += fixture.run(to: 3_000_000)
      var starts: [VoiceID: Int64] = [:]
      for step in actions.audio {
        switch step {
        case .start(let start) where start.sound != nil: starts[start.id] = start.at
        case .command(.retract(let voice, from: 0)): starts[voice] = nil
        default: break
        }
      }
      let frame = (atUs - 1_000_000) * 48 / 1_000
      #expect(starts.values.map { $0 } == (isHeard ? [frame] : []), "asked for at \(asked)")
      let told = actions.lines.filter { $0.contains("sound.finished") }
      #expect(told.count == (isHeard ? 0 : 1), "asked for at \(asked)")
      if !isHeard {
        #expect(told[0].contains(#""reason":"skipped""#) && told[0].contains(#""tUs":\#(atUs)"#))
        #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
      }
      #expect(id != nil)
    }
  }

  /// Off from 2 s on, on again from 2.05 s: felt at once.
  @Test(arguments: [(2_000_000, true), (2_000_001, false), (2_050_000, false), (2_050_001, true)])
  func aPlayerIsFeltByTheSwitchAtItsOwnInstant(atUs: Int64, isFelt: Bool) throws {
    var fixture = try EngineFixture()
    let player = try #require(
      try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: atUs), by: me).player)
    var actions = fixture.run(to: 2_000_000)
    try set(&fixture, haptics: false)
    actions += fixture.run(to: 2_050_000)
    try set(&fixture, haptics: true)
    actions += fixture.run(to: 3_000_000)
    let told = actions.lines.filter { $0.contains("haptics.changed") }
    #expect(told.count == (isFelt ? 2 : 1))
    #expect(told[0].contains(isFelt ? #""change":"started""# : #""change":"skipped""#))
    #expect(told[0].contains(#""tUs":\#(atUs)"#) && told[0].contains(#""player":\#(player)"#))
    // An output that is told the same does the same.
    var output = HapticMixer()
    for command in actions.haptics { output.apply(command) }
    let events = output.advance(to: Instant(microseconds: 3_000_000))
    #expect(events.contains { if case .started = $0 { true } else { false } } == isFelt)
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  /// A tap and a switch of one frame of a game, which come to the daemon together.
  @Test func whatIsAskedForBeforeTheSwitchInOneTurnIsFeltAndToldSo() throws {
    var fixture = try EngineFixture()
    var actions = fixture.run(to: 2_000_000)
    let felt = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: me)
    try set(&fixture, haptics: false)
    let skipped = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: me)
    #expect(felt.player != nil && felt.skipped == nil && skipped.player == nil)
    actions += fixture.run(to: 3_000_000)
    let told = actions.lines.filter { $0.contains("haptics.changed") }
    #expect(told.count == 2 && told[0].contains(#""change":"started""#), "\(told)")
    var output = HapticMixer()
    for command in actions.haptics { output.apply(command) }
    #expect(
      output.advance(to: Instant(microseconds: 3_000_000)).contains { if case .started = $0 { true } else { false } })
  }

  @Test func whatSoundsPlaysOutAndLoopsEndAndAreToldSo() throws {
    // The buses stay as loud as they were.
    try Script(
      """
      0     sound word
      0     sound loop click
      500   switch sound off
      560   mixer stopped click
      1010  mixer ended word
      """
    ).expect(
      """
      heard
      10    word begins
      10    click begins
      510   click ends over 50
      told
      560   sound finished click (switchedOff)
      1010  sound finished word (ended)
      """)
  }

  /// A loop that is on its way out already is not held up by a longer fade; one that fades for longer is.
  @Test(arguments: [(10_000, [480]), (50_000, [2_400]), (2_000_000, [96_000, 2_400])] as [(Int64, [Int32])])
  func aLoopThatFadesAlreadyEndsNoLater(fadeUs: Int64, frames: [Int32]) throws {
    for leaves in [false, true] {
      var fixture = try EngineFixture()
      let loop = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "click", loop: true), by: me).id)
      _ = fixture.run(to: 1_500_000)
      _ = try fixture.engine.stopSound(SoundStop.Params(id: loop, fadeUs: fadeUs), by: me)
      let stops = fixture.run(to: 1_505_000).audio.stopped
      if leaves { fixture.engine.clientLeft(me.client) } else { try set(&fixture, sound: false) }
      #expect((stops + fixture.run(to: 1_600_000).audio.stopped).map(\.frames) == frames, "\(leaves)")
    }
  }

  /// The mixer had begun them by the time that it was told to take them back.
  @Test func whatTheMixerBeganAllTheSameEndsWhereItIsNotToSoundOn() throws {
    for (loops, asks, isStopped) in [
      (true, "left", true), (false, "left", true), (true, "stop", true), (false, "stop", true), (true, "off", true),
      (false, "off", false), (true, "turned", false), (false, "turned", false),
    ] {
      var fixture = try EngineFixture()
      let params = SoundPlay.Params(sound: "click", atUs: 1_060_000, loop: loops)
      let id = try #require(try fixture.engine.playSound(params, by: me).id)
      let voice = VoiceID(rawValue: UInt64(id))
      _ = fixture.run(to: 1_010_000)
      switch asks {
      case "left": fixture.engine.clientLeft(me.client)
      case "stop": _ = try fixture.engine.stopSound(SoundStop.Params(), by: me)
      default:
        try set(&fixture, sound: false)
        if asks == "turned" { try set(&fixture, sound: true) }
      }
      let retracted = fixture.engine.takeActions().audio.compactMap { step in
        if case .command(.retract(let voice, from: 0)) = step { voice } else { nil }
      }
      #expect(retracted == [voice])
      fixture.engine.soundBegan(voice, at: 0)
      let actions = fixture.run(to: 1_200_000)
      #expect(actions.audio.stopped.map(\.voice) == (isStopped ? [voice] : []), "\(loops) \(asks)")
      #expect(!actions.lines.contains { $0.contains("skipped") || $0.contains("cancelled") }, "\(loops) \(asks)")
      fixture.engine.voiceFinished(voice, at: 9_600, isStopped ? .stopped : .ended)
      #expect(fixture.run(to: 1_300_000).lines.count { $0.contains("sound.finished") } == 1)
      #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:], "\(loops) \(asks)")
    }
  }

  /// It was told of the sound too late, and begins it at the frame of the stop, which it carried out before.
  @Test func whatTheMixerBeginsAtTheVeryFrameOfAStopEnds() throws {
    var fixture = try EngineFixture()
    let id = try #require(
      try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 1_060_000, loop: true), by: me).id)
    _ = try fixture.engine.stopSound(SoundStop.Params(atUs: 1_070_000, fadeUs: 20_000), by: me)
    let stops = fixture.run(to: 1_010_000).audio.compactMap { step in
      if case .command(.endMany(_, before: _, at: let frame, fade: _)) = step { frame } else { nil }
    }
    let voice = VoiceID(rawValue: UInt64(id))
    fixture.engine.soundBegan(voice, at: try #require(stops.first))
    let ended = fixture.run(to: 1_080_000).audio.compactMap { step in
      if case .command(.end(let voice, at: _, fade: let fade)) = step { (voice, fade.frames) } else { nil }
    }
    #expect(ended.map(\.0) == [voice] && ended.first?.1 == 960)
  }

  /// A sound that was told as skipped, and a voice that nobody knows any more.
  @Test func whatTheMixerBeganOfWhatWasSkippedIsStopped() throws {
    var fixture = try EngineFixture()
    let id = try #require(
      try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 1_060_000, loop: true), by: me).id)
    _ = fixture.run(to: 1_010_000)
    try set(&fixture, sound: false)
    #expect(fixture.run(to: 1_100_000).lines.contains { $0.contains("\"skipped\"") })
    fixture.engine.soundBegan(VoiceID(rawValue: UInt64(id)), at: 0)
    #expect(fixture.run(to: 1_110_000).audio.stopped.map(\.voice.rawValue) == [UInt64(id)])
  }

  /// A hundred sounds soon, and a switch that is turned fifty times before the mixer goes on.
  @Test func aSwitchThatIsTurnedOnAndOnLeavesRoomForOthers() throws {
    var fixture = try EngineFixture()
    for index in 0..<100 as Range<Int64> {
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 1_050_000 + index * 100), by: me)
    }
    _ = fixture.engine.takeActions()
    for _ in 0..<25 {
      try set(&fixture, sound: false)
      try set(&fixture, sound: true)
    }
    let flood = fixture.engine.takeActions().audio
    #expect(flood.count { if case .command(.busGain) = $0 { false } else { true } } <= 3 * SwitchPacing.most)
    var starts: [VoiceID: Int64] = [:]
    for step in flood + fixture.run(to: 1_040_000).audio {
      if case .start(let start) = step { starts[start.id] = start.at }
      if case .command(.retract(let voice, _)) = step { starts[voice] = nil }
    }
    #expect(starts.count == 100 && starts.values.min() == 2_400 && starts.values.max() == 2_875)
  }

  @Test func whatIsFeltPlaysOutAndLoopsEndAndAreToldSo() throws {
    try Script(
      """
      0     feel thud
      0     feel loop thud
      0     feel loop thud at 800
      500   switch haptics off
      """,
      fixture: try EngineFixture { pack in
        pack.patterns["thud"] = HapticPattern.continuous(intensity: 1, sharpness: 0.5, duration: .seconds(1))
      }
    ).expect(
      """
      felt
      0     thud begins
      0     thud#2 begins
      500   thud#2 ends
      1000  thud is over
      told
      0     haptics started thud
      0     haptics started thud
      500   haptics stopped thud (switchedOff)
      800   haptics skipped thud
      1000  haptics finished thud
      """)
  }

  private static let moments = """
    "both": {"steps": [{"sound": "click"}, {"pattern": "thud"}, {"at": 0.5, "sound": "word"},
                       {"at": 0.5, "transient": {"intensity": 1, "sharpness": 1}}]}
    """

  @Test func aCueListsWhatIsSkippedAtOnceAndWhatComesLaterIsTold() throws {
    var fixture = try EngineFixture(cues: Self.moments)
    try set(&fixture, sound: false, haptics: false)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "both"), by: me)
    #expect(
      fired.skipped == [
        CueSkip(.soundOff, step: "sound game:click", reason: "sound is switched off"),
        CueSkip(.hapticsOff, step: "pattern game:thud", reason: "haptics are switched off"),
      ])
    #expect(fired.soundAtUs != nil && fired.hapticAtUs != nil)
    let told = fixture.run(to: 2_000_000).lines
    let first = try #require(told.first { $0.contains("cue.fired") })
    #expect(
      first.contains(#""kind":"soundOff","reason":"sound is switched off","step":"sound game:click""#)
        && first.contains("pattern game:thud"))
    #expect(told.filter { $0.contains("sound.finished") && $0.contains(#""reason":"skipped""#) }.count == 1)
    #expect(told.filter { $0.contains("haptics.changed") && $0.contains(#""change":"skipped""#) }.count == 1)
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  @Test func aPlannedCueSaysWhenItComesWhatOfItIsSkippedAndTellsNoInstantForIt() throws {
    var fixture = try EngineFixture(cues: #""tap": {"steps": [{"sound": "click"}, {"pattern": "thud"}]}"#)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "tap", atUs: 2_000_000), by: me)
    #expect(fired.soundAtUs == 2_000_000 && fired.skewUs == 0)
    _ = fixture.run(to: 1_950_000)
    try set(&fixture, sound: false)
    let told = try #require(fixture.run(to: 2_100_000).lines.first { $0.contains("cue.fired") })
    #expect(told.contains(#""kind":"soundOff","reason":"sound is switched off","step":"sound game:click""#))
    #expect(!told.contains("soundAtUs") && !told.contains("skewUs") && told.contains(#""hapticAtUs":2000000"#))
  }

  @Test func aCueOfWhichAllThatIsHeardIsSkippedTellsNoInstantForIt() throws {
    var fixture = try EngineFixture(cues: #""tap": {"steps": [{"sound": "click"}, {"pattern": "thud"}]}"#)
    try set(&fixture, sound: false)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "tap"), by: me)
    #expect(fired.soundAtUs == nil && fired.skewUs == nil && fired.hapticAtUs != nil)
  }

  @Test func aChaptersFeedbackIsSkippedToo() throws {
    var fixture = try EngineFixture(
      cues: #""tap": {"steps": [{"sound": "word"}, {"pattern": "thud"}]}"#, feedback: "tap")
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: me)
    _ = fixture.run(to: 2_000_000)
    try set(&fixture, sound: false, haptics: false)
    let start = fixture.engine.chapter?.songFrom ?? .distantPast
    _ = fixture.run(to: (start + .seconds(1)).microseconds)
    _ = try fixture.engine.tap(RhythmTap.Params(), arrival: fixture.output.now)
    let actions = fixture.run(to: (start + .seconds(1.5)).microseconds)
    #expect(actions.lines.contains { $0.contains("cue.fired") && $0.contains("haptics are switched off") })
    #expect(actions.soundStarts.isEmpty && !actions.lines.contains { $0.contains("haptics.changed") })
  }

  @Test func aFarPlanIsSkippedOrNotWhateverTheSwitchWasWhenItWasAskedFor() throws {
    var fixture = try EngineFixture()
    try set(&fixture, sound: false)
    let heard = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 3_000_000), by: me).id)
    _ = try fixture.engine.setSound(SoundSet.Params(id: heard, pan: 1, atUs: 3_010_000), by: me)
    _ = fixture.run(to: 2_950_000)
    try set(&fixture, sound: true)
    let actions = fixture.run(to: 3_100_000)
    #expect(actions.soundStarts.map(\.at) == [96_000])
    // What is planned of it comes along.
    #expect(actions.audio.contains { if case .command(.pan(_, 1, 96_480)) = $0 { true } else { false } })
  }

  @Test func whatWasCalledOffInTheMixerNoSwitchLetsComeAgain() throws {
    var fixture = try EngineFixture()
    let asked = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 1_080_000), by: me)
    let id = try #require(asked.id)
    var actions = fixture.run(to: 1_020_000)
    #expect(actions.soundStarts.count == 1, "the mixer was told of it")
    _ = try fixture.engine.stopSound(SoundStop.Params(id: id), by: me)
    try set(&fixture, sound: false)
    actions = fixture.run(to: 1_040_000)
    try set(&fixture, sound: true)
    actions += fixture.run(to: 2_000_000)
    #expect(actions.soundStarts.isEmpty)
    #expect(!actions.lines.contains { $0.contains("skipped") })
  }

  @Test func whatWaitsForTheSwitchIsCalledOffLikeAnyOther() throws {
    var fixture = try EngineFixture()
    let id = try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 2_000_000), by: me).id)
    _ = fixture.run(to: 1_950_000)
    try set(&fixture, sound: false)
    _ = try fixture.engine.stopSound(SoundStop.Params(id: id), by: me)
    // The mixer says that it took back what it knew.
    fixture.engine.voiceFinished(VoiceID(rawValue: UInt64(id)), at: 45_600, .cancelled)
    try set(&fixture, sound: true)
    let actions = fixture.run(to: 3_000_000)
    let told = actions.lines.filter { $0.contains("sound.finished") }
    #expect(told.count == 1 && told[0].contains(#""reason":"cancelled""#))
    #expect(actions.soundStarts.isEmpty)
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  /// Two clients of a user fire a cue of 64 steps for one instant, all of them skipped: each takes a step's room until it is told,
  /// so that all of it stays below what a client may have waiting.
  @Test func whatIsSkippedAtOneInstantIsBoundedByWhatIsPlanned() throws {
    let step = #"{"sound": "lost"}"#
    let steps = Array(repeating: step, count: 64).joined(separator: ", ")
    var fixture = try EngineFixture(cues: #""all": {"steps": [\#(steps)]}"#)
    var fired = 0
    for client in [1, 2] as [UInt64] {
      let cause = Cause(client: ClientID(rawValue: client), user: 1)
      while (try? fixture.engine.fireCue(CueFire.Params(cue: "all", atUs: 3_000_000), by: cause)) != nil { fired += 1 }
    }
    #expect(fired == 32)
    #expect(fixture.engine.holdings["shares"] == 2_048)
    let told = fixture.run(to: 3_100_000).lines.filter { $0.contains("cue.fired") }
    #expect(told.count == 32 && told.reduce(0) { $0 + $1.utf8.count } < 2 << 20)
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  @Test func whatIsSkippedGivesItsRoomBackWhenItsCueIsStopped() throws {
    var fixture = try EngineFixture(cues: #""all": {"steps": [{"sound": "lost"}, {"sound": "click"}]}"#)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "all", atUs: 3_000_000), by: me)
    #expect(fixture.engine.holdings["shares"] == 2)
    _ = try fixture.engine.stopCue(CueStop.Params(id: try #require(fired.id)), by: me)
    #expect(fixture.engine.holdings["shares"] == 0)
  }
}
