// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// The sounds of a pattern are heard where its player stands.
@Suite struct HapticAudioTests {
  /// A boom 100 ms into the pattern, and a tone from 200 to 500 ms; felt at its start alone.
  private static let pattern = """
    {"Version": 1, "Pattern": [
      {"Event": {"Time": 0, "EventType": "HapticTransient"}},
      {"Event": {"Time": 0.1, "EventType": "AudioCustom", "EventWaveformPath": "boom.wav", "EventParameters": [
        {"ParameterID": "AudioVolume", "ParameterValue": 0.5}, {"ParameterID": "AudioPan", "ParameterValue": -0.25},
        {"ParameterID": "AudioPitch", "ParameterValue": -1}]}},
      {"Event": {"Time": 0.2, "EventType": "AudioContinuous", "EventDuration": 0.3}},
      {"Event": {"Time": 0.3, "EventType": "AudioCustom", "EventWaveformPath": "missing.wav"}}]}
    """

  private let me = ClientID(rawValue: 1)

  private func fixture() throws -> EngineFixture {
    try EngineFixture { pack in
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(Self.pattern.utf8), name: "thud").0)
      pack.waveforms = ["boom.wav"]
    }
  }

  /// The player of the pattern, from 1.1 s on.
  private func play(in fixture: inout EngineFixture) throws -> Int64 {
    try #require(
      try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: 1_100_000), by: Cause(client: me)).player
    )
  }

  @Test func eachSoundBeginsAtItsFrameWithItsParameters() throws {
    var fixture = try fixture()
    let played = try fixture.engine.playHaptics(
      HapticsPlay.Params(pattern: "thud", atUs: 1_500_000), by: Cause(client: me))
    #expect(played.scheduledUs == 1_500_000)
    let actions = fixture.run(to: 2_500_000)
    // Frame 0 is heard at 1 s: the boom at 1.6 s, the tone at 1.7 s and until 2 s.
    let starts = actions.soundStarts
    #expect(starts.map(\.at) == [28_800, 33_600])
    #expect(starts.map(\.sound) == [.waveform(fixture.loaded("boom.wav"), .whole), .hapticTone(.whole)])
    #expect(starts.allSatisfy { $0.bus == .haptic })
    #expect(starts[0].gain == 0.5 && starts[0].pan == -0.25 && starts[0].pitch == 0.5 && !starts[0].loops)
    #expect(starts[1].gain == 1 && starts[1].pan == 0 && starts[1].pitch == 1 && starts[1].loops)
    #expect(actions.voiceCommands == ["stop \(starts[1].id.rawValue) 48000"])
  }

  @Test func asSoonAsPossibleWaitsForTheSlowerOutput() throws {
    var fixture = try fixture()
    let played = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: Cause(client: me))
    // 10 ms until something can be heard, nothing until it can be felt.
    #expect(played.scheduledUs == 1_010_000)
  }

  @Test func aPatternWithSoundsWaitsForTheSlowerOutputInACueToo() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "lock", align: .asap), by: Cause(client: me))
    #expect(fired.hapticAtUs == 1_260_000 && fired.soundAtUs == 1_010_000)
    let actions = fixture.run(to: 1_600_000)
    let starts = actions.haptics.compactMap { command -> Int64? in
      if case .start(_, _, _, let at, _) = command { at.microseconds } else { nil }
    }
    // The step is 250 ms into the cue; its boom, 100 ms later, is at frame 17 280.
    #expect(starts == [1_260_000])
    #expect(actions.soundStarts.contains { $0.at == 17_280 })
  }

  @Test func soundsFollowPauseSeekAndRate() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    // Paused at 150 ms, when the boom sounds and the tone, 50 ms off, is planned already.
    var actions = fixture.run(to: 1_220_000)
    #expect(actions.soundStarts.map(\.at) == [9_600, 14_400])
    let (boom, tone) = (actions.soundStarts[0].id.rawValue, actions.soundStarts[1].id.rawValue)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_250_000), by: .daemon)
    actions = fixture.run(to: 1_500_000)
    #expect(actions.voiceCommands == ["retract \(tone) 0", "stop \(tone) 11040", "pause \(boom) 12000"])
    #expect(actions.soundStarts.isEmpty)
    // Resumed at 2 s at twice the speed: the tone begins 25 ms later and lasts 150 ms. The boom has gone on for the 5 ms
    // in which it fell silent, and waits for the pattern to come there.
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, rate: 2), by: .daemon)
    _ = try fixture.engine.resumeHaptics(PlayerParams(player: player, atUs: 2_000_000), by: .daemon)
    actions = fixture.run(to: 2_100_000)
    #expect(actions.soundStarts.map(\.at) == [49_200])
    let second = try #require(actions.soundStarts.first).id.rawValue
    #expect(
      actions.voiceCommands == [
        "resume \(boom) 48120", "gain \(boom) 0.5 48000 240", "pitch \(boom) 1.0 48000", "stop \(second) 56400",
      ])
  }

  @Test(arguments: [false, true])
  func aSoundThatIsChangedAtItsVeryBeginningBeginsOnce(isMuted: Bool) throws {
    var fixture = try EngineFixture { pack in
      let attack = """
        {"Version": 1, "Pattern": [
          {"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "boom.wav", "EventParameters": []}},
          {"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 0.2}}]}
        """
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(attack.utf8), name: "thud").0)
      pack.waveforms = ["boom.wav"]
    }
    _ = fixture.run(to: 1_100_000)
    let played = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: Cause(client: me))
    let player = try #require(played.player)
    var actions = fixture.engine.takeActions()
    for mute in [!isMuted, isMuted] {
      let set = try fixture.engine.setHaptics(HapticsSet.Params(player: player, mute: mute), by: Cause(client: me))
      #expect(set.scheduledUs == played.scheduledUs)
      actions += fixture.engine.takeActions()
    }
    actions += fixture.run(to: 1_400_000)
    let commands = actions.audio
    let heard = actions.soundStarts.filter { start in !commands.retracted.contains(start.id) }
    let frame = fixture.output.timeline.frame(at: Instant(microseconds: played.scheduledUs))
    #expect(heard.map(\.at) == [frame], "\(actions.soundStarts) \(actions.voiceCommands)")
    // Taken back before the mixer has come to them.
    #expect(actions.soundStarts.count <= 2, "\(actions.voiceCommands)")
    let last = try #require(heard.last)
    let isSilent = last.gain == 0 || actions.voiceCommands.contains { $0.hasPrefix("gain \(last.id.rawValue) 0.0 ") }
    #expect(isSilent == isMuted, "\(actions.voiceCommands)")
  }

  /// The boom would begin at the first frame that can still be reached, and sound for as long as a stop fades.
  @Test func aSoundThatIsCalledOffAtItsVeryFrameIsTakenBack() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    let begun = try #require(fixture.run(to: 1_190_000).soundStarts.first)
    #expect(begun.at == fixture.output.reachableFrame)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player), by: .daemon)
    let commands = fixture.run(to: 1_200_000).audio
    #expect(commands.retracted == [begun.id])
  }

  @Test func aPlayerThatIsStoppedIsHeardNoMore() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_220_000)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player, atUs: 1_280_000), by: .daemon)
    let actions = fixture.run(to: 2_000_000)
    #expect(actions.voiceCommands == ["retract 2 0", "stop 2 11040", "stop 1 13440"])
    #expect(actions.soundStarts.isEmpty)
  }

  @Test func aSoundPlayedToItsFilesEndHoldsItsPlayerAndEndsWithIt() throws {
    var fixture = try EngineFixture { pack in
      let text = #"{"Pattern": [{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "boom.wav"}}]}"#
      let pattern = HapticPattern(try AHAPDocument.parse(Array(text.utf8), name: "thud").0)
      pack.patterns["thud"] = pattern.knowing(fileLengths: ["boom.wav": .milliseconds(800)])
      pack.waveforms = ["boom.wav"]
    }
    func play() throws -> HapticsPlay.Result {
      try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: Cause(client: me))
    }
    let first = try play()
    #expect(first.durationUs == 800_000)
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: first.player), by: .daemon)
    #expect(fixture.run(to: 1_600_000).voiceCommands.map { $0.prefix(6) } == ["stop 1"])
    _ = try play()
    _ = fixture.run(to: 2_000_000)
    fixture.engine.clientLeft(me)
    // It is played once, and so to its end.
    #expect(fixture.run(to: 2_100_000).voiceCommands == [])
  }

  @Test func everyTurnOfALoopIsHeard() throws {
    var fixture = try fixture()
    let params = HapticsPlay.Params(pattern: "thud", atUs: 1_500_000, loop: true, loopEndUs: 150_000)
    _ = try fixture.engine.playHaptics(params, by: Cause(client: me))
    // Turns of 150 ms, the boom 100 ms into each.
    #expect(fixture.run(to: 1_900_000).soundStarts.map(\.at) == [28_800, 36_000, 43_200])
  }

  @Test func aMutedPlayersSoundsAreThereUnheard() throws {
    var fixture = try fixture()
    let params = HapticsPlay.Params(pattern: "thud", atUs: 1_100_000, mute: true)
    let player = try #require(try fixture.engine.playHaptics(params, by: Cause(client: me)).player)
    #expect(fixture.run(to: 1_220_000).soundStarts.map(\.gain) == [0, 0])
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, mute: false, atUs: 1_250_000), by: .daemon)
    let actions = fixture.run(to: 1_300_000)
    // The tone was planned unheard and is planned again, heard.
    #expect(actions.soundStarts.map(\.gain) == [1])
    #expect(actions.voiceCommands.contains("gain 1 0.5 12000 240"))
  }

  @Test func aPauseThatWaitsReachesSoundsThatBeginBeforeIt() throws {
    var fixture = try fixture()
    let player = try #require(
      try fixture.engine.playHaptics(
        HapticsPlay.Params(pattern: "thud", atUs: 1_500_000), by: Cause(client: me)
      ).player)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_900_000), by: .daemon)
    _ = try fixture.engine.resumeHaptics(PlayerParams(player: player, atUs: 2_400_000), by: .daemon)
    let actions = fixture.run(to: 3_000_000)
    // The tone, from 1.7 s on, has 100 ms left when it is paused at 1.9 s.
    let (boom, tone) = (actions.soundStarts[0].id.rawValue, actions.soundStarts[1].id.rawValue)
    #expect(
      actions.voiceCommands == [
        "pause \(boom) 43200", "pause \(tone) 43200", "resume \(boom) 67440", "resume \(tone) 67440",
        "gain \(boom) 0.5 67200 240", "pitch \(boom) 0.5 67200", "gain \(tone) 1.0 67200 240",
        "pitch \(tone) 1.0 67200", "stop \(tone) 72000",
      ])
  }

  @Test func anEndToldTooSoonIsTakenBack() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    // The tone's end, at 1.6 s, is told at 1.5 s; then the rest, 50 ms from 1.55 s on, is slowed down by half.
    _ = fixture.run(to: 1_520_000)
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, rate: 0.5, atUs: 1_550_000), by: .daemon)
    let tone = fixture.run(to: 2_000_000).voiceCommands.filter { $0.contains(" 2 ") }
    #expect(
      tone == [
        "retract 2 26400", "bringBack 2 26400", "resume 2 26400",
        "gain 2 1.0 26400 240", "pitch 2 0.5 26400", "stop 2 31200",
      ])
  }

  @Test func whatIsTakenBackFromTheFrameOfItsBeginningLeavesASoundItsStart() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    // The boom begins at 1.2 s, frame 9 600; 2 us later, in the same frame, its rate changes, twice.
    _ = fixture.run(to: 1_110_000)
    let change = { (fixture: inout EngineFixture, rate: Double) in
      _ = try fixture.engine.setHaptics(
        HapticsSet.Params(player: player, rate: rate, atUs: 1_200_002), by: .daemon)
    }
    try change(&fixture, 0.5)
    _ = fixture.run(to: 1_120_000)
    try change(&fixture, 2)
    let commands = fixture.engine.takeActions().voiceCommands
    #expect(commands == ["retract 1 9601", "gain 1 0.5 9600 240", "pitch 1 1.0 9600"])
  }

  @Test func aTurnOfALoopDoesNotMoveTheEndOfASoundOfTheLast() throws {
    var fixture = try fixture()
    let params = HapticsPlay.Params(pattern: "thud", atUs: 1_500_000, loop: true, loopEndUs: 250_000)
    let player = try #require(try fixture.engine.playHaptics(params, by: Cause(client: me)).player)
    // The tone of the first turn began 200 ms into it, and is changed at 1.8 s, 50 ms into the second.
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, rate: 2, atUs: 1_800_000), by: .daemon)
    let actions = fixture.run(to: 2_000_000)
    let tone = try #require(actions.soundStarts.first { $0.sound == .hapticTone(.whole) })
    #expect(tone.at == 33_600)
    // 100 ms at 1, then 200 ms at 2.
    #expect(actions.voiceCommands.contains("stop \(tone.id.rawValue) 43200"))
  }

  @Test func aSoundThatMovesIsToldEveryTenMilliseconds() throws {
    var fixture = try EngineFixture { pack in
      let text = """
        {"Version": 1, "Pattern": [
          {"Event": {"Time": 0, "EventType": "AudioContinuous", "EventDuration": 0.2, "EventParameters": [
            {"ParameterID": "AudioBrightness", "ParameterValue": 0.5}]}},
          {"ParameterCurve": {"ParameterID": "AudioVolumeControl", "Time": 0, "ParameterCurveControlPoints": [
            {"Time": 0, "ParameterValue": 0}, {"Time": 0.1, "ParameterValue": 1}]}}]}
        """
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(text.utf8), name: "swell").0)
    }
    _ = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: 2_000_000), by: Cause(client: me))
    let actions = fixture.run(to: 2_500_000)
    #expect(actions.soundStarts.map(\.sound) == [.hapticTone(.whole), .hapticTone(.dull)])
    #expect(actions.soundStarts.map(\.gain) == [0, 0])
    let whole = actions.voiceCommands.filter { $0.hasPrefix("gain 1 ") }
    // 5 ms after the bend at its start, then every 10 ms up to the bend at its top.
    #expect(whole.count == 11)
    #expect(whole.first?.hasPrefix("gain 1 0.0249") == true && whole.first?.hasSuffix(" 48000 240") == true)
    #expect(whole.last?.hasSuffix(" 52560 240") == true)
    let gains = actions.voiceCommands.compactMap { $0.hasPrefix("gain 2 ") ? Float($0.split(separator: " ")[2]) : nil }
    #expect(abs((gains.last ?? 0) - 0.5) < 1e-5 && gains == gains.sorted())
    #expect(actions.voiceCommands.suffix(2) == ["stop 1 57600", "stop 2 57600"])
  }

  @Test func aSeekEntersSoundsInTheirMiddle() throws {
    var fixture = try EngineFixture { pack in
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(Self.pattern.utf8), name: "thud").0)
        .knowing(fileLengths: ["boom.wav": .milliseconds(800)])
      pack.waveforms = ["boom.wav"]
    }
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_150_000)
    // To 450 ms: the boom, an octave down, is 175 ms into its file, the tone has 50 ms left.
    _ = try fixture.engine.seekHaptics(
      HapticsSeek.Params(player: player, positionUs: 450_000, atUs: 1_300_000), by: .daemon)
    let actions = fixture.run(to: 2_000_000)
    let entered = actions.soundStarts.filter { $0.at == 14_400 }
    #expect(entered.map(\.sound) == [.waveform(fixture.loaded("boom.wav"), .whole), .hapticTone(.whole)])
    #expect(entered.map(\.sourceFrame) == [8_400, 12_000])
    #expect(entered.allSatisfy { $0.fadeIn.frames == 240 })
    #expect(entered.map(\.gain) == [0.5, 1])
    #expect(actions.voiceCommands == ["stop 1 14400", "stop \(entered[1].id.rawValue) 16800"])
  }

  @Test func aClientLeadsWhatIsHeard() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_300_000)
    // The boom has a volume of 0.5 and is an octave down; the tone is as it is made, from 1.3 s on.
    _ = try fixture.engine.sendParameters(
      HapticsSendParameters.Params(player: player, audioVolume: 0.5, audioPitch: 0.5, atUs: 1_350_000), by: .daemon)
    let actions = fixture.run(to: 1_360_000)
    #expect(
      actions.voiceCommands == [
        "gain 1 0.25 16800 240", "pitch 1 0.70710677 16800", "gain 2 0.5 16800 240", "pitch 2 1.4142135 16800",
      ])
  }

  @Test func controlsThatComeFasterThanSoundsAreToldAreFollowedTogether() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_310_000)
    for volume in [0.9, 0.5, 0.75] {
      _ = try fixture.engine.sendParameters(
        HapticsSendParameters.Params(player: player, audioVolume: volume), by: .daemon)
    }
    // The first at once, the others 5 ms later: sounds reach what is sent now 10 ms from now.
    let atOnce = fixture.engine.takeActions().voiceCommands.filter { $0.hasPrefix("gain 2") }
    #expect(atOnce == ["gain 2 0.9 15360 240"])
    let later = fixture.run(to: 1_330_000).voiceCommands.filter { $0.hasPrefix("gain 2") }
    #expect(later == ["gain 2 0.75 15840 240"])
  }

  @Test func whatIsOnlyFeltTellsSoundsNothing() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_300_000)
    _ = try fixture.engine.sendParameters(
      HapticsSendParameters.Params(player: player, intensity: 0.5, sharpness: 0.1), by: .daemon)
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, gain: 0.5), by: .daemon)
    let actions = fixture.engine.takeActions()
    #expect(actions.audio.isEmpty && actions.haptics.count == 2)
  }

  @Test func aPauseBeforeASoundHasGoneOnAgainLeavesItWhereItIs() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_220_000)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_250_000), by: .daemon)
    _ = try fixture.engine.resumeHaptics(PlayerParams(player: player, atUs: 1_400_000), by: .daemon)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_402_000), by: .daemon)
    _ = try fixture.engine.resumeHaptics(PlayerParams(player: player, atUs: 1_600_000), by: .daemon)
    let boom = fixture.run(to: 1_620_000).voiceCommands.filter { $0.contains(" 1 ") && !$0.hasPrefix("gain") }
    // The second time only 3 of the 5 ms are left to wait.
    #expect(
      boom.filter { !$0.hasPrefix("pitch") } == [
        "pause 1 12000", "resume 1 19440", "retract 1 19296", "resume 1 28944",
      ])
  }

  @Test func changesTakeHoldInTheOrderOfTheirInstants() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_310_000)
    for (volume, at) in [(0.9, nil), (0.25, 1_322_000), (0.75, nil)] as [(Double, Int64?)] {
      _ = try fixture.engine.sendParameters(
        HapticsSendParameters.Params(player: player, audioVolume: volume, atUs: at), by: .daemon)
    }
    _ = fixture.engine.takeActions()
    // The last two have come by when the sounds follow.
    fixture.output = EngineFixture.output(at: 1_330_000)
    fixture.engine.advance()
    let gains = fixture.engine.takeActions().voiceCommands.filter { $0.hasPrefix("gain 2") }
    #expect(gains.last == "gain 2 0.25 16320 240")
  }

  @Test func whatIsHeardTooIsPromisedForWhenItCanBe() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_300_000)
    let heard = try fixture.engine.sendParameters(
      HapticsSendParameters.Params(player: player, audioVolume: 0.5, atUs: 1_302_000), by: .daemon)
    #expect(heard == Scheduled(scheduledUs: 1_310_000, lateUs: 8_000))
    let felt = try fixture.engine.sendParameters(
      HapticsSendParameters.Params(player: player, intensity: 0.5), by: .daemon)
    #expect(felt == Scheduled(scheduledUs: 1_300_000, lateUs: 0))
    #expect(try fixture.engine.pauseHaptics(PlayerParams(player: player), by: .daemon).scheduledUs == 1_310_000)
  }

  @Test func aCurveLeadsASoundUntilItsEnd() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_400_000)
    let points = [
      HapticsScheduleCurve.Point(timeUs: 0, value: 1), HapticsScheduleCurve.Point(timeUs: 100_000, value: 0),
    ]
    _ = try fixture.engine.scheduleCurve(
      HapticsScheduleCurve.Params(player: player, control: .audioVolume, points: points, atUs: 1_450_000), by: .daemon)
    let boom = fixture.run(to: 2_500_000).voiceCommands.filter { $0.hasPrefix("gain 1 ") }
    #expect(boom.first == "gain 1 0.475 21600 240")
    #expect(boom.last == "gain 1 0.0 26400 240")
    let gains = boom.compactMap { Float($0.split(separator: " ")[2]) }
    #expect(gains.count == 12 && gains == gains.sorted(by: >))
  }

  @Test func aSoundIsMadeDullerByAVoiceOfItsOwnWhenThatIsAskedFor() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_400_000)
    func send(_ brightness: Double, at us: Int64) throws {
      _ = try fixture.engine.sendParameters(
        HapticsSendParameters.Params(player: player, audioBrightness: brightness, atUs: us), by: .daemon)
    }
    try send(-0.25, at: 1_450_000)
    var actions = fixture.run(to: 1_460_000)
    let added = actions.soundStarts
    #expect(
      added.map(\.sound) == [.waveform(fixture.loaded("boom.wav"), .dull), .hapticTone(.dull)])
    #expect(added.map(\.alignedWith?.rawValue) == [1, 2] && added.allSatisfy { $0.at == 21_600 && $0.gain == 0 })
    let (boom, tone) = (added[0].id.rawValue, added[1].id.rawValue)
    #expect(
      actions.voiceCommands.filter { $0.hasPrefix("gain") } == [
        "gain 1 0.375 21600 240", "gain \(boom) 0.125 21600 240", "gain 2 0.75 21600 240",
        "gain \(tone) 0.25 21600 240",
      ])
    // Once there, it stays; and it goes when the other does.
    try send(0, at: 1_500_000)
    actions = fixture.run(to: 2_000_000)
    #expect(actions.soundStarts.isEmpty)
    #expect(actions.voiceCommands.contains("gain \(tone) 0.0 24000 240"))
    #expect(actions.voiceCommands.suffix(2) == ["stop 2 28800", "stop \(tone) 28800"])
  }

  @Test func aDullVoiceThatWasPlannedInVainIsCalledOff() throws {
    var fixture = try fixture()
    let player = try play(in: &fixture)
    _ = fixture.run(to: 1_400_000)
    _ = try fixture.engine.sendParameters(
      HapticsSendParameters.Params(player: player, audioBrightness: -1, atUs: 1_450_000), by: .daemon)
    let added = fixture.run(to: 1_410_000).soundStarts.map(\.id.rawValue)
    #expect(added.count == 2)
    // Before that comes, another change: what was planned is planned again.
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, mute: true, atUs: 1_430_000), by: .daemon)
    let actions = fixture.run(to: 1_440_000)
    #expect(actions.voiceCommands.contains("stop \(added[0]) 20160"))
    #expect(actions.soundStarts.map(\.at) == [21_600, 21_600])
  }

  @Test func aDocumentSentInlineMayNotNameFiles() throws {
    var fixture = try EngineFixture()
    let event: JSONValue = .object([
      "Event": .object([
        "Time": .number(0), "EventType": .string("AudioCustom"), "EventWaveformPath": .string("/etc/passwd"),
      ])
    ])
    let params = HapticsPlay.Params(ahap: .object(["Version": .number(1), "Pattern": .array([event])]))
    #expect {
      _ = try fixture.engine.playHaptics(params, by: Cause(client: me))
    } throws: { error in
      (error as? RPCError)?.message == "ahap names a sound file, /etc/passwd, which an inline document may not"
    }
  }
}

extension [EngineAction] {
  /// What voices were told after their start, as text.
  fileprivate var voiceCommands: [String] {
    audio.compactMap { step in
      let command: MixerCommand
      switch step {
      case .command(let plain): command = plain
      case .steer(let steering): command = steering
      default: return nil
      }
      return switch command {
      case .stop(let voice, let at, _): "stop \(voice.rawValue) \(at)"
      case .pause(let voice, let at, _): "pause \(voice.rawValue) \(at)"
      case .resume(let voice, let at, _): "resume \(voice.rawValue) \(at)"
      case .gain(let voice, let gain, let at, let fade): "gain \(voice.rawValue) \(gain) \(at) \(fade.frames)"
      case .bringBack(let voice, let at, _): "bringBack \(voice.rawValue) \(at)"
      case .retract(let voice, let frame): "retract \(voice.rawValue) \(frame)"
      case .pitch(let voice, let pitch, let at): "pitch \(voice.rawValue) \(pitch) \(at)"
      default: nil
      }
    }
  }
}
