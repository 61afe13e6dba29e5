// SPDX-License-Identifier: Apache-2.0

import Rhythm
import Testing

@testable import GamePacks

/// How many lanes a chapter has, and what is said of beats in others.
@Suite struct LaneTests {
  private func manifest(lanes: Int) throws(PackFaults) -> PackManifest {
    let names = (0..<lanes).map { #""l\#($0)""# }.joined(separator: ", ")
    let text = """
      {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav"}},
       "chapters": {"tap": {"title": "Tap", "track": "main", "length": 3, "lanes": [\(names)],
                            "beats": [{"at": 1, "lane": "l0"}]}}}
      """
    return try PackManifest.parse(Array(text.utf8), path: "pack.json")
  }

  @Test func aChapterHas64LanesAtMost() throws {
    #expect(try manifest(lanes: 64).chapters["tap"]?.lanes.count == 64)
    let refused = #expect(throws: PackFaults.self) { try manifest(lanes: 65) }
    #expect(refused?.faults.map(\.reason) == ["has 65 lanes; 64 is the most"])
    #expect(refused?.faults.first?.field == "chapters.tap.lanes")
  }

  /// Names are looked for among the chapter's for the first few alone.
  @Test func ofManyBeatsInUnknownLanesTheFirst16AreToldWhatWasMeant() throws {
    let beats = (1...3_000).map { #"{"at": \#($0), "lane": "lef"}"# }.joined(separator: ",")
    let file = try BeatMapFile.parse(Array(#"{"beats": [\#(beats)]}"#.utf8), path: "map")
    let refused = #expect(throws: PackFaults.self) { try file.map(lanes: ["left", "right"], length: 4_000_000_000) }
    let faults = refused?.faults ?? []
    try #require(faults.count == 101)
    #expect(faults.count { !$0.candidates.isEmpty } == 16)
    #expect(faults[0].reason == "no lane lef; did you mean left?" && faults[16].reason == "no lane lef")
    #expect(faults[100].reason == "2900 more faults are not listed")
  }

  @Test func aMapWhoseChapterIsNotKnownNames64LanesAtMost() throws {
    func map(_ lanes: Int) throws(PackFaults) -> BeatMap {
      let beats = (0..<lanes).map { #"{"at": \#($0), "lane": "l\#($0)"}"# }.joined(separator: ",")
      return try BeatMapFile.map(in: Array(#"{"beats": [\#(beats)]}"#.utf8), path: "map")
    }
    #expect(try map(64).lanes.count == 64)
    let refused = #expect(throws: PackFaults.self) { try map(65) }
    #expect(refused?.faults.map(\.reason) == ["65 lanes are too many; the most is 64"])
  }
}
