// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct ParamsTests {
  private func echo(_ params: String) throws -> RPCError {
    let (id, error) = try refusal(#"{"id":1,"method":"test.echo","params":\#(params)}"#)
    #expect(id == .integer(1))
    #expect(error.code == -32602)
    #expect(error.data.kind == "invalidParams")
    return error
  }

  @Test func missingParamsAreAnEmptyObject() throws {
    #expect(try refusal(#"{"id":1,"method":"test.fail"}"#).error.data.kind == "unavailable")
  }

  @Test(arguments: ["[1,2]", "3", "null", #""a""#])
  func paramsThatAreNoObjectAreRefusedWithAHint(params: String) throws {
    let error = try echo(params)
    #expect(error.message == "test.echo: params must be an object")
    #expect(error.data.hint?.contains("by name") == true)
  }

  @Test func aMissingFieldIsNamedWithWhatIsExpected() throws {
    #expect(try echo("{}").message == "test.echo needs name, a string")
    #expect(try echo(#"{"name":"a","inner":{}}"#).message == "test.echo needs inner.depth, a whole number")
  }

  @Test(arguments: [
    (#"{"name":3}"#, "name must be a string, not 3"),
    (#"{"name":null}"#, "name must be a string, not null"),
    (#"{"name":"a","atUs":null}"#, "atUs must be a whole number, not null"),
    (#"{"name":"a","inner":null}"#, "inner must be an object, not null"),
    (#"{"name":"a","atUs":1.5}"#, "atUs must be a whole number, not 1.5"),
    (#"{"name":"a","atUs":"5"}"#, #"atUs must be a whole number, not "5""#),
    (#"{"name":"a","gain":true}"#, "gain must be a number, not true"),
    (#"{"name":"a","loop":1}"#, "loop must be true or false, not 1"),
    (#"{"name":"a","topics":{}}"#, "topics must be an array, not an object"),
    (
      #"{"name":"a","topics":["music",4]}"#,
      "topics[1] must be one of \(Topic.allCases.map(\.rawValue).joined(separator: ", ")), not 4"
    ),
    (#"{"name":"a","inner":[]}"#, "inner must be an object, not an array"),
    (#"{"name":"a","inner":{"depth":"x"}}"#, #"inner.depth must be a whole number, not "x""#),
  ])
  func aWrongTypeIsReportedByItsPath(params: String, message: String) throws {
    #expect(try echo(params).message == "test.echo: " + message)
  }

  @Test func aNumberOutOfRangeIsRefused() throws {
    #expect(try echo(#"{"name":"a","atUs":9223372036854775808}"#).message.contains("atUs must be a whole number"))
  }

  @Test func aWordOutsideAChoiceIsReportedWithTheChoicesAndCandidates() throws {
    let error = try echo(#"{"name":"a","quantise":"beet"}"#)
    #expect(error.message == #"test.echo: quantise must be one of beat, bar, not "beet"; did you mean beat?"#)
    #expect(error.data.candidates == ["beat", "bar"])
  }

  @Test func aFieldThatIsNotKnownIsReportedWithThoseThatAre() throws {
    let error = try echo(#"{"name":"a","atMs":5}"#)
    #expect(error.message == #"test.echo has no field "atMs"; did you mean name?"#)
    #expect(error.data.hint == "it takes name, atUs, gain, loop, quantise, topics, inner")
    #expect(error.data.candidates == ["name", "atUs", "gain", "loop", "quantise", "topics", "inner"])
    #expect(try echo(#"{"name":"a","inner":{"dept":1}}"#).message.contains(#"no field "inner.dept""#))
  }

  @Test func aTimeWithoutItsUnitIsLookedForWithIt() throws {
    var router = Router<Int> { name, _ in ([name], "; did you mean \(name)?") }
    router.on(Echo.self) { params, _ throws(RPCError) in params }
    let line = #"{"id":1,"method":"test.echo","params":{"name":"a","at":5}}"#
    let reply = router.reply(to: Array(line.utf8), context: 7).map { String(decoding: $0, as: UTF8.self) }
    #expect(reply?.contains(#"no field \"at\"; did you mean atUs?"#) == true, "\(reply ?? "")")
  }

  @Test func whatIsPassedThroughUnreadMayHoldAnyField() throws {
    var router = Router<Void>()
    router.on(HapticsPlay.self) { params, _ throws(RPCError) in
      #expect(params.ahap == JSONText(.object(["Pattern": .array([.object(["x": .number(0.5)])])])))
      return HapticsPlay.Result(source: "inline", player: 1, scheduledUs: 2, lateUs: 3, durationUs: 4)
    }
    let line = #"{"id":1,"method":"haptics.play","params":{"ahap":{"Pattern":[{"x":0.5}]}}}"#
    let answered = router.reply(to: Array(line.utf8), context: ())
    let reply = try #require(answered)
    #expect(
      String(decoding: reply, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":1,"result":{"durationUs":4,"lateUs":3,"player":1,"scheduledUs":2,"source":"inline"}}"#
    )
  }

  @Test func aResultThatIsNoJSONIsAnInternalError() throws {
    enum Broken: WireMethod {
      static let name = "test.broken"
      static let summary = "Answers with what JSON does not have."
      typealias Params = Empty
      typealias Result = Double
    }
    var router = Router<Void>()
    router.on(Broken.self) { _, _ throws(RPCError) in .nan }
    let answered = router.reply(to: Array(#"{"id":1,"method":"test.broken"}"#.utf8), context: ())
    let reply = try #require(answered)
    #expect(String(decoding: reply, as: UTF8.self).contains(#""code":-32603"#))
  }
}
