// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JSON

/// What is read on behind, and what ends the reading.
@Suite struct JSONMendingTests {
  private func read(_ text: String) -> JSONTape.Mended {
    JSONTape.read(Array(text.utf8), JSONRules(allowsTrailingCommas: true), mendingAtMost: 16)
  }

  @Test(arguments: [
    (#"{"a": 1 "b": 2}"#, "put a comma before it"), ("[1\n2]", "put a comma before it"),
    (#"[1,, 2]"#, "remove the comma"), (#"{"a": 1,, "b": 2}"#, "remove the comma"),
    ("[1, // one\n2]", "remove the comment: JSON has none"), ("[1, # one\n2]", "remove the comment: JSON has none"),
    ("[1, /* , ] */ 2]", "remove the comment: JSON has none"), ("[1, 2] // end", nil),
    (#"{'a': 1}"#, "use double quotes"), ("[007]", "write 5 for 05"), ("[True]", "write true"),
    ("[None, FALSE]", "write null"),
  ])
  func aPlainSlipIsToldAndReadOnBehind(text: String, remedy: String?) throws {
    let read = read(text)
    #expect(read.tape != nil && !read.faults.isEmpty)
    if let remedy { #expect(read.faults.first?.remedy == remedy) }
  }

  /// Offsets are those of the text as it is.
  @Test func severalAreToldAtTheirPlaces() throws {
    let read = read("{\"a\": 1 // one\n \"b\": 2,, \"c\": True}")
    #expect(read.faults.map(\.offset) == [8, 16, 23, 30])
    let tape = try #require(read.tape)
    #expect(tape.bytes.count == 35 && tape.nodes[0].count == 3)
    #expect(tape.member("c", of: 0).map { tape.nodes[$0].kind } == .true)
  }

  @Test(arguments: [
    "", "{\"a\": ", "{\"a\": fast}", "{a: 1}", "[1, /* 2]", "['it\"s']", "[+]", "{\"a\": 1\"b\": 2}", "\u{FEFF}",
    "[1] [2]",
    "[/]",
  ])
  func whatIsNotPlainEndsTheReading(text: String) {
    let read = read(text)
    #expect(read.tape == nil && read.faults.count == 1)
  }

  /// What is left open is told where it begins, and what stands behind it is read all the same.
  @Test(arguments: [
    ("{\"a\": \"one,\n \"b\": 2}", "the string that begins here is not closed on its line", 6),
    ("{\"a\": {\"b\": \"one },\n \"c\": 2}", "the string that begins here is not closed on its line", 12),
    ("[\"one\n]", "the string that begins here is not closed on its line", 1),
    ("{\"a: \"one\"}", "the string that begins here ends before one", 1),
    ("[\"one, \"two\"]", "the string that begins here ends before two", 1),
    ("[{\"a\": 1 ]", "found ] where , or } should be: the { of line 1, column 2 is not closed", 9),
    ("[{\"a\": 1, ]", "found ] where a key in quotes or } should be: the { of line 1, column 2 is not closed", 10),
    (
      "[{\"a\": 1,\n {\"a\": 2}]",
      "found { where a key in quotes or } should be: the { of line 1, column 2 is not closed", 11
    ),
    (
      "[{\"a\": 1\n {\"a\": 2}]",
      "found { where a key in quotes or } should be: the { of line 1, column 2 is not closed", 10
    ),
    ("{\"a\": [1, 2 }", "found } where , or ] should be: the [ of line 1, column 7 is not closed", 12),
    ("{\"a\": [1,\n\"b\": 2}", "a key stands in a list: the [ of line 1, column 7 is not closed", 10),
    ("{\"a\": [1, {\"c\": 2}\n\n \"b\": 2}", "a key stands in a list: the [ of line 1, column 7 is not closed", 21),
    ("[", "the [ that begins here is not closed", 0),
    ("{\"a\": [1]", "the { that begins here is not closed", 0),
    ("{\n  \"a\": {\n    \"b\": 1\n  \"c\": 2\n}", "the { that begins here is not closed", 9),
    ("{\n  \"a\": {\n    \"b\": 1,\n  \"c\": 2\n}", "the { that begins here is not closed", 9),
    ("{\n  \"a\": {\n    \"b\": 1\n}", "the { that begins here is not closed", 9),
  ])
  func whatIsLeftOpenIsToldWhereItBegins(text: String, reason: String, offset: Int) throws {
    let read = read(text)
    #expect(read.faults.map(\.reason) == [reason] && read.faults.first?.offset == offset)
    #expect(read.tape != nil)
  }

  /// The members behind the place are those that are meant.
  @Test func whatIsLeftOpenIsClosedWhereItWasToEnd() throws {
    let string = try #require(read("{\"a\": {\"b\": \"one },\n \"c\": 2}").tape)
    #expect(string.member("c", of: 0) != nil && string.nodes[0].count == 2)
    let object = try #require(read("{\n  \"a\": {\n    \"b\": 1\n  \"c\": 2\n}").tape)
    #expect(object.member("c", of: 0) != nil && object.nodes[0].count == 2)
    let indented = try #require(read("{\n  \"a\": {\"d\": [\n    1\n  ],\n  \"c\": 2\n}").tape)
    #expect(indented.member("c", of: 0) != nil)
    let list = try #require(read("{\"a\": [1,\n\"b\": 2}").tape)
    #expect(list.member("b", of: 0) != nil)
    #expect(read("{\n  \"a\": {\n    \"b\": 1\n  \"c\": 2\n}").faults.first?.remedy == "write } before line 4")
  }

  /// A text that breaks off tells each that is open.
  @Test func allThatIsOpenAtTheEndIsTold() {
    let read = read("{\n  \"a\": {\n    \"b\": [\n      1\n")
    #expect(read.tape != nil && read.faults.map(\.offset) == [0, 9, 20])
    #expect(Set(read.faults.map(\.remedy)) == ["write } where it was to end", "write ] where it was to end"])
  }

  /// Whatever is cut off or taken out: nothing traps, and what is read is as long as it was, but for what closes it.
  @Test func noTextThatIsLeftOpenTraps() {
    let text = Array(
      "{\n  \"a\": {\"b\": [1, {\"c\": \"d, \\\"e\"}],\n    \"f\": true },\n  \"g\": [\n    {}, {}\n  ]\n}".utf8)
    let rules = JSONRules(allowsTrailingCommas: true)
    for index in text.indices {
      for changed in [Array(text[..<index]), Array(text[..<index] + text[(index + 1)...])] {
        let read = JSONTape.read(changed, rules, mendingAtMost: 16)
        #expect(read.faults.map(\.offset) == read.faults.map(\.offset).sorted())
        #expect(read.tape.map { (changed.count...(changed.count + 17)).contains($0.bytes.count) } ?? true)
      }
    }
  }

  /// Where no plain end is, the reading ends and the place is told.
  @Test func aQuoteInsideATextIsTold() {
    let read = read("{\"a\": \"say \"hi\" to\"}")
    #expect(read.tape == nil && read.faults.map(\.reason) == ["the string that begins here ends before hi"])
    #expect(read.faults.first?.remedy == #"close it where it was to end; a quote inside a text is written \""#)
  }

  @Test func atMostSoManyAreReadOnBehind() {
    let read = read("[" + String(repeating: "1 ", count: 100) + "]")
    #expect(read.tape == nil && read.faults.count == 17)
  }
}
