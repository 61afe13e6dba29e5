// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// What the real daemon renders, read back sample by sample from its recording.
@Suite struct OutputTests {
  @Test func soundsBeginAtTheFramesAskedForAndNowhereElse() throws {
    let recording = try makeTemporaryDirectory() + "/out.wav"
    let game = try SteppedGame(["--record", recording])
    let clock = try game.connection.call(ClockNow.self, Empty())
    let zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
    // 0.5 s and 0.75 s after frame 0: frames 24 000 and 36 000 exactly.
    for instant in [zero + 500_000, zero + 750_000] {
      let played = try game.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_click", atUs: instant))
      #expect(played.scheduledUs == instant)
      #expect(played.lateUs == 0)
    }
    try game.step(to: zero + 1_500_000)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    let left = try WaveFile(recording).channel(0)
    let sounding = left.indices.filter { left[$0] != 0 }
    #expect(sounding.first == 24_000)
    #expect(left[24_000 - 1] == 0)
    #expect(left[36_000 - 1] == 0)
    #expect(left[36_000] != 0)
    // Each lasts 0.1 s.
    #expect(left[24_000..<28_800].allSatisfy { $0 != 0 })
    #expect(left[28_800..<36_000].allSatisfy { $0 == 0 })
    #expect(left[40_800...].allSatisfy { $0 == 0 })
    #expect(left.allSatisfy { abs($0) <= 1 })
  }

  @Test func theCrossfadeKeepsThePower() throws {
    let recording = try makeTemporaryDirectory() + "/out.wav"
    let game = try SteppedGame(["--record", recording])
    let clock = try game.connection.call(ClockNow.self, Empty())
    let zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
    _ = try game.connection.call(MusicPlay.self, MusicPlay.Params(track: "main", atUs: zero + 250_000))
    _ = try game.connection.call(MusicPlay.self, MusicPlay.Params(track: "finale", atUs: zero + 1_000_000))
    let told = try game.step(to: zero + 2_000_000)
    #expect(try told.all(MusicChanged.self).map(\.payload.change) == [.started, .crossfaded])
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    let left = try WaveFile(recording).channel(0)
    // Two constants of 0.25 with gains cos and sin of the way: their sum, not their power, is what is seen.
    let steady = Double(left[40_000])
    for offset in stride(from: 0, to: 24_000, by: 250) {
      let angle = Double(offset) / 24_000 * .pi / 2
      let expected = steady * (cosine(angle) + cosine(.pi / 2 - angle))
      #expect(abs(Double(left[48_000 + offset]) - expected) < 1e-4)
    }
    #expect(left[12_000 - 1] == 0)
    #expect(left[12_000] != 0)
  }

  @Test func whatAPatternSoundsLikeBeginsAtTheFrameOfItsInstant() throws {
    let directory = try makeTemporaryDirectory()
    let game = try SteppedGame(["--record", directory + "/out.wav", "--haptic-log", directory + "/haptics"]) { pack in
      try WaveFile.write(pack + "/boom.wav", seconds: 0.1) { _ in 0.5 }
      try """
      {"Version": 1, "Pattern": [
        {"Event": {"Time": 0.1, "EventType": "HapticTransient"}},
        {"Event": {"Time": 0.1, "EventType": "AudioCustom", "EventWaveformPath": "boom.wav",
                   "EventParameters": [{"ParameterID": "AudioVolume", "ParameterValue": 0.5}]}},
        {"Event": {"Time": 0.5, "EventType": "AudioContinuous", "EventDuration": 0.25,
                   "EventParameters": [{"ParameterID": "AudioBrightness", "ParameterValue": 0}]}}]}
      """.write(toFile: pack + "/patterns/thud.ahap", atomically: true, encoding: .utf8)
    }
    let clock = try game.connection.call(ClockNow.self, Empty())
    let zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
    _ = try game.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "thud", atUs: zero + 250_000))
    try game.step(to: zero + 1_500_000)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    // 0.35 s: frame 16 800, for 4 800 frames of 0.5 x 0.5.
    let left = try WaveFile(directory + "/out.wav").channel(0)
    #expect(left[..<16_800].allSatisfy { $0 == 0 })
    #expect(left[16_800..<21_600].allSatisfy { abs(Double($0) - 0.25) < 1e-4 })
    #expect(left[21_600..<36_000].allSatisfy { $0 == 0 })
    // 0.75 s: a sine of 200 Hz, 240 frames a period, that begins at zero and is faded out from frame 48 000 on.
    #expect(left[36_000] == 0)
    #expect(abs(Double(left[36_060]) - 0.5) < 1e-4)
    #expect(abs(Double(left[36_180]) + 0.5) < 1e-4)
    #expect(abs(Double(left[47_940]) + 0.5) < 1e-4)
    #expect(left[48_240...].allSatisfy { $0 == 0 })
    let felt = try String(contentsOfFile: directory + "/haptics", encoding: .utf8)
    #expect(felt.hasPrefix("{\"tUs\":\(zero + 350_000),"))
  }

  @Test func hapticsAreLoggedAtTheirInstants() throws {
    let log = try makeTemporaryDirectory() + "/haptics.ndjson"
    let game = try SteppedGame(["--haptic-log", log])
    let at = game.nowUs + 100_000
    let params = HapticsTransient.Params(intensity: 0.8, sharpness: 0.6, atUs: at)
    let played = try game.connection.call(HapticsTransient.self, params)
    #expect(played.scheduledUs == at)
    let told = try game.step(to: at + 1_000_000)
    #expect(try told.all(HapticsChanged.self).map(\.payload.change) == [.started, .finished])
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    struct Line: Decodable {
      var tUs: Int64
      var intensity: Double
      var sharpness: Double
    }
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    let first = try #require(lines.first { $0.intensity > 0 })
    #expect(first.tUs == at)
    #expect(abs(first.intensity - 0.8) < 1e-3)
    #expect(abs(first.sharpness - 0.6) < 1e-3)
    #expect(lines.last?.intensity == 0)
    #expect(lines.last?.tUs == at + 20_000)
  }
}
