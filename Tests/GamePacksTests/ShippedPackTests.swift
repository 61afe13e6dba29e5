// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GamePacks
import Testing

/// The packs that come with the project, beside what they are made of. What their moments are is held by the tables of
/// `EndToEndTests`.
@Suite struct ShippedPackTests {
  private func bytes(_ path: String) throws -> [UInt8] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    // Other packs, where a test of the tests puts them.
    if let patterns = ProcessInfo.processInfo.environment["STARLIGHT_PATTERNS"], path.hasPrefix("Patterns/") {
      return Array(try Data(contentsOf: URL(filePath: patterns + path.dropFirst("Patterns".count))))
    }
    return Array(try Data(contentsOf: root.appending(path: path)))
  }

  private func pack(_ name: String) throws -> PackManifest {
    try PackManifest.parse(bytes("Patterns/\(name)/pack.json"), path: "pack.json")
  }

  @Test(arguments: ["starlight-sync", "freefall"])
  func everyAudioFileIsOneThatIsRendered(_ name: String) throws {
    let recordings = String(decoding: try bytes("Synthesis/Recording.swift"), as: UTF8.self)
    let pack = try pack(name)
    let stems = pack.tracks.values.flatMap { $0.stems.values.map(\.file) }
    for file in pack.tracks.values.map(\.file) + stems + pack.sounds.values.map(\.file) {
      #expect(file.hasSuffix(".wav") && recordings.contains("(\"\(file.dropLast(4))\""), "\(file)")
    }
  }

  @Test func stylesAreThoseOfTheFeedbackPack() throws {
    for name in ["starlight-sync", "freefall"] {
      for (style, pattern) in try pack(name).patterns where try pack("feedback").patterns[style] != nil {
        #expect(try bytes("Patterns/\(name)/\(pattern.file)") == bytes("Patterns/feedback/\(style).ahap"), "\(style)")
      }
    }
    #expect(
      Set(try pack("freefall").patterns.keys) == ["impact-light", "impact-medium", "impact-soft", "success"])
  }

  /// The designs name neither: each firing is heard and felt, and its parts meet as those of any cue.
  @Test(arguments: ["starlight-sync", "freefall"])
  func noCueHasACooldownOrSaysHowItsPartsMeet(_ name: String) throws {
    for (cue, facts) in try pack(name).cues { #expect(facts.cooldown == .zero && facts.align == nil, "\(cue)") }
  }

  @Test func theOriginalsPublishedMapIsReadAsItWasPublished() throws {
    let folder = "Tests/EndToEndTests/Fixtures/starlight-sync/"
    let pack = try PackManifest.parse(bytes(folder + "pack.json"), path: "pack.json")
    let chapter = try pack.chapter(named: "firewall")
    #expect(chapter.lanes == ["left", "right", "top"])
    #expect(chapter.rules.spawnLead == 2_000_000)
    let file = try BeatMapFile.parse(bytes(folder + "firewall.beats.json"), path: "firewall.beats.json")
    let map = try chapter.beatMap(from: file)
    #expect(map.beats.count == 32)
    #expect(map.beats.last?.at == 44_471_000)
    // A step is 120 / 85 s, 1.4118 s to four places; 31 times the rounded figure would end 0.8 ms later.
    #expect(abs((map.beats[31].at - map.beats[0].at) / 31 - 1_411_800) < 50)
    for (number, beat) in map.beats.enumerated() {
      #expect(beat.lane == number % 3)
      // Beat 2n + 1 of 85 a minute is at (2n + 1) * 60 / 85 s, written to the millisecond.
      let milliseconds = (Double(2 * number + 1) * 12_000 / 17).rounded()
      #expect(beat.at == Int64(milliseconds) * 1_000)
    }
  }
}
