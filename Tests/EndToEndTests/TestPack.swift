// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments

/// A folder of packs made for a test: a manifest with the beat map that the original game was published with, and tones in
/// place of audio.
enum TestPack {
  /// The packs folder; the caller's temporary directory holds it.
  static func make(in directory: String) throws -> String {
    let packs = directory + "/packs"
    let pack = packs + "/starlight-sync"
    try FileManager.default.createDirectory(atPath: packs, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: fixture, toPath: pack)
    // A constant makes every gain readable in the rendered samples.
    try WaveFile.write(pack + "/main.wav", seconds: 50) { _ in 0.25 }
    try WaveFile.write(pack + "/finale.wav", seconds: 12) { _ in 0.25 }
    for name in ["click", "lock", "error", "whoosh", "power"] {
      try WaveFile.write(pack + "/sfx_\(name).wav", seconds: 0.1) { _ in 0.5 }
    }
    return packs
  }

  private static let fixture = Repository.path + "/Tests/EndToEndTests/Fixtures/starlight-sync"
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
