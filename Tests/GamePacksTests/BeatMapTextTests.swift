// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Rhythm
import Testing

@Suite struct BeatMapTextTests {
  @Test func whatIsWrittenIsReadAgain() throws {
    let beats = [Beat(at: 706_000, lane: 1), Beat(at: 2_118_001, lane: 0), Beat(at: 3_000_000, lane: 1)]
    let text = BeatMapText(bpm: 85.5, beats: beats, lanes: ["left", "right"]).text
    #expect(
      text == """
        {
          "bpm": 85.5,
          "beats": [
            { "at": 0.706, "lane": "right" },
            { "at": 2.118001, "lane": "left" },
            { "at": 3, "lane": "right" }
          ]
        }

        """)
    let file = try BeatMapFile.parse(Array(text.utf8), path: "beats.json")
    #expect(file.bpm == 85.5)
    #expect(try file.map(lanes: ["left", "right"], length: 3_000_000).beats == beats)
    let plain = BeatMapText(beats: [Beat(at: 1)]).text
    #expect(plain == "{\n  \"beats\": [\n    { \"at\": 0.000001 }\n  ]\n}\n")
  }
}
