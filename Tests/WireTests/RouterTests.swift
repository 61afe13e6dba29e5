// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct RouterTests {
  @Test func aRequestIsAnsweredOnOneLineWithItsResult() {
    #expect(
      reply(#"{"jsonrpc":"2.0","id":1,"method":"test.echo","params":{"name":"a","atUs":5}}"#)
        == #"{"jsonrpc":"2.0","id":1,"result":{"atUs":5,"name":"a"}}"#)
  }

  @Test(arguments: ["1", "-7", "1.50", "1e3", "18446744073709551616", #""a\"b""#, #""\u00e9""#, "null", #""""#])
  func anIdIsGivenBackByteForByte(id: String) {
    #expect(
      reply(#"{"id": \#(id) ,"method":"test.echo","params":{"name":"a"}}"#)
        == #"{"jsonrpc":"2.0","id":\#(id),"result":{"name":"a"}}"#)
  }

  @Test func aRequestWithoutIdGetsNoReplyWhetherItSucceedsOrFails() {
    #expect(reply(#"{"method":"test.echo","params":{"name":"a"}}"#) == nil)
    #expect(reply(#"{"method":"test.fail"}"#) == nil)
    #expect(reply(#"{"method":"no.such"}"#) == nil)
  }

  @Test func aBlankLineGetsNoReply() {
    #expect(reply("") == nil)
    #expect(reply(" \t\r") == nil)
  }

  @Test func jsonrpcMayBeMissingButNotWrong() throws {
    #expect(reply(#"{"id":1,"method":"test.echo","params":{"name":"a"}}"#)?.contains("result") == true)
    let (id, error) = try refusal(#"{"jsonrpc":"1.0","id":4,"method":"test.fail"}"#)
    #expect(id == .integer(4))
    #expect(error.data.kind == "invalidRequest")
    #expect(try refusal(#"{"jsonrpc":2.0,"id":4,"method":"test.fail"}"#).error.code == -32600)
  }

  @Test func aMistypedMemberOfTheRequestIsRefused() throws {
    let (id, error) = try refusal(#"{"id":5,"method":"test.echo","parms":{"name":"a"}}"#)
    #expect(id == .integer(5))
    #expect(error.data.kind == "invalidRequest")
    #expect(error.message == #"a request has no member "parms""#)
    #expect(try refusal(#"{"id":5,"metod":"test.echo"}"#).error.message == #"a request has no member "metod""#)
  }

  @Test func aFieldGivenTwiceIsRefused() throws {
    let (_, error) = try refusal(#"{"id":5,"method":"test.echo","params":{"name":"a","atUs":1,"name":"b"}}"#)
    #expect(error.data.kind == "invalidParams")
    #expect(error.message == #"test.echo is given "name" twice"#)
  }

  @Test func aHandlersErrorIsPassedOn() throws {
    let (id, error) = try refusal(#"{"id":"x","method":"test.fail","params":{}}"#)
    #expect(id == .string("x"))
    #expect(error == RPCError(.unavailable, "refused for 7", hint: "wait"))
  }

  @Test func anUnknownMethodIsReportedWithCandidates() throws {
    let (_, error) = try refusal(#"{"id":1,"method":"test.eco"}"#)
    #expect(error.code == -32601)
    #expect(error.data.kind == "unknownMethod")
    #expect(error.message == #"no method "test.eco"; did you mean test.echo?"#)
    #expect(error.data.candidates == ["test.echo", "test.fail"])
  }

  @Test(arguments: [
    "{", "nonsense", #"{"id":1,"method":"test.fail"}x"#, #"{"id":1,}"#, #"{"id":01}"#,
    #"{"id":1 "method":"a"}"#, #"{"id":"a"#, #"{"id":tru}"#, #"{"a":"\x"}"#,
    #"{"a":[1}"#, "{\"a\":\"\u{1}\"}", "}", #"{"a":-}"#, #"{"a":1.}"#,
  ])
  func whatIsNotJSONIsAParseErrorWithoutId(line: String) throws {
    let (id, error) = try refusal(line)
    #expect(id == .null)
    #expect(error.code == -32700)
    #expect(error.data.kind == "parse")
  }

  @Test func aParseErrorTellsTheByte() throws {
    #expect(try refusal(#"{"id":1,}"#).error.message == "the line is not JSON: a comma stands before }, at byte 7")
  }

  @Test func bytesThatAreNotUTF8AreAParseError() throws {
    let line = Array(#"{"id":1,"method":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    let answered = testRouter().reply(to: line, context: 7)
    let bytes = try #require(answered)
    #expect(String(decoding: bytes, as: UTF8.self).contains("not UTF-8"))
  }

  @Test(arguments: [
    "[]", #"[{"id":1,"method":"test.fail"}]"#, "3", #""text""#, "null", "{}", #"{"id":{},"method":"test.fail"}"#,
    #"{"id":true,"method":"test.fail"}"#, #"{"id":1,"method":3}"#, #"{"id":1,"id":2,"method":"test.fail"}"#,
  ])
  func whatIsNoRequestIsAnInvalidRequest(line: String) throws {
    let (_, error) = try refusal(line)
    #expect(error.code == -32600)
    #expect(error.data.kind == "invalidRequest")
  }

  @Test func anIdThatCouldBeReadIsGivenBackWithAnInvalidRequest() throws {
    #expect(try refusal(#"{"id":9}"#).id == .integer(9))
    #expect(try refusal(#"{"id":9,"method":[]}"#).id == .integer(9))
  }

  @Test func nestingUpToTheLimitIsReadAndOneMoreIsRefused() throws {
    func line(_ depth: Int) -> String {
      #"{"id":1,"method":"no.such","params":"#
        + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
    }
    #expect(try refusal(line(32)).error.data.kind == "unknownMethod")
    #expect(try refusal(line(33)).error.data.kind == "tooDeep")
    #expect(try refusal(String(repeating: "[", count: 9_000)).error.data.kind == "tooDeep")
    // A longer one is not looked into.
    #expect(try refusal(String(repeating: "[", count: 900_000)).error.message == "batches are not taken")
  }

  @Test func bracketsInsideStringsDoNotNest() {
    let name = String(repeating: "[{", count: 64)
    #expect(
      reply(#"{"id":1,"method":"test.echo","params":{"name":"\#(name)"}}"#)
        == #"{"jsonrpc":"2.0","id":1,"result":{"name":"\#(name)"}}"#)
  }
}
