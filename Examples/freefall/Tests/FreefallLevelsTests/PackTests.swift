// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallRules
import RulesUnderTest
import Testing

/// What the game asks to be heard is in the pack `freefall`, and its numbers can be loaded.
@Suite struct PackTests {
  struct Pack: Decodable {
    struct Cue: Decodable {}
    struct Track: Decodable { let bpm: Double }
    let cues: [String: Cue]
    let tracks: [String: Track]
  }

  let pack: Pack

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../../Patterns/freefall/pack.json")
    pack = try JSONDecoder().decode(Pack.self, from: Data(contentsOf: file))
  }

  @Test func everyCueOfTheGameIsInItsPack() {
    let rules = Rules.underTest.worlds
    let cues: [Cue] = [
      .flip, .death, .goal, .levelComplete, .button, .worldUnlock, .collect, .intermission, .intermissionDeath,
    ]
    let all = Set(cues + rules.levels.map { Cue.music($0, rules: rules) })
    #expect(all.count == 17)
    #expect(Set(all.map(\.name)) == Set(pack.cues.keys))
  }

  @Test func tracksHaveThePaceTheirPackSays() {
    let rules = Rules.underTest.worlds
    for name in rules.levels {
      let half = name.number <= 5 ? "a" : "b"
      #expect(pack.tracks["world\(name.world)-track-\(half)"]?.bpm == rules.bpm(name))
    }
  }

  @Test func rulesAreLoadedAsTheyWereWritten() throws {
    var rules = Rules.designed
    rules.ball.gravity = 123
    #expect(try JSONDecoder().decode(Rules.self, from: JSONEncoder().encode(rules)) == rules)
  }
}
