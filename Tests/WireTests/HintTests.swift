// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// Every refusal says what to do.
@Suite struct HintTests {
  @Test(arguments: [
    ("\u{1}", "one JSON object a line, ended by a line feed; write a value here"),
    ("[]", "send one request a line; they can be pipelined"),
    ("7", #"for example {"id":1,"method":"engine.status"}"#),
    (#"{"id":1}"#, #"for example {"id":1,"method":"engine.status"}"#),
    (#"{"id":1,"method":7}"#, #"for example {"id":1,"method":"engine.status"}"#),
    (#"{"id":{},"method":"test.echo"}"#, "number the requests, to tell replies apart"),
    (#"{"id":1,"id":1,"method":"test.echo"}"#, "id, method and params once each"),
    (#"{"id":1,"method":"no.such"}"#, "rpc.discover lists every method"),
    (#"{"id":1,"method":"test.echo"}"#, "it takes name, atUs, gain, loop, quantise, topics, inner"),
    (
      #"{"id":1,"method":"test.echo","params":{"name":"a","atUs":1.5}}"#,
      "give a whole number of microseconds, of 64 bits and without a fraction"
    ),
    (
      #"{"id":1,"method":"test.echo","params":{"name":"a","topics":"rhythm"}}"#,
      #"one is written ["rhythm"]; they are "# + Topic.allCases.map(\.rawValue).joined(separator: ", ")
    ),
    (#"{"id":1,"method":"test.echo","params":{"name":1}}"#, "it takes name, atUs, gain, loop, quantise, topics, inner"),
  ])
  func aRefusalHasAHint(line: String, hint: String) throws {
    #expect(try refusal(line).error.data.hint == hint)
  }

  @Test func aLineThatIsNotUTF8SaysHowToWriteIt() throws {
    var line = Array(#"{"id":1,"method":"test.echo"}"#.utf8)
    line[3] = 0xFF
    let refused = #expect(throws: Request.Unreadable.self) { try Request(line: line, limits: Limits()) }
    #expect(refused?.error.data.hint == "write every text as UTF-8, or escape it as \\u00e9")
  }

  @Test func aLineTooDeepSaysWhatIsOfUse() throws {
    let line = #"{"id":1,"method":"test.echo","params":"# + String(repeating: "[", count: 40)
    #expect(try refusal(line).error.data.hint == "the deepest that is of use, a pattern given inline, nests 8")
  }
}
