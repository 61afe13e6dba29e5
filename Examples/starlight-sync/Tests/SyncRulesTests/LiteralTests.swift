// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// All numbers of the game are `Rules`: elsewhere in the core there is 0 and 1, and the relations of units.
@Suite struct LiteralTests {
  static let core = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/SyncRules").path
  static let exempt: Set<String> = ["Rules+Designed.swift", "Units.swift"]

  /// Numbers of a source that are neither 0 nor 1, with their lines; strings and comments are none.
  static func numbers(in source: String) -> [String] {
    var found: [String] = []
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      // Of a text only what it takes in is code.
      let code = line.replacing(#/"(\\.|[^"\\])*"/#) { text in
        text.output.0.matches(of: #/\\\(((?:[^()"]|\([^()"]*\))*)\)/#).map { " \($0.output.1) " }.joined()
      }.replacing(#/\/\/.*/#, with: "")
      // Words are passed over first, with the digits in them.
      for match in code.matches(of: #/[A-Za-z_$]\w*|(\d\w*(?:\.\d+)?)/#) {
        guard let number = match.1, number != "0", number != "1" else { continue }
        found.append("\(index + 1): \(number)")
      }
    }
    return found
  }

  @Test func theCoreHasNoNumbersOfItsOwn() throws {
    var files = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.core) where path.hasSuffix(".swift") {
      files += 1
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if Self.exempt.contains(name) { continue }
      let source = try String(contentsOfFile: Self.core + "/" + path, encoding: .utf8)
      for number in Self.numbers(in: source) { Issue.record("\(path):\(number) belongs into Rules") }
    }
    #expect(files > 12)
  }

  @Test func theCoreImportsNothing() throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.core) where path.hasSuffix(".swift") {
      let source = try String(contentsOfFile: Self.core + "/" + path, encoding: .utf8)
      #expect(!source.contains(#/(?m)^\s*(@\w+ )?(public |internal )?import /#), "\(path)")
    }
  }

  @Test func numbersAreFoundWhereverTheyStand() {
    #expect(
      Self.numbers(in: "let a = 2\nlet b = x + 0.5 // 7\nlet c = \"8\" + 1_000") == ["1: 2", "2: 0.5", "3: 1_000"])
    #expect(Self.numbers(in: #"let a = "5 and \(b * 6)" + "\(c)7""#) == ["1: 6"])
    #expect(Self.numbers(in: "let a = 0 + 1; list.map { $0 + $1 }; Int32.max; v2") == [])
  }
}
