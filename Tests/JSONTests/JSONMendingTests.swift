// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JSON

/// What is read on behind, and what ends the reading.
@Suite struct JSONMendingTests {
  private func read(_ text: String) -> JSONTape.Reading {
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
    "", "[", "{\"a\": fast}", "{a: 1}", "[1, /* 2]", "['it\"s']", "[+]", "{\"a\": 1\"b\": 2}", "\u{FEFF}", "[1] [2]",
    "[/]",
  ])
  func whatIsNotPlainEndsTheReading(text: String) {
    let read = read(text)
    #expect(read.tape == nil && read.faults.count == 1)
  }

  @Test func atMostSoManyAreReadOnBehind() {
    let read = read("[" + String(repeating: "1 ", count: 100) + "]")
    #expect(read.tape == nil && read.faults.count == 17)
  }
}
