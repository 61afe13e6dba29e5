// SPDX-License-Identifier: Apache-2.0

import Suggestions
import Testing

@Suite struct NearestTests {
  @Test func aTypoFindsItsName() {
    #expect(nearest(to: "sfx_clik", among: ["sfx_click", "sfx_lock", "main"]).first == "sfx_click")
    #expect(nearest(to: "haertbeat", among: ["heartbeat", "thud"]) == ["heartbeat"])
  }

  @Test func aStrangerFindsNothing() {
    #expect(nearest(to: "quux", among: ["heartbeat", "thud"]).isEmpty)
    #expect(didYouMean("quux", among: ["heartbeat"]) == "")
  }

  @Test func aShortNameMustBeNear() {
    #expect(nearest(to: "foo", among: ["loop", "json", "for"]) == ["for"])
    #expect(nearest(to: "ply", among: ["play", "plan"]) == ["play"])
  }

  @Test func theMessageNamesUpToThree() {
    #expect(didYouMean("plai", among: ["play", "plan", "plays", "stop"]) == "; did you mean plan, play or plays?")
    #expect(didYouMean("clik", among: ["click"]) == "; did you mean click?")
  }

  @Test func letterCaseMakesNoDifferenceAndAPartIsNear() {
    #expect(nearest(to: "CLICK", among: ["sfx_Click", "main"]) == ["sfx_Click"])
    #expect(nearest(to: "éclair", among: ["Éclair", "éclairs"]).contains("éclairs"))
  }

  /// One character for people, a million bytes: what looks at characters takes time with the square of that.
  @Test func aNameOfCombiningMarksCostsLittle() {
    let name = "a" + String(repeating: "\u{301}", count: 500_000)
    #expect(didYouMean(name, among: (0..<100).map { "name\($0)" }) == "")
    #expect(nearest(to: "name", among: [name]).isEmpty)
  }

  /// Whose length is too far off is not compared: it is found however many of those there are.
  @Test func aNameIsFoundAmongManyOfOtherLengths() {
    let others = (0..<4_095).map { "a_much_longer_name_of_a_sound_\($0)" }
    #expect(nearest(to: "clik", among: others + ["click"]) == ["click"])
  }

  /// All are as long as what is wanted, so that each would have to be compared; so much is not.
  @Test func ofVeryManyAlikeOnlyTheFirstAreCompared() {
    let name = { (number: Int) in String(repeating: "x", count: 54) + String(10_000_000 + number) }
    let others = (0..<50_000).map(name)
    let wanted = String(repeating: "y", count: 54) + "10000007"
    #expect(nearest(to: wanted, among: others).isEmpty)
    #expect(nearest(to: wanted, among: [wanted + "z"] + others) == [wanted + "z"])
    #expect(nearest(to: wanted, among: others + [wanted + "z"]).isEmpty)
  }

  @Test func aNameOfAMillionLettersCostsLittle() {
    #expect(nearest(to: String(repeating: "a", count: 1_000_000), among: ["b"]).isEmpty)
  }
}
