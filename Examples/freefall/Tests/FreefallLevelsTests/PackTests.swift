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

  @Test(arguments: [(1, 88.0, 95.0), (2, 172, 174), (3, 160, 165), (4, 132, 138)])
  func tracksAndRulesHaveThePaceOfTheirWorld(world: Int, calm: Double, heavy: Double) {
    let rules = Rules.underTest.worlds
    for number in 1...10 {
      let (half, bpm) = number <= 5 ? ("a", calm) : ("b", heavy)
      let level = LevelName(world: world, number: number)
      #expect(rules.bpm(level) == bpm)
      #expect(Cue.music(level, rules: rules).track == "world\(world)-track-\(half)")
      #expect(pack.tracks["world\(world)-track-\(half)"]?.bpm == bpm)
    }
  }

  @Test func rulesAreLoadedAsTheyWereWritten() throws {
    var rules = Rules.designed
    rules.ball.gravity = 123
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let written = try encoder.encode(rules)
    let loaded = try JSONDecoder().decode(Rules.self, from: written)
    #expect(loaded.ball.gravity == 123)
    #expect(try encoder.encode(loaded) == written)
  }
}
