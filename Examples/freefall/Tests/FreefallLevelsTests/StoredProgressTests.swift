// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallLevels
import FreefallRules
import RulesUnderTest
import Testing

/// What is stored of a player, and what happens where it cannot be read.
@Suite struct StoredProgressTests {
  let rules = Rules.underTest.worlds

  func read(_ text: String) -> StoredProgress { StoredProgress(reading: Data(text.utf8), rules: rules) }

  let whole = """
    {"completed":["W1L1","W1L2"],"effects":false,"haptics":true,"music":true,"totalScore":900,"worldScores":[900,0,0,0]}
    """

  @Test func itIsWrittenAndReadByTheseNames() throws {
    let stored = read(whole)
    #expect(stored.notice == nil)
    #expect(stored.progress.completed == [LevelName(world: 1, number: 1), LevelName(world: 1, number: 2)])
    #expect(stored.progress.switches == Switches(isMusicOn: true, areEffectsOn: false, areHapticsOn: true))
    #expect(stored.progress.totalScore == 900)
    #expect(String(decoding: try StoredProgress.bytes(stored.progress), as: UTF8.self) == whole)
  }

  @Test func aFirstStartIsNothingToSpeakOf() {
    let stored = StoredProgress(reading: nil, rules: rules)
    #expect(stored.notice == nil)
    #expect(stored.progress.completed.isEmpty)
    #expect(stored.progress.switches == Switches(isMusicOn: true, areEffectsOn: true, areHapticsOn: true))
    #expect(stored.progress.worldScores == [0, 0, 0, 0])
  }

  @Test(arguments: [
    "", "{", "[]", "{}", "\u{0}", #"{"completed":["W9L1"],"#,
    #"{"completed":["W5L1"],"effects":true,"haptics":true,"music":true,"totalScore":0,"worldScores":[0,0,0,0]}"#,
    #"{"completed":["level"],"effects":true,"haptics":true,"music":true,"totalScore":0,"worldScores":[0,0,0,0]}"#,
    #"{"completed":[],"effects":true,"haptics":true,"music":true,"totalScore":-1,"worldScores":[0,0,0,0]}"#,
    #"{"completed":[],"effects":true,"haptics":true,"music":true,"totalScore":0,"worldScores":[0,0,0]}"#,
    #"{"completed":[],"effects":true,"haptics":true,"music":true,"totalScore":0,"worldScores":[0,0,0,-5]}"#,
    #"{"completed":[],"effects":1,"haptics":true,"music":true,"totalScore":0,"worldScores":[0,0,0,0]}"#,
    #"{"completed":[],"effects":true,"haptics":true,"music":true,"totalScore":99999999999999999999,"worldScores":[0,0,0,0]}"#,
  ])
  func whatCannotBeReadBeginsAnewAndIsSaidOnce(_ text: String) throws {
    let stored = read(text)
    #expect(stored.notice == "What was stored of Freefall could not be read; it begins anew.")
    #expect(stored.progress.completed.isEmpty)
    #expect(stored.progress.switches == Switches(isMusicOn: true, areEffectsOn: true, areHapticsOn: true))
    #expect(stored.progress.worldScores == [0, 0, 0, 0])
    #expect(stored.progress.totalScore == 0)
    // Stored then, it is not said again.
    #expect(StoredProgress(reading: try StoredProgress.bytes(stored.progress), rules: rules).notice == nil)
  }

  @Test func moreThanSixteenKilobytesAreNotRead() {
    #expect(read(String(repeating: " ", count: 16_385 - whole.utf8.count) + whole).notice != nil)
    #expect(read(String(repeating: " ", count: 16_384 - whole.utf8.count) + whole).notice == nil)
  }

  @Test func scoresThatCannotGrowStandStill() throws {
    let full = String(Int.max)
    let stored = read(whole.replacing("900", with: full)).progress
    var game = Game(rules: .underTest, levels: try Forty.folder.levels(.underTest), progress: stored)
    var chance = SystemRandomNumberGenerator()
    for button in [Button.play, .world(1), .level(1)] { _ = game.press(button, atUs: 0, using: &chance) }
    _ = game.tap(at: Point(x: 0, y: 0), atUs: 0, using: &chance)
    for flip in try Forty.folder.solutions(LevelName(world: 1, number: 1)).solutions[0].flipsUs {
      _ = game.tap(at: Point(x: 0, y: 0), atUs: flip, using: &chance)
    }
    _ = game.advance(toUs: 9_000_000, using: &chance)
    #expect(game.progress.totalScore == .max)
    #expect(game.progress.worldScores == [.max, 0, 0, 0])
  }
}
