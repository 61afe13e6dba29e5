// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// All numbers of the game are `Rules`: elsewhere in the core there is 0 and 1, and the relations of units. Tests expect
/// numbers of their own.
@Suite struct LiteralTests {
  static let core = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/SyncRules").path
  static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
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

  /// Where an expectation reads what it expects of `Rules`, which stands right of a comparison: the words there, with their line.
  static func expectationsOfRules(in source: String) -> [String] {
    // Without texts and comments, line by line where it was.
    let code = source.replacing(#/"""[\s\S]*?"""|"(\\.|[^"\\\n])*"|\/\/.*/#) { $0.output.0.filter { $0 == "\n" } }
    let bindings = code.matches(of: #/(?:let|var) (\w+)(?:: [\w.]+)? = (?:\w+\.)*[rR]ules(?:\.[\w.]+)?\n/#)
    let names = Set(bindings.map { String($0.output.1) } + ["rules", "Rules"])
    var found: [String] = []
    for expectation in code.matches(of: #/#(expect|require)\(/#) {
      let words = code[expectation.range.upperBound...].prefix(untilItCloses: true)
      let line = code[..<expectation.range.lowerBound].count { $0 == "\n" } + 1
      for comparison in words.matches(of: #/ (==|!=|<=?|>=?) /#) {
        let expected = words[comparison.range.upperBound...].prefix(untilItCloses: false)
        let isRead = expected.matches(of: #/\w+/#).contains { names.contains(String($0.output)) }
        if isRead { found.append("\(line): \(expected)") }
      }
    }
    return found
  }

  /// What a test expects is typed by hand: read of the rules it would be right whatever they say.
  @Test func noTestReadsOfTheRulesWhatItExpects() throws {
    var files = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.tests) where path.hasSuffix(".swift") {
      files += 1
      let source = try String(contentsOfFile: Self.tests + "/" + path, encoding: .utf8)
      for words in Self.expectationsOfRules(in: source) { Issue.record("\(path):\(words) is read of the rules") }
    }
    #expect(files > 12)
  }

  @Test func whatIsReadOfTheRulesIsFoundWhereverItStands() {
    let read = """
      let rules = Rules.underTest
      let pace = rules.worlds
      #expect(a == [.fire(Cue.music(b, rules: c))], "why")
      #expect(
        all.allSatisfy { $0.bpm == pace.bpm($0) } && a <= Rules.designed.b)
      """
    #expect(Self.expectationsOfRules(in: read).map { $0.prefix(9) } == ["3: [.fire", "4: pace.b", "4: Rules."])
    let typed = """
      #expect(Rules.underTest.a == 5, "rules")
      #expect(at(5, rules: rules) == 3) // rules
      #expect(a == "rules \\(rules)")
      let b = a == rules.c
      """
    #expect(Self.expectationsOfRules(in: typed) == [])
  }
}

extension Substring {
  /// Up to the bracket that closes more than this opens; where it is not `whole`, also up to what comes behind an operand.
  fileprivate func prefix(untilItCloses whole: Bool) -> Substring {
    var depth = 0
    for index in indices {
      switch self[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        if depth == 0 { return self[..<index] }
        depth -= 1
      case ",", "&", "|":
        if depth == 0, !whole { return self[..<index] }
      default: break
      }
    }
    return self
  }
}
