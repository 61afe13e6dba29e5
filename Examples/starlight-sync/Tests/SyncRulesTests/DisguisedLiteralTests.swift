// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// No number of the game is written without its digits, so that `LiteralTests` would not see it.
@Suite struct DisguisedLiteralTests {
  /// What may stand for a number, with its line: what a type, a text or a list says of itself, and sums of ones. `.max` and `.min`
  /// where they name no type are the ends of what counts instants and scores, and none.
  static func disguises(in source: String) -> [String] {
    let disguise =
      #/
        \b(?:U?Int(?:8|16|32|64)?|Double|Float)\.(?!random\b)[a-z]\w*
      | \bU?Int(?:8|16|32)\b.*\.(?:max|min)\b
      | \.pi\b
      | \b(?:U?Int(?:8|16|32|64)?|Double|Float)\("
      | "(?:\\.|[^"\\])*"\.(?:\w+\.)*count\b
      | \[[^\[\]]*,[^\[\]]*\]\.count\b
      | \b(?:MemoryLayout|bitWidth|\w+BitCount|asciiValue|ascii:)
      | \b1(?:\.0)?\s*&?(?:\+|\*|<<)\s*1\b
      /#
      .wordBoundaryKind(.simple)
    return source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      line.replacing(#/\/\/.*/#, with: "").matches(of: disguise).map { "\(index + 1): \($0.output)" }
    }
  }

  @Test func theCoreDisguisesNoNumber() throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: LiteralTests.core) where path.hasSuffix(".swift") {
      if LiteralTests.exempt.contains(path.split(separator: "/").last.map(String.init) ?? path) { continue }
      let source = try String(contentsOfFile: LiteralTests.core + "/" + path, encoding: .utf8)
      for words in Self.disguises(in: source) { Issue.record("\(path):\(words) stands for a number") }
    }
  }

  @Test(arguments: [
    "let most = Int(Int8.max)", "score < Double(Int32.max)", "let most: UInt16 = .max", "let turn = Double.pi + a",
    "turn(.pi)", "Int(\"16\")", "\"W999L999\".utf8.count", "[0, 1, 0].count", "Int.bitWidth", "MemoryLayout<Int>.size",
    "a.leadingZeroBitCount", "UInt8(ascii: a)", "(n + 1) * (n + 1 + 1)", "1 << 1", "1.0 + 1.0",
  ])
  func aNumberIsSeenThroughItsDisguise(line: String) {
    #expect(Self.disguises(in: "let a = 0\n\(line)\n").map { $0.prefix(3) } == ["2: "])
  }

  @Test(arguments: [
    "var nowUs: Int64 = .min", "isOver ? .max : sum", "Double.random(in: -a...a, using: &chance)", "titles.count",
    "places[places.count - 1]", "LevelName(world: 1, number: $0 + 1)",
    "a + 1 // Int8.max", "1 - way", "\"\\(a)L\\(b)\"",
  ])
  func whatStandsForNoNumberIsLetBe(line: String) {
    #expect(Self.disguises(in: line) == [])
  }
}
