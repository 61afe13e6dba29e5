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

  @Test func aNameOfAMillionLettersCostsLittle() {
    #expect(nearest(to: String(repeating: "a", count: 1_000_000), among: ["b"]).isEmpty)
  }
}
