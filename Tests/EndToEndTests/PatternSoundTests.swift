// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// What the real daemon renders of a pattern's sounds while its envelopes and controls lead them, sample by sample.
@Suite struct PatternSoundTests {
  /// The left and right channel of `entries`, played at frame 24 000, up to 2 s; `change` may change the player, knowing
  /// the instant of frame 0.
  private func rendered(
    _ entries: String, rate: Double? = nil,
    _ change: (StarlightConnection, _ player: Int64, _ zeroUs: Int64) throws -> Void = { _, _, _ in }
  ) throws -> (left: ArraySlice<Float>, right: ArraySlice<Float>) {
    let directory = try makeTemporaryDirectory()
    let game = try SteppedGame(["--record", directory + "/out.wav"]) { pack in
      try WaveFile.write(pack + "/half.wav", seconds: 1) { _ in 0.5 }
      try WaveFile.write(pack + "/rising.wav", seconds: 1) { Double($0) / 65_536 }
      try "{\"Version\": 1, \"Pattern\": [\(entries)]}".write(
        toFile: pack + "/patterns/thud.ahap", atomically: true, encoding: .utf8)
    }
    let clock = try game.connection.call(ClockNow.self, Empty())
    let zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
    let played = try game.connection.call(
      HapticsPlay.self, HapticsPlay.Params(pattern: "thud", atUs: zero + 500_000, rate: rate))
    try change(game.connection, try #require(played.player), zero)
    try game.step(to: zero + 2_000_000)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    let file = try WaveFile(directory + "/out.wav")
    return (file.channel(0)[24_000...], file.channel(1)[24_000...])
  }

  private func custom(_ duration: Double, _ parameters: String = "") -> String {
    """
    {"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "half.wav", "EventDuration": \(duration),
      "EventParameters": [\(parameters)]}}
    """
  }

  private func curve(_ control: String, _ points: [(Double, Double)]) -> String {
    let list = points.map { "{\"Time\": \($0), \"ParameterValue\": \($1)}" }.joined(separator: ", ")
    return "{\"ParameterCurve\": {\"ParameterID\": \"\(control)\", \"Time\": 0, "
      + "\"ParameterCurveControlPoints\": [\(list)]}}"
  }

  private func parameter(_ name: String, _ value: Double) -> String {
    "{\"ParameterID\": \"\(name)\", \"ParameterValue\": \(value)}"
  }

  @Test func aVolumeCurveIsAStraightLineOfGain() throws {
    let sound = try rendered(
      custom(0.8) + "," + curve("AudioVolumeControl", [(0.1, 1), (0.3, 0.25), (0.5, 0.75)])
    ).left
    for frame in 0..<38_400 {
      let second = Double(frame) / 48_000
      let gain =
        second < 0.1 ? 1 : second < 0.3 ? 1 - 3.75 * (second - 0.1) : min(0.75, 0.25 + 2.5 * (second - 0.3))
      #expect(abs(Double(sound[24_000 + frame]) - 0.5 * gain) < 2e-4, "frame \(frame)")
    }
    #expect(sound[(24_000 + 38_400 + 240)...].allSatisfy { $0 == 0 })
  }

  @Test func anEnvelopeRisesHoldsAndFallsAfterTheDuration() throws {
    // 0.5 is 90.909 ms; the release begins at 0.5 s.
    let sound = try rendered(custom(0.5, parameter("AttackTime", 0.5) + "," + parameter("ReleaseTime", 0.5))).left
    let length = (pow(100, 0.5) - 1) / 99
    for frame in 0..<36_000 {
      let second = Double(frame) / 48_000
      let gain = min(1, second / length, max(0, 1 - (second - 0.5) / length))
      #expect(abs(Double(sound[24_000 + frame]) - 0.5 * gain) < 3e-4, "frame \(frame)")
    }
  }

  @Test func panMovesWithItsControlAndKeepsThePower() throws {
    let sound = try rendered(custom(0.8) + "," + curve("AudioPanControl", [(0, -1), (0.4, 1)]))
    for frame in stride(from: 480, to: 19_200, by: 480) {
      // In steps of 10 ms, each taken in 5: behind by 5 to 10 ms, and on it at the end of each step.
      let place = -1 + Double(frame - 240) / 9_600
      let (left, right) = (Double(sound.left[24_000 + frame]), Double(sound.right[24_000 + frame]))
      #expect(abs(left * left + right * right - 0.5) < 1e-2)
      #expect(abs(atan2(right, left) - .pi / 4 * (place + 1)) < 0.03, "frame \(frame)")
    }
    #expect(sound.left[24_000 + 20_000...24_000 + 30_000].allSatisfy { abs($0) < 1e-4 })
  }

  @Test func brightnessAddsOvertonesToATone() throws {
    let tone = "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioContinuous\", \"EventDuration\": 0.8}}"
    let sound = try rendered(tone + "," + curve("AudioBrightnessControl", [(0, -1), (0.4, 0)])).left
    func partial(_ number: Int, from frame: Int) -> Double {
      (0..<240).reduce(0.0) { sum, index in
        sum + Double(sound[24_000 + frame + index]) * sin(2 * .pi * Double(number * index) / 240)
      } / 120
    }
    for frame in stride(from: 0, to: 30_000, by: 2_400) {
      #expect(abs(partial(1, from: frame) - 0.5) < 2e-3)
      // In the middle of a period that it is led through.
      let brightness = min(1, Double(frame + 120) / 19_200)
      #expect(abs(partial(2, from: frame) - 0.125 * brightness) < 2e-3, "frame \(frame)")
      #expect(abs(partial(5, from: frame) - 0.02 * brightness) < 2e-3, "frame \(frame)")
    }
  }

  @Test func aSeekGoesOnAtTheVeryFrameOfTheFile() throws {
    let rising = #"{"Event": {"Time": 0.1, "EventType": "AudioCustom", "EventWaveformPath": "rising.wav"}}"#
    let sound = try rendered(rising) { connection, player, zero in
      _ = try connection.call(
        HapticsSeek.self, HapticsSeek.Params(player: player, positionUs: 600_000, atUs: zero + 800_000))
    }.left
    // From 0.6 s on it plays; at 0.8 s it goes to half a second into the file, whose frames are steps of 2^-16, in pairs.
    for frame in 28_800..<38_400 { #expect(sound[frame] == Float((frame - 28_800) & ~1) / 65_536, "frame \(frame)") }
    for frame in 38_640..<62_400 {
      #expect(sound[frame] == Float((24_000 + frame - 38_400) & ~1) / 65_536, "frame \(frame)")
    }
    #expect(sound[62_400...].allSatisfy { $0 == 0 })
    // Between the two 5 ms of both.
    let steps = zip(sound[38_300..<38_700], sound[38_301..<38_701]).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.003)
  }

  @Test func pausesLeaveASoundWhereItsPatternIs() throws {
    let rising = #"{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "rising.wav"}}"#
    let sound = try rendered(rising) { connection, player, zero in
      for pause in 0..<4 as Range<Int64> {
        let at = zero + 600_000 + pause * 100_000
        _ = try connection.call(HapticsPause.self, PlayerParams(player: player, atUs: at))
        _ = try connection.call(HapticsResume.self, PlayerParams(player: player, atUs: at + 50_000))
      }
    }.left
    // 0.1 s, four pauses of 50 ms between 50 ms each, and the rest; the 5 ms of each fade apart.
    for frame in 24_000..<28_800 { #expect(sound[frame] == Float((frame - 24_000) & ~1) / 65_536) }
    for pause in 0..<4 {
      let from = 28_800 + pause * 4_800
      for frame in from + 240..<from + 2_640 { #expect(sound[frame] == 0, "frame \(frame)") }
      let place = 4_800 + pause * 2_400
      for frame in from + 2_880..<from + 4_800 {
        #expect(sound[frame] == Float((place + frame - from - 2_400) & ~1) / 65_536, "frame \(frame)")
      }
    }
  }

  @Test func aClientLeadsTheVolumeAlongStraightLines() throws {
    let sound = try rendered(custom(0.8)) { connection, player, zero in
      let points = [(0, 1.0), (200_000, 0.25), (400_000, 0.75)].map {
        HapticsScheduleCurve.Point(timeUs: $0.0, value: $0.1)
      }
      _ = try connection.call(
        HapticsScheduleCurve.self,
        HapticsScheduleCurve.Params(player: player, control: .audioVolume, points: points, atUs: zero + 600_000))
    }.left
    for frame in 0..<38_400 {
      let second = Double(frame) / 48_000
      let gain =
        second < 0.1 ? 1 : second < 0.3 ? 1 - 3.75 * (second - 0.1) : min(0.75, 0.25 + 2.5 * (second - 0.3))
      #expect(abs(Double(sound[24_000 + frame]) - 0.5 * gain) < 2e-4, "frame \(frame)")
    }
  }

  @Test func aClientTakesTheBrightnessFromAToneThatSounds() throws {
    let tone = "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioContinuous\", \"EventDuration\": 0.8}}"
    let sound = try rendered(tone) { connection, player, zero in
      _ = try connection.call(
        HapticsSendParameters.self,
        HapticsSendParameters.Params(player: player, audioBrightness: -1, atUs: zero + 700_000))
    }.left
    func sine(_ frame: Int) -> Float { Float(0.5 * sin(2 * .pi * Double(frame) / 240)) }
    #expect((24_000..<33_600).contains { abs(sound[$0] - sine($0 - 24_000)) > 0.05 })
    for frame in 33_840..<62_400 { #expect(abs(sound[frame] - sine(frame - 24_000)) < 1e-6, "frame \(frame)") }
  }

  @Test func theRateOfAPlayerIsAPitchToo() throws {
    let tone =
      "{\"Event\": {\"Time\": 0, \"EventType\": \"AudioContinuous\", \"EventDuration\": 0.8, "
      + "\"EventParameters\": [\(parameter("AudioBrightness", 0))]}}"
    let sound = try rendered(tone, rate: 2).left
    // 400 Hz for 0.4 s; the filter that reads it at that rate sees the silence before it in its first frames.
    for frame in 0..<19_200 {
      let expected = 0.5 * sin(2 * .pi * Double(frame) / 120)
      #expect(abs(Double(sound[24_000 + frame]) - expected) < (frame < 16 ? 3e-3 : 1e-5), "frame \(frame)")
    }
    #expect(sound[(24_000 + 19_200 + 240)...].allSatisfy { $0 == 0 })
  }
}
