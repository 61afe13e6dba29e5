// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// Parameters through the real daemon: what is heard of them to the sample, and felt to the microsecond.
@Suite struct ParameterTests {
  private static let parameters = """
    "parameters": {
      "loud": {"default": 1, "targets": [{"track": "main", "gain": {"power": 0.8}},
        {"pattern": "thud", "intensity": {"power": 0.8}}]},
      "menu": {"targets": [{"bus": "music", "lowPass": {"points": [{"value": 0, "to": 20000}, {"value": 1, "to": 500}]}}]}},
    "tracks"
    """

  /// Felt at full strength for three seconds.
  private static let steady = """
    {"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 3,
      "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1},
        {"ParameterID": "HapticSharpness", "ParameterValue": 0}]}}]}
    """

  private struct Line: Decodable {
    var tUs: Int64
    var intensity: Double
  }

  /// A slider that is turned 120 times a second, far each time: what is heard is at each sample what its ramps and curve come
  /// to, without steps; what is felt at each line's microsecond, too; and every setting is told as it was promised.
  @Test func aHundredAndTwentySettingsASecondAreSmooth() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let game = try SteppedGame(["--record", directory + "/out.wav", "--haptic-log", directory + "/felt"]) { pack in
      try Self.rewrite(pack)
    }
    let clock = try game.connection.call(ClockNow.self, Empty())
    let frameZero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
    let zero = frameZero + 1_000_000
    _ = try game.connection.call(MusicPlay.self, MusicPlay.Params(track: "main", atUs: zero, crossfadeUs: 0))
    _ = try game.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "thud", atUs: zero))
    try game.step(to: zero + 100_000)
    var promised: [(us: Int64, value: Double)] = []
    var told: [(tUs: Int64, payload: ParameterChanged)] = []
    var value = 1.0
    for turn in 1...240 {
      told += try game.step(to: zero + 100_000 + Int64(turn) * 8_333).all(ParameterChanged.self)
      value = (value + 0.31).truncatingRemainder(dividingBy: 1)
      let set = try game.connection.call(ParameterSet.self, ParameterSet.Params(parameter: "loud", value: value))
      #expect(set.lateUs == 0)
      promised.append((set.scheduledUs, value))
    }
    told += try game.step(to: zero + 2_500_000).all(ParameterChanged.self)
    #expect(told.map(\.tUs) == promised.map(\.us) && told.map(\.payload.value) == promised.map(\.value))
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    // Ramps of 10 ms, each from where the one before it was.
    var (from, to, start) = (1.0, 1.0, Double(zero))
    var next = 0
    func driven(_ us: Double) -> Double {
      func now(_ us: Double) -> Double { from + (to - from) * min(1, max(0, (us - start) / 10_000)) }
      while next < promised.count, Double(promised[next].us) <= us {
        (from, to, start) = (now(Double(promised[next].us)), promised[next].value, Double(promised[next].us))
        next += 1
      }
      return pow(now(us), 0.8)
    }
    let samples = try WaveFile(directory + "/out.wav").channel(0)
    var (worst, largest): (Float, Float) = (0, 0)
    for frame in 48_000 + 3_000..<48_000 + 115_000 {
      let expected = Float(0.25 * driven(Double(zero) + Double(frame - 48_000) * 1_000 / 48))
      worst = max(worst, abs(samples[frame] - expected))
      largest = max(largest, abs(samples[frame] - samples[frame - 1]))
    }
    #expect(worst < 0.25 * 4e-3, "\(worst)")
    // The steepest way is 0.69 in 10 ms, and the power's, near 0, what 1 ms of it comes to.
    #expect(largest < 0.25 * 0.003, "\(largest)")
    (from, to, start, next) = (1, 1, Double(zero), 0)
    let lines = try String(contentsOfFile: directory + "/felt", encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.count > 400)
    // A motor is given it in steps that nobody feels: those of 1 ms of the steepest way.
    let steps = zip(lines, lines.dropFirst()).filter { $0.tUs > zero && $1.tUs < zero + 2_400_000 }
      .map { abs($1.intensity - $0.intensity) }
    #expect(steps.max() ?? 1 < 0.12, "\(steps.max() ?? 1)")
    for line in lines where line.tUs > zero && line.tUs < zero + 2_400_000 {
      #expect(abs(line.intensity - driven(Double(line.tUs))) < 2e-3, "\(line.tUs - zero) us")
    }
  }

  private static func rewrite(_ pack: String) throws {
    let path = pack + "/pack.json"
    try Self.steady.write(toFile: pack + "/patterns/thud.ahap", atomically: true, encoding: .utf8)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let range = text.firstRange(of: "\"tracks\"") else { throw ProcessFailure("no tracks") }
    try (text[..<range.lowerBound] + parameters + text[range.upperBound...]).write(
      toFile: path, atomically: true, encoding: .utf8)
  }
}
