// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import RulesUnderTest
import Testing

/// Points, words, what is unlocked.
@Suite struct ScoreTests {
  @Test(arguments: [
    (2_000_000 as Int64, 2_000_000 as Int64, 0), (0, 2_000_000, 300), (1_000_000, 2_000_000, 150),
    // (2.0 - 1.999) / 2.0 x 300 = 0.15, and 1 only from 1.993334 s down.
    (1_999_000, 2_000_000, 0), (1_993_334, 2_000_000, 0), (1_993_333, 2_000_000, 1),
    (9_000_000, 2_000_000, 0), (1_234_567, 2_300_000, 138),
  ])
  func speedIsThePartOfParThatWasSparedRoundedDown(timeUs: Int64, parUs: Int64, points: Int) {
    let made = LevelPoints(collected: 0, timeUs: timeUs, parTimeUs: parUs, rules: Rules.underTest.score)
    #expect(made.speed == points)
    #expect(made.total == 200 + points)
  }

  @Test func aCollectibleIsFiftyAndALevelTwoHundred() {
    let made = LevelPoints(collected: 3, timeUs: 5, parTimeUs: 5, rules: Rules.underTest.score)
    #expect(made.collectibles == 150)
    #expect(made.level == 200)
    #expect(made.total == 350)
  }

  /// How often each word comes, over all sides of a die.
  func words(flips: Int, crossings: Int, last: CompletionWord?, sides: UInt64) -> [CompletionWord: Int] {
    var counts: [CompletionWord: Int] = [:]
    for side in 0..<sides {
      var chance = Fixed(part: side, whole: sides)
      let word = CompletionWord.drawn(
        flips: flips, parFlips: 3, crossings: crossings, last: last, rules: Rules.underTest.words, using: &chance)
      counts[word, default: 0] += 1
    }
    return counts
  }

  @Test func withinParItIsFreshInAQuarterElseClean() {
    #expect(words(flips: 3, crossings: 9, last: nil, sides: 100) == [.fresh: 25, .clean: 75])
    #expect(words(flips: 0, crossings: 0, last: .nice, sides: 100) == [.fresh: 25, .clean: 75])
  }

  @Test func aTangleIsDopeInSixOfTenElseClean() {
    #expect(words(flips: 4, crossings: 6, last: nil, sides: 100) == [.dope: 60, .clean: 40])
  }

  @Test func otherwiseFourWordsByTheirWeights() {
    #expect(words(flips: 4, crossings: 5, last: nil, sides: 100) == [.clean: 40, .fresh: 25, .dope: 20, .nice: 15])
  }

  @Test func noWordComesTwiceRunning() {
    #expect(words(flips: 3, crossings: 0, last: .clean, sides: 25) == [.fresh: 25])
    #expect(words(flips: 3, crossings: 0, last: .fresh, sides: 75) == [.clean: 75])
    #expect(words(flips: 4, crossings: 6, last: .dope, sides: 40) == [.clean: 40])
    #expect(words(flips: 4, crossings: 0, last: .clean, sides: 60) == [.fresh: 25, .dope: 20, .nice: 15])
  }

  @Test func levelsOpenOneByOneAndWorldsAfterTen() {
    let rules = Rules.underTest.worlds
    func progress(_ count: Int) -> Progress? {
      Progress(
        completed: Array(rules.levels.prefix(count)), switches: Switches(), worldScores: [0, 0, 0, 0], totalScore: 0,
        rules: rules)
    }
    for count in 0...40 {
      guard let progress = progress(count) else {
        Issue.record("no progress of \(count)")
        continue
      }
      for (index, name) in rules.levels.enumerated() {
        #expect(progress.isOpen(name, rules: rules) == (index <= count), "\(name.text) after \(count)")
      }
      #expect((1...4).filter { progress.isOpen(world: $0, rules: rules) }.count == min(count / 10 + 1, 4))
    }
    #expect(progress(40)?.isOpen(world: 5, rules: rules) == false)
    #expect(progress(40)?.isOpen(LevelName(world: 4, number: 11), rules: rules) == false)
    #expect(progress(40)?.isOpen(LevelName(world: 0, number: 1), rules: rules) == false)
  }

  @Test func thereAreFourWorldsOfTenLevelsByTheseTitles() {
    #expect(Rules.underTest.worlds.titles == ["THE BLOCK", "NEON YARD", "UNDERGROUND", "STATIC"])
    #expect(Rules.underTest.worlds.levels.count == 40)
    #expect(Rules.underTest.worlds.levels.last == LevelName(world: 4, number: 10))
  }

  @Test func levelNamesAreReadAsTheyAreWritten() {
    #expect(LevelName("W1L3") == LevelName(world: 1, number: 3))
    #expect(LevelName(world: 4, number: 10).text == "W4L10")
    for text in ["", "W", "W1", "W1L", "L3W1", "w1l3", "W01L3", "W1L+3", "W1L3 ", "W1L99999999999999999999"] {
      #expect(LevelName(text) == nil, "\(text)")
    }
  }
}
