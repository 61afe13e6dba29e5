// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct JSONValueTests {
  @Test(arguments: [
    ##"{"a":[1,-2.5,true,false,null,{"b":"\u0001\"\\/\n\u00e9 🎮"}],"c":1e300,"d":{},"e":[]}"##, "0.1", ##""""##,
    "21e-4002", "-1e-400", "9007199254740993.5", "1e19",
  ])
  func aValueIsWrittenAsItWasRead(_ text: String) throws {
    let value = try decodeJSON(JSONValue.self, from: Array(text.utf8)[...])
    let written = try encodeJSON(value)
    #expect(try decodeJSON(JSONValue.self, from: written[...]) == value)
  }

  @Test(arguments: [
    ("null", JSONValue.null), (" true ", .bool(true)), ("false", .bool(false)), ("-12", .integer(-12)),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("0.25", .number(0.25)), ("2.0", .integer(2)), ("1e3", .integer(1_000)), ("-1.5E-1", .number(-0.15)),
    (#""a\u00e9\n\"\ud83d\ude00""#, .string("aé\n\"😀")), (#""plain é""#, .string("plain é")),
    ("[ ]", .array([])), ("{ }", .object([:])),
    ("[1,[2 , 3],{}]", .array([.integer(1), .array([.integer(2), .integer(3)]), .object([:])])),
    (#"{"a":{"b":[true]}, "c" : "" }"#, .object(["a": .object(["b": .array([.bool(true)])]), "c": .string("")])),
  ])
  func aTextIsRead(text: String, value: JSONValue) throws {
    #expect(try decodeJSON(JSONValue.self, from: Array(text.utf8)[...]) == value)
  }

  @Test(arguments: ["", "[", "[1,]", #"{"a"}"#, #""\ud800""#, "1 2"])
  func whatIsNoJSONIsRefused(text: String) {
    #expect(throws: (any Error).self) { _ = try decodeJSON(JSONValue.self, from: Array(text.utf8)[...]) }
  }

  @Test func valuesInsideListsAreReadToo() throws {
    let text = Array(#"{"list":[{"x":1},[0.5]]}"#.utf8)
    struct Holder: Decodable { var list: [JSONValue] }
    #expect(
      try decodeJSON(Holder.self, from: text[...]).list
        == [.object(["x": .integer(1)]), .array([.number(0.5)])])
  }
}
