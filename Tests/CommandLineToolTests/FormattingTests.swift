// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct FormattingTests {
  @Test(arguments: [
    (0.0, 2, "0.00"), (1.005, 1, "1.0"), (2.5, 0, "3"), (-2.5, 0, "-3"), (-0.04, 1, "0.0"), (12.345, 2, "12.35"),
    (0.999, 2, "1.00"), (7, 3, "7.000"),
  ])
  func fixedKeepsExactlyThePlacesAskedFor(value: Double, places: Int, text: String) {
    #expect(fixed(value, places) == text)
  }

  @Test(arguments: [(Int64(12_345), "+12.3 ms"), (-200_000, "-200.0 ms"), (0, "+0.0 ms"), (-10, "+0.0 ms")])
  func errorsAlwaysHaveASign(microseconds: Int64, text: String) {
    #expect(signedMilliseconds(microseconds) == text)
  }

  @Test(arguments: [
    (Int64(0), "0:00.0"), (706_000, "0:00.7"), (59_960_000, "1:00.0"), (174_660_000, "2:54.7"), (-1_294_000, "-0:01.3"),
    (-10_000, "0:00.0"), (3_600_000_000, "60:00.0"),
  ])
  func positionsAreMinutesSecondsAndTenths(microseconds: Int64, text: String) {
    #expect(clockTime(microseconds) == text)
  }

  @Test(arguments: [
    (Int64(20_000), "20 ms"), (999_400, "999 ms"), (999_600, "1.00 s"), (2_350_000, "2.35 s"), (59_994_000, "59.99 s"),
    (59_996_000, "1:00 min"), (174_660_000, "2:55 min"), (7_500_000_000, "2:05 h"),
  ])
  func lengthsHaveTheUnitThatFits(microseconds: Int64, text: String) {
    #expect(length(microseconds) == text)
  }

  @Test(arguments: [(Int64(999), "999 B"), (1_000, "1.0 kB"), (24_100_000, "24.1 MB")])
  func sizesHaveTheUnitThatFits(bytes: Int64, text: String) {
    #expect(size(bytes) == text)
  }

  @Test func countsAgreeWithTheirNoun() {
    #expect(count(1, "miss", plural: "misses") == "1 miss")
    #expect(count(0, "miss", plural: "misses") == "0 misses")
    #expect(count(2, "hit") == "2 hits")
  }

  @Test func columnsAreAsWideAsTheirWidestEntry() {
    #expect(
      columns([["main", "2:55 min", "loops"], ["finale", "", ""], ["a", "b"]], indent: 2) == [
        "  main    2:55 min  loops", "  finale", "  a       b",
      ])
  }

  @Test func rowsThatFindNoRoomHaveLinesOfTheirOwn() {
    let rows = [
      ["game:lamp", "1:30 min", "120 beats", "no lanes", "The keeper of the lamp"], ["game:sea", "", "", "", "b"],
    ]
    #expect(
      columns(rows, indent: 2, width: 40) == [
        "  game:lamp", "    1:30 min, 120 beats, no lanes, The", "    keeper of the lamp", "  game:sea", "    b",
      ])
    // Nothing is given up where a short end fits beside it.
    #expect(columns([["main", "loops"]], indent: 2, width: 13) == ["  main  loops"])
  }

  @Test func aLongLineHangsFromItsBeginning() {
    #expect(hanging("problem: a b", indent: 2, width: .max) == ["  problem: a b"])
    #expect(
      hanging("problem: one two three four five", indent: 2, width: 28) == [
        "  problem: one two three", "    four five",
      ])
  }

  @Test func textIsCutWithAnEllipsis() {
    #expect("abcdef".cut(to: 4) == "abc…")
    #expect("abcd".cut(to: 4) == "abcd")
  }
}
