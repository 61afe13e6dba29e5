// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JSON

@Suite struct JSONTapeTests {
  private func tape(_ text: String, _ rules: JSONRules = JSONRules()) throws(JSONFault) -> JSONTape {
    try JSONTape(scanning: Array(text.utf8), rules)
  }

  private func fault(_ text: String, _ rules: JSONRules = JSONRules()) -> JSONFault? {
    #expect(throws: JSONFault.self) { try tape(text, rules) }
  }

  @Test func membersAreFoundWithTheirValues() throws {
    let tape = try tape(#" { "a" : 1 ,"b":{"a":[1,{"c":2}]}, "c\u0041":"x\"}" , "d":[ ] ,"e":-1.5e+3} "#)
    var found: [String] = []
    tape.forEachMember(of: 0) { found.append(tape.string(at: $0) + "=" + tape.text(at: $1)) }
    #expect(found == ["a=1", #"b={"a":[1,{"c":2}]}"#, #"cA="x\"}""#, "d=[ ]", "e=-1.5e+3"])
    #expect(tape.member("cA", of: 0).map(tape.string) == "x\"}")
    #expect(tape.member("f", of: 0) == nil)
    #expect(tape.nodes[0].count == 5)
  }

  @Test(arguments: [
    (#"{"a":1}}"#, 7), (#"{"a":tru}"#, 5), (#"{"a":01}"#, 5), ("[1,]", 2), ("[1 2]", 3), (#"{"a"}"#, 4), ("nul", 0),
    (#"["\q"]"#, 3), (#"["\u12g4"]"#, 3), ("[1}", 2), ("-", 1), ("[-]", 2), ("[1.e3]", 3), ("[\"", 1),
  ])
  func theFirstWrongByteIsTold(text: String, offset: Int) { #expect(fault(text)?.offset == offset) }

  @Test func depthIsBounded() throws {
    let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    _ = try tape(deep)
    #expect(fault("[" + deep + "]")?.kind == .tooDeep)
    #expect(fault(String(repeating: "[", count: 1_000_000), JSONRules(depth: .max))?.offset == 512)
  }

  @Test func boundsAreInBytesAndBothSidesOfThemAreHeld() throws {
    // Four combining marks of two bytes each: one character for people, eight bytes here.
    let marks = String(repeating: "\u{301}", count: 4)
    let rules = JSONRules(nameBytes: 8, textBytes: 9, values: 4)
    _ = try tape("{\"\(marks)\":\"\(marks)x\"}", rules)
    #expect(fault("{\"\(marks)x\":1}", rules)?.kind == .tooLong)
    #expect(fault("{\"\(marks)x\":1}", rules)?.offset == 1)
    #expect(fault("[\"\(marks)xx\"]", rules)?.kind == .tooLong)
    _ = try tape("[1,2,3]", rules)
    #expect(fault("[1,2,3,4]", rules)?.kind == .tooLarge)
    #expect(fault(String(repeating: "1", count: 1_025))?.kind == .tooLong)
    _ = try tape(String(repeating: "1", count: 1_024))
  }

  @Test func commasBeforeBracketsPassWhereTheyMay() throws {
    let rules = JSONRules(allowsTrailingCommas: true)
    let tape = try tape(#"{"a":[1,2,],"b":1,}"#, rules)
    #expect(tape.trailingCommas == [9, 17])
    #expect(tape.nodes[0].count == 2)
    #expect(fault("[,]", rules)?.offset == 1)
    #expect(fault("[1,,]", rules)?.offset == 3)
    #expect(fault("[1,]")?.reason == "a comma stands before ]")
  }

  @Test func namesAreTheSameHoweverTheyAreEscaped() throws {
    #expect(try tape("{\"ab\":1,\"\\u0061b\":2}").repeatedNames == [3])
    // Alike for Unicode, but other bytes.
    #expect(try tape("{\"\u{e9}\":1,\"e\u{301}\":2}").repeatedNames == [])
    let many = (0..<100).map { "\"k\($0 % 60)\":0" }.joined(separator: ",")
    #expect(try tape("{\(many)}").repeatedNames.count == 40)
    let inner = try tape(#"{"a":{"a":1},"b":{"a":2,"a":3}}"#)
    #expect(inner.repeatedNames.map { inner.path(to: $0 + 1) } == [[JSONStep("b"), JSONStep("a")]])
  }

  @Test(
    arguments: [
      ("0", 0.0), ("-0.0", 0), ("1", 1), ("0.1", 0.1), ("-12.5e1", -125), ("1e-3", 0.001), ("1E+2", 100),
      ("0.30000000000000004", 0.30000000000000004), ("123456789012345", 123_456_789_012_345),
      ("1234567890123456789", 1_234_567_890_123_456_768), ("0.0000000000000000000000001", 1e-25), ("4e-400", 0),
      ("1e400", .infinity),
    ] as [(String, Double)]) func numbersAreTheNearestDoubles(_ text: String, _ value: Double) throws
  {
    #expect(try tape(text).number(at: 0) == value)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0e5", 0), ("12", 12), ("-12", -12), ("2.0", 2), ("1e3", 1_000), ("20e-1", 2),
      ("1.5e1", 15), ("0.00012e5", 12), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775807.0", .max), ("9007199254740993.0", 9_007_199_254_740_993), ("0e99999999999999999999", 0),
      ("100e-2", 1), ("922337203685477580.7e1", .max),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.5", nil), ("1e-400", nil), ("1e-1", nil),
      ("1e19", nil), ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil), ("18446744073709551616", nil),
      ("99999999999999999999", nil), ("1.00000000000000000000000001", nil),
    ] as [(String, Int64?)]) func wholeNumbersAreFoundInTheirDigits(_ text: String, _ value: Int64?) throws
  {
    #expect(try tape(text).integer(at: 0) == value)
  }

  @Test(arguments: [
    ("\"plain\"", "plain"), ("\"a\\\"b\\\\c\\/\"", "a\"b\\c/"), ("\"\\b\\f\\n\\r\\t\"", "\u{8}\u{c}\n\r\t"),
    ("\"\\u00e9\\u20AC\"", "é€"), ("\"\\ud83d\\ude00!\"", "😀!"), ("\"x\\ud83dy\"", "x\u{FFFD}y"), ("\"é\\n€\"", "é\n€"),
  ]) func escapesAreResolved(_ text: String, _ value: String) throws {
    #expect(try tape(text).string(at: 0) == value)
  }

  @Test(arguments: [
    (#""\ud83d\ude00""#, false), (#""\ud83d""#, true), (#""\ude00""#, true), (#""\ud83dx""#, true),
    (#""\ud83d\ud83d\ude00""#, true), (#""\\ud83d""#, false), (#""\u00e9""#, false), ("\"😀\"", false),
  ]) func halfASurrogatePairIsSeen(_ text: String, _ isHalf: Bool) throws {
    #expect(try tape(text).hasHalfSurrogate(at: 0) == isHalf)
  }

  @Test func aPlaceIsALineAndAColumnInScalars() {
    let bytes = byteOrderMark + Array("{\n \"é\": 1}".utf8)
    let places = TextPosition.positions(of: [3, 6, 11, 100], in: bytes)
    #expect(places.map { "\($0.line):\($0.column)" } == ["1:1", "2:2", "2:6", "2:9"])
  }

  @Test func thePathToAValueIsAsPeopleWriteIt() throws {
    let tape = try tape(#"{"cues":{"go":{"steps":[{"at":1},{"sound":"x"}]}}}"#)
    let index = try #require(tape.nodes.indices.first { tape.isString($0, "x") })
    #expect(dotted(tape.path(to: index)) == "cues.go.steps[1].sound")
    #expect(dotted(tape.path(to: 0)) == "")
  }

  @Test func whatIsShownOfATextIsCutInBytesBetweenScalars() throws {
    #expect(excerpt("short") == "short")
    #expect(excerpt(String(repeating: "x", count: 65)) == String(repeating: "x", count: 64) + "...")
    // One character of a million bytes: 63 bytes of it, for the 64th is half a scalar.
    let long = "a" + String(repeating: "\u{301}", count: 500_000)
    #expect(excerpt(long).utf8.count == 63 + 3)
    let quoted = try tape("[\"\(String(repeating: "é", count: 40))\"]")
    #expect(quoted.excerpt(at: 1).utf8.count <= 64 + 3)
    #expect(quoted.excerpt(at: 1).hasSuffix("é..."))
  }
}
