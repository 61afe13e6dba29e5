// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Testing

@Suite struct ManifestAdditionTests {
  private func adding(_ additions: [ManifestAddition], to text: String) throws -> String {
    String(
      decoding: try ManifestAddition.manifest(Array(text.utf8), adding: additions, path: "pack.json"), as: UTF8.self)
  }

  @Test func entriesComeAtTheEndOfTheirSectionsAndAllElseStays() throws {
    let text = """
      {"name": "g",
        "sounds": { "a": {"file": "a.wav"} }, "tracks": {},
        "version": "1", "title": "G"
      }

      """
    let bell = ManifestAddition(.sounds, "bell", #"{ "file": "bell.wav" }"#)
    let one = ManifestAddition(.tracks, "one", #"{ "file": "1.wav" }"#)
    let two = ManifestAddition(.tracks, "two", #"{ "file": "2.wav" }"#)
    let thud = ManifestAddition(.patterns, "thud", #"{ "file": "thud.ahap" }"#)
    let added = try adding([bell, one, thud, two], to: text)
    #expect(
      added == """
        {"name": "g",
          "sounds": { "a": {"file": "a.wav"},
            "bell": { "file": "bell.wav" } }, "tracks": {
            "one": { "file": "1.wav" },
            "two": { "file": "2.wav" }
          },
          "version": "1", "title": "G",
          "patterns": {
            "thud": { "file": "thud.ahap" }
          }
        }

        """)
    let manifest = try PackManifest.parse(Array(added.utf8), path: "pack.json")
    #expect(
      manifest.sounds.keys.sorted() == ["a", "bell"] && manifest.tracks.count == 2 && manifest.patterns.count == 1)
    #expect(try adding([], to: text) == text)
  }

  @Test func whatIsNoJSONIsRefused() {
    #expect(throws: PackFaults.self) { try adding([], to: "{]") }
  }
}
