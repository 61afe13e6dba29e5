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

  /// The distance by its definition, all of the table: Damerau 1964, optimal string alignment.
  private func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var table = (0...a.count).map { row in (0...b.count).map { row == 0 ? $0 : row } }
    for i in 1..<(a.count + 1) {
      for j in 1..<(b.count + 1) {
        table[i][j] = min(
          table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), table[i - 1][j] + 1, table[i][j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
        }
      }
    }
    return table[a.count][b.count]
  }

  /// Of words of two letters, which are alike in every way, in every order; some are as long as is compared, and longer.
  @Test func theNearestAreThoseOfTheWholeTable() {
    var state: UInt64 = 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for round in 0..<2_000 {
      let least = round % 50 == 0 ? 60 : 1
      let words = (0..<12).map { _ in
        String((0..<(least + next(9))).map { _ in next(2) == 0 ? "a" : "b" as Character })
      }
      let wanted = words[0]
      let most = wanted.utf8.count <= 3 ? 1 : max(2, min(wanted.utf8.count, 64) / 3)
      let scored = words.dropFirst().map { word in
        let (short, other) = (wanted.utf8.prefix(64), word.utf8.prefix(64))
        let isPart = 3...64 ~= wanted.utf8.count && String(other)?.contains(wanted) ?? false
        return (isPart ? 1 : distance(Array(short), Array(other)), word)
      }
      let expected = scored.filter { $0.0 <= most }.sorted { $0 < $1 }.prefix(3).map(\.1)
      #expect(nearest(to: wanted, among: words.dropFirst()) == expected, "\(words)")
    }
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

  /// What lies behind them is another name's as well, in what was typed as in what there is.
  @Test func onlyTheFirst64BytesOfAnyNameAreCompared() {
    let (begun, long) = (
      String(repeating: "a", count: 64), String(repeating: "a", count: 64) + String(repeating: "b", count: 900)
    )
    #expect(nearest(to: long, among: [begun]) == [begun])
    #expect(nearest(to: begun, among: [long]) == [long])
    #expect(nearest(to: String(repeating: "a", count: 63), among: [begun + "b"]) == [begun + "b"])
    #expect(nearest(to: "b", among: [long]).isEmpty)
  }

  @Test func aNameOfAMillionLettersCostsLittle() {
    #expect(nearest(to: String(repeating: "a", count: 1_000_000), among: ["b"]).isEmpty)
  }
}
