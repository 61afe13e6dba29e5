// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// A folder of packs made for a test: a manifest with the beat map that the original game was published with, and tones in
/// place of audio.
enum TestPack {
  static let sampleRate = 48_000

  /// The packs folder; the caller's temporary directory holds it.
  static func make(in directory: String) throws -> String {
    let packs = directory + "/packs"
    let pack = packs + "/starlight-sync"
    try FileManager.default.createDirectory(atPath: packs, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: fixture, toPath: pack)
    // A constant makes every gain readable in the rendered samples.
    try writeWave(pack + "/main.wav", seconds: 50) { _ in 0.25 }
    try writeWave(pack + "/finale.wav", seconds: 12) { _ in 0.25 }
    for name in ["click", "lock", "error", "whoosh", "power"] {
      try writeWave(pack + "/sfx_\(name).wav", seconds: 0.1) { _ in 0.5 }
    }
    return packs
  }

  private static let fixture = repository + "/Tests/EndToEndTests/Fixtures/starlight-sync"

  static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  /// A mono 16-bit file of `sample(frame)`.
  static func writeWave(_ path: String, seconds: Double, _ sample: (Int) -> Double) throws {
    let frames = Int(seconds * Double(sampleRate))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(44 + frames * 2)
    func append<Value: FixedWidthInteger>(_ value: Value) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    bytes += Array("RIFF".utf8)
    append(UInt32(36 + frames * 2))
    bytes += Array("WAVEfmt ".utf8)
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(sampleRate))
    append(UInt32(sampleRate * 2))
    append(UInt16(2))
    append(UInt16(16))
    bytes += Array("data".utf8)
    append(UInt32(frames * 2))
    let samples = [Int16](unsafeUninitializedCapacity: frames) { buffer, count in
      while count < frames {
        buffer[count] = Int16(sample(count) * 32_768).littleEndian
        count += 1
      }
    }
    samples.withUnsafeBytes { bytes += $0 }
    try Data(bytes).write(to: URL(filePath: path))
  }
}

extension TestPack {
  /// The beats as the chapter's facts give them: 0.706 s, then every 1.4118 s, the last at 44.471 s; whole microseconds
  /// of the map's own numbers, parsed here as decimal text and nothing else.
  static func firewallBeats() throws -> [Int64] {
    let text = try String(
      contentsOfFile: fixture + "/firewall.beats.json", encoding: .utf8)
    return text.matches(of: /"at"\s*:\s*(\d+)\.(\d+)/).map { match in
      let fraction = String(match.2).padding(toLength: 6)
      return (Int64(match.1) ?? 0) * 1_000_000 + (Int64(fraction) ?? 0)
    }
  }
}

extension String {
  fileprivate func padding(toLength length: Int) -> String {
    String((self + String(repeating: "0", count: length)).prefix(length))
  }
}
