// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// The documents name the tests that hold what they say. A test that was renamed holds nothing under its old name.
@Suite struct NamedTestTests {
  /// The tests of each suite; of a file with several types every one is taken for each.
  private static let tests: [String: Set<String>] = {
    var tests: [String: Set<String>] = [:]
    for folder in ["Tests", "Examples/freefall/Tests", "Examples/starlight-sync/Tests"] {
      let files = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)) ?? []
      for file in files where file.hasSuffix(".swift") {
        let (types, named) = declared(FileManager.default.contents(atPath: "\(root)/\(folder)/\(file)") ?? Data())
        for type in types { tests[type, default: []].formUnion(named) }
      }
    }
    return tests
  }()

  /// The types that a file declares or extends, and its tests: the functions next behind each `@Test`.
  private static func declared(_ file: Data) -> (types: Set<String>, tests: Set<String>) {
    let words = [UInt8](file).split { byte in
      let isLetter = (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "@")
      return !isLetter && !(0x30...0x39).contains(byte)
    }
    let (marker, function) = (Array("@Test".utf8), Array("func".utf8))
    let kinds = ["struct", "class", "enum", "extension"].map { Array($0.utf8) }
    var (types, tests, isTest) = (Set<String>(), Set<String>(), false)
    for (word, next) in zip(words, words.dropFirst()) {
      if word.elementsEqual(marker) { isTest = true }
      if isTest, word.elementsEqual(function) {
        tests.insert(String(decoding: next, as: UTF8.self))
        isTest = false
      }
      if kinds.contains(where: word.elementsEqual) { types.insert(String(decoding: next, as: UTF8.self)) }
    }
    return (types, tests)
  }

  /// All documents, and what the benchmarks say.
  private static let documents =
    ["Benchmarks/README.md"]
    + ((try? FileManager.default.contentsOfDirectory(atPath: root + "/docs")) ?? []).filter { $0.hasSuffix(".md") }
    .sorted().map { "docs/" + $0 }

  @Test(arguments: documents) func everyTestThatIsNamedIsThere(_ document: String) throws {
    let text = try String(contentsOfFile: Self.root + "/" + document, encoding: .utf8)
    for match in text.matches(of: #/`(?:\w+\/)?(\w+Tests)(?:\.(\w+))?`/#) {
      let suite = String(match.output.1)
      guard let test = match.output.2 else {
        #expect(Self.tests[suite]?.isEmpty == false || Self.modules.contains(suite), "there is no suite \(suite)")
        continue
      }
      #expect(Self.tests[suite]?.contains(String(test)) == true, "there is no test \(suite).\(test)")
    }
  }

  /// A name of so many words or more that stands by itself is a test there.
  @Test(arguments: [("games", 4, 50), ("reliability", 7, 15)])
  func everyTestThatIsNamedByItselfIsThere(_ document: String, words: Int, atLeast: Int) throws {
    let text = try String(contentsOfFile: "\(Self.root)/docs/\(document).md", encoding: .utf8)
    let all = Self.tests.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    let names = text.matches(of: #/`([a-z]+(?:[A-Z][a-z]*){3,})`/#).map { String($0.output.1) }
      .filter { name in 1 + name.count(where: \.isUppercase) >= words }
    #expect(names.count > atLeast)
    // Not in the words of the expectation, which would print all of them.
    for name in names where !all.contains(name) { Issue.record("there is no test \(name)") }
  }

  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
  /// Targets of tests, which are named like suites.
  private static let modules = Set((try? FileManager.default.contentsOfDirectory(atPath: root + "/Tests")) ?? [])
}
