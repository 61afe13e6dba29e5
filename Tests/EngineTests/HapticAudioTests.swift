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

  @Test func eachSoundBeginsAtItsFrameWithItsParameters() throws {
    var fixture = try fixture()
    let played = try fixture.engine.playHaptics(
      HapticsPlay.Params(pattern: "thud", atUs: 1_500_000), from: me, fixture.output)
    #expect(played.scheduledUs == 1_500_000)
    let actions = fixture.run(to: 2_500_000)
    // Frame 0 is heard at 1 s: the boom at 1.6 s, the tone at 1.7 s and until 2 s.
    let starts = actions.soundStarts
    #expect(starts.map(\.at) == [28_800, 33_600])
    #expect(starts.map(\.sound) == [.waveform(AssetKey(pack: "game", name: "boom.wav")), .hapticTone])
    #expect(starts.allSatisfy { $0.bus == .haptic })
    #expect(starts[0].gain == 0.5 && starts[0].pan == -0.25 && starts[0].pitch == 0.5 && !starts[0].loops)
    #expect(starts[1].gain == 1 && starts[1].pan == 0 && starts[1].pitch == 1 && starts[1].loops)
    #expect(actions.voiceCommands == ["stop \(starts[1].voice.rawValue) 48000"])
  }

  @Test func asSoonAsPossibleWaitsForTheSlowerOutput() throws {
    var fixture = try fixture()
    let played = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), from: me, fixture.output)
    // 10 ms until something can be heard, nothing until it can be felt.
    #expect(played.scheduledUs == 1_010_000)
  }

  @Test func soundsFollowPauseSeekAndRate() throws {
    var fixture = try fixture()
    let player = try fixture.engine.playHaptics(
      HapticsPlay.Params(pattern: "thud", atUs: 1_100_000), from: me, fixture.output
    ).player
    // Paused at 150 ms, when the boom sounds and the tone, 50 ms off, is planned already.
    var actions = fixture.run(to: 1_220_000)
    #expect(actions.soundStarts.map(\.at) == [9_600, 14_400])
    let (boom, tone) = (actions.soundStarts[0].voice.rawValue, actions.soundStarts[1].voice.rawValue)
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_250_000), fixture.output)
    actions = fixture.run(to: 1_500_000)
    #expect(actions.voiceCommands == ["pause \(boom) 12000", "stop \(tone) 11040"])
    #expect(actions.soundStarts.isEmpty)
    // Resumed at 2 s at twice the speed: the tone begins 25 ms later and lasts 150 ms.
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, rate: 2), fixture.output)
    _ = try fixture.engine.resumeHaptics(PlayerParams(player: player, atUs: 2_000_000), fixture.output)
    actions = fixture.run(to: 2_100_000)
    #expect(actions.soundStarts.map(\.at) == [49_200])
    let second = try #require(actions.soundStarts.first).voice.rawValue
    #expect(actions.voiceCommands == ["resume \(boom) 48000", "stop \(second) 56400"])
  }

  @Test func aPlayerThatIsStoppedIsHeardNoMore() throws {
    var fixture = try fixture()
    let player = try fixture.engine.playHaptics(
      HapticsPlay.Params(pattern: "thud", atUs: 1_100_000), from: me, fixture.output
    ).player
    _ = fixture.run(to: 1_220_000)
    _ = try fixture.engine.stopHaptics(HapticsStop.Params(player: player, atUs: 1_280_000), fixture.output)
    let actions = fixture.run(to: 2_000_000)
    #expect(actions.voiceCommands == ["stop 1 13440", "stop 2 11040"])
    #expect(actions.soundStarts.isEmpty)
  }

  @Test func everyTurnOfALoopIsHeard() throws {
    var fixture = try fixture()
    let params = HapticsPlay.Params(pattern: "thud", atUs: 1_500_000, loop: true, loopEndUs: 150_000)
    _ = try fixture.engine.playHaptics(params, from: me, fixture.output)
    // Turns of 150 ms, the boom 100 ms into each.
    #expect(fixture.run(to: 1_900_000).soundStarts.map(\.at) == [28_800, 36_000, 43_200])
  }

  @Test func aMutedPlayersSoundsAreThereUnheard() throws {
    var fixture = try fixture()
    let params = HapticsPlay.Params(pattern: "thud", atUs: 1_100_000, mute: true)
    let player = try fixture.engine.playHaptics(params, from: me, fixture.output).player
    #expect(fixture.run(to: 1_220_000).soundStarts.map(\.gain) == [0, 0])
    _ = try fixture.engine.setHaptics(HapticsSet.Params(player: player, mute: false, atUs: 1_250_000), fixture.output)
    let actions = fixture.run(to: 1_300_000)
    // The tone was planned unheard and is planned again, heard.
    #expect(actions.soundStarts.map(\.gain) == [1])
    #expect(actions.voiceCommands.contains("gain 1 0.5 12000"))
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
      _ = try fixture.engine.playHaptics(params, from: me, fixture.output)
    } throws: { error in
      (error as? RPCError)?.message == "ahap names a sound file, /etc/passwd, which an inline document may not"
    }
  }
}

extension [EngineAction] {
  /// What voices were told after their start, as text.
  fileprivate var voiceCommands: [String] {
    audio.compactMap { step in
      guard case .command(let command) = step else { return nil }
      return switch command {
      case .stop(let voice, let at, _): "stop \(voice.rawValue) \(at)"
      case .pause(let voice, let at, _): "pause \(voice.rawValue) \(at)"
      case .resume(let voice, let at, _): "resume \(voice.rawValue) \(at)"
      case .gain(let voice, let gain, let at, _): "gain \(voice.rawValue) \(gain) \(at)"
      default: nil
      }
    }
  }
}
