// SPDX-License-Identifier: Apache-2.0

import Glibc
import WaveBytes

/// The pack the checks play: noise without a single zero, so that every frame of it says where it belongs.
enum RigPack {
  static let rate = 48_000
  /// Frames of each effect.
  static let effectFrames = 2_400
  /// Where the first beat of a chapter is, and how far the others are apart.
  static let firstBeatUs: Int64 = 500_000
  static let everyUs: Int64 = 200_000

  /// Makes it in `packs`, with the patterns of some folders.
  static func make(in packs: String, patterns folders: [String]) throws {
    let folder = packs + "/rig"
    mkdir(packs, 0o755)
    mkdir(folder, 0o755)
    let patterns = folders.flatMap { folder in
      list(folder).filter { $0.hasSuffix(".ahap") }.map { (name: String($0.dropLast(5)), path: folder + "/" + $0) }
    }
    for pattern in patterns { try writeFile("\(folder)/\(pattern.name).ahap", readFile(pattern.path)) }
    try writeFile(
      folder + "/pack.json",
      """
      {
        "name": "rig", "title": "Kernel rig", "version": "1",
        "tracks": {
          "day": { "file": "day.wav", "loop": true }, "night": { "file": "night.wav", "loop": true },
          "rest": { "file": "rest.wav", "loop": true }
        },
        "sounds": {
          "tick": { "file": "tick.wav" }, "tock": { "file": "tock.wav" }, "boom": { "file": "tock.wav" }
        },
        "ducking": [{ "sound": "boom", "depth": 0.5, "attack": 0.02, "hold": 0.05, "release": 0.1 }],
        "patterns": { \(patterns.map { "\"\($0.name)\": { \"file\": \"\($0.name).ahap\" }" }.joined(separator: ", ")) },
        "cues": { "strike": { "steps": [{ "sound": "tick" }, { "pattern": "pulse" }] } },
        "chapters": {
          "drill": {
            "title": "Drill", "track": "rest", "length": 5, "window": 0.05, "spawnLead": 0.5,
            "beats": [\((0..<ClosedLoop.beats).map(beat).joined(separator: ", "))]
          },
          "bound": {
            "title": "Bound", "track": "rest", "length": 14, "window": 0.05, "spawnLead": 0.5,
            "beats": [\((0..<65).map(beat).joined(separator: ", "))]
          },
          "answer": {
            "title": "Answer", "track": "rest", "length": 11, "window": 0.05, "spawnLead": 0.5,
            "beats": [\((0..<SkewChecks.cues).map(beat).joined(separator: ", "))], "feedback": { "hit": "strike" }
          }
        }
      }
      """)
    try write(folder + "/day.wav", frames: 8 * rate, amplitude: 0.2, seed: 1)
    try write(folder + "/night.wav", frames: 8 * rate, amplitude: 0.2, seed: 2)
    try write(folder + "/rest.wav", frames: rate, amplitude: 0, seed: 5)
    try write(folder + "/tick.wav", frames: effectFrames, amplitude: 0.3, seed: 3)
    try write(folder + "/tock.wav", frames: effectFrames, amplitude: 0.3, seed: 4)
  }

  private static func beat(_ index: Int) -> String {
    "{ \"at\": \(Double(firstBeatUs + Int64(index) * everyUs) / 1e6) }"
  }

  /// A stereo 16-bit file of noise, each sample at least an eighth of the amplitude.
  private static func write(_ path: String, frames: Int, amplitude: Double, seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var samples: [Int16] = []
    samples.reserveCapacity(2 * frames)
    let top = amplitude * 32_767
    for _ in 0..<2 * frames {
      // xorshift
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let share = Double(state >> 40) / Double(1 << 24)
      let size = Int16(top / 8 + share * top * 7 / 8)
      samples.append(state & 1 == 0 ? size : -size)
    }
    try writeFile(path, waveBytes(samples, rate: rate, channels: 2))
  }
}
