// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import RulesUnderTest
import SyncRules
import Testing

/// What the game asks to be heard is in the pack `starlight-sync`, and its numbers can be loaded.
@Suite struct PackTests {
  struct Pack: Decodable {
    struct Anything: Decodable {}
    struct Chapter: Decodable {
      let lanes: [String]
      let feedback: [String: String]
    }
    let cues: [String: Anything]
    let tracks: [String: Anything]
    let parameters: [String: Anything]
    let chapters: [String: Chapter]
  }

  let pack: Pack

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../../Patterns/starlight-sync/pack.json")
    pack = try JSONDecoder().decode(Pack.self, from: Data(contentsOf: file))
  }

  @Test func everyCueIsInThePackAndNoneIsLeftOver() throws {
    let cues: [Cue] = [
      .press, .snap, .collect, .tick, .settle, .solve, .connect, .wrong, .blueprintLeft, .slider, .finale,
    ]
    let chapter = try #require(pack.chapters[Rules.underTest.firewall.chapter])
    // The daemon fires those of Firewall by itself.
    #expect(Set(cues.map(\.name)).union(chapter.feedback.values) == Set(pack.cues.keys))
    #expect(Set(cues.map(\.name)).isDisjoint(with: chapter.feedback.values))
    #expect(chapter.lanes == Lane.allCases.map(\.rawValue))
  }

  @Test func whatElseIsNamedIsThere() {
    #expect(pack.tracks["audio_bgm_main"] != nil)
    #expect(pack.parameters["slider"] != nil)
  }

  @Test func rulesAreLoadedAsTheyWereWritten() throws {
    var rules = Rules.designed
    rules.handshake.holdUs = 123
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let written = try encoder.encode(rules)
    let loaded = try JSONDecoder().decode(Rules.self, from: written)
    #expect(loaded.handshake.holdUs == 123)
    #expect(try encoder.encode(loaded) == written)
  }
}
