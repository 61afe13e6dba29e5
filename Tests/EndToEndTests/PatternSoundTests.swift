import FoundationEssentials
import Glibc
import StarlightClient
import Testing
import Wire

/// What the real daemon renders of a pattern's sounds while its envelopes and controls lead them, sample by sample.
@Suite struct PatternSoundTests {
  /// The left and right channel of `entries`, played at frame 24 000, up to 2 s.
  private func rendered(
    _ entries: String, rate: Double? = nil
  ) throws -> (left: ArraySlice<Float>, right: ArraySlice<Float>) {
    let directory = try makeTemporaryDirectory()
    let game = try SteppedGame(["--record", directory + "/out.wav"]) { pack in
      try TestPack.writeWave(pack + "/half.wav", seconds: 1) { _ in 0.5 }
      try "{\"Version\": 1, \"Pattern\": [\(entries)]}".write(
        toFile: pack + "/patterns/thud.ahap", atomically: true, encoding: .utf8)
    }
    let clock = try game.connection.call(ClockNow.self, Empty())
    let zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
    _ = try game.connection.call(
      HapticsPlay.self, HapticsPlay.Params(pattern: "thud", atUs: zero + 500_000, rate: rate))
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
