// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// What a client may send is bounded in bytes, before anything looks for it.
@Suite struct BoundsTests {
  /// "a" and that many combining marks of two bytes: one character, however many.
  private func marks(_ count: Int) -> String { "a" + String(repeating: "\u{301}", count: count) }

  private func error(_ line: String) throws -> RPCError { try refusal(line).error }

  @Test func theLimitsAreThoseThatHelloTells() throws {
    let limits = Limits()
    #expect(limits.lineBytes == 262_144 && limits.requestBytes == 16_384)
    #expect(limits.nameBytes == 128 && limits.textBytes == 1_024)
    guard case .object(let told) = try decodeJSON(JSONValue.self, from: encodeJSON(limits)[...]) else { return }
    for (name, value) in ["lineBytes": 262_144, "requestBytes": 16_384, "nameBytes": 128, "textBytes": 1_024] {
      #expect(told[name] == .integer(Int64(value)))
    }
  }

  @Test(arguments: [
    ("method", #"{"id":1,"method":"NAME"}"#), ("a member", #"{"id":1,"method":"test.echo","NAME":1}"#),
    ("a param", #"{"id":1,"method":"test.echo","params":{"NAME":1}}"#),
    ("a name", #"{"id":1,"method":"test.echo","params":{"name":"NAME"}}"#),
    ("a topic", #"{"id":1,"method":"test.echo","params":{"name":"x","topics":["NAME"]}}"#),
    ("a choice", #"{"id":1,"method":"test.echo","params":{"name":"x","quantise":"NAME"}}"#),
    ("an id", #"{"id":"NAME","method":"test.echo"}"#),
  ])
  func aNameHas128BytesAtMost(what: String, line: String) throws {
    for name in [marks(64), String(repeating: "x", count: 129), marks(8_000)] {
      let error = try error(line.replacingNAME(with: name))
      #expect(["invalidRequest", "invalidParams", "unknownMethod"].contains(error.data.kind), "\(what)")
      #expect(error.message.contains("bytes"), "\(what): \(error.message)")
      #expect(error.message.utf8.count < 200 && error.data.candidates == nil)
    }
    let longest = String(repeating: "x", count: 128)
    let reply = testRouter().reply(to: Array(line.replacingNAME(with: longest).utf8), context: 7) ?? []
    #expect(!String(decoding: reply, as: UTF8.self).contains(" bytes"), "\(what)")
  }

  /// A name that is too long leads to where the right ones are told, or says whose it is.
  @Test(arguments: [
    ("cue.fire", #""cue":"NAME""#, "cue.list"), ("cue.fire", #""cue":"a","tag":"NAME""#, "your own"),
    ("cue.fire", #""cue":"a","after":"NAME""#, "your own"), ("cue.stop", #""tag":"NAME""#, "your own"),
    ("cue.list", #""after":"NAME""#, "cue.list"), ("cue.fire", #""cue":"a","quantise":"NAME""#, "beat, bar"),
    ("cue.fire", #""cue":"a","align":"NAME""#, "it is one of together"),
    ("sound.play", #""sound":"NAME""#, "pack.list names every sound"),
    ("music.gain", #""gain":1,"stem":"NAME""#, "pack.list"), ("pack.list", #""after":"NAME""#, "names the packs"),
    ("session.use", #""pack":"NAME""#, "names the packs"), ("session.hello", #""client":"NAME""#, "your own"),
    ("parameter.set", #""value":1,"parameter":"NAME""#, "parameter.list"),
    ("parameter.list", #""after":"NAME""#, "parameter.list"),
    ("rhythm.bind", #""control":"NAME""#, "BTN_SOUTH"), ("rhythm.tap", #""lane":"NAME""#, "pack.list"),
    ("settings.set", #""profile":"NAME""#, "settings.get"), ("events.subscribe", #""topics":["NAME"]"#, "it is one of"),
    ("haptics.scheduleCurve", #""player":1,"points":[],"control":"NAME""#, "it is one of intensity"),
  ])
  func aNameThatIsTooLongLeadsToTheRightOnes(method: String, params: String, hint: String) throws {
    var router = Router<Void>()
    for known in allMethods { refuseAll(known, on: &router) }
    let line = #"{"id":1,"method":"\#(method)","params":{\#(params)}}"#
      .replacingNAME(with: String(repeating: "x", count: 129))
    let reply = String(decoding: router.reply(to: Array(line.utf8), context: ()) ?? [], as: UTF8.self)
    #expect(reply.contains("has 129 bytes"), "\(reply)")
    let told = try #require(reply.firstRange(of: #""hint":"#))
    #expect(reply[told.upperBound...].contains(hint), "\(reply)")
  }

  private func refuseAll<Method: WireMethod>(_ method: Method.Type, on router: inout Router<Void>) {
    router.on(method) { _, _ throws(RPCError) in throw RPCError(.internal, "asked for all the same") }
  }

  @Test func noMessageEchoesMoreThanABitOfWhatItWasSent() throws {
    let name = marks(60)
    for line in [#"{"id":1,"method":"NAME"}"#, #"{"id":1,"method":"test.echo","params":{"NAME":1}}"#] {
      #expect(try error(line.replacingNAME(with: name)).message.utf8.count < 150)
    }
    let number = String(repeating: "7", count: 1_000)
    #expect(
      try error(#"{"id":1,"method":"test.echo","params":{"name":"x","atUs":\#(number)}}"#).message.utf8.count < 150)
  }

  private enum Long: WireMethod {
    static let name = "test.long"
    static let summary = "Takes a long one and a short one."
    static let longParams = ["long"]
    typealias Result = Empty

    struct Params: Codable, Sendable {
      var long: JSONValue?
      var list: [Int]?
    }
  }

  private func long(_ line: String) -> String {
    var router = Router<Void>()
    router.on(Long.self) { _, _ throws(RPCError) in Empty() }
    return String(decoding: router.reply(to: Array(line.utf8), context: ()) ?? [], as: UTF8.self)
  }

  @Test func onlyWhatIsLongByNatureMakesALineLong() {
    func list(_ bytes: Int) -> String { "[1" + String(repeating: " ", count: bytes - 3) + "]" }
    func line(_ params: String) -> String { #"{"id":1,"method":"test.long","params":{\#(params)}}"# }
    let frame = line("\"list\":").utf8.count
    #expect(long(line("\"list\":" + list(16_384 - frame))).contains("result"))
    let tooLong = long(line("\"list\":" + list(16_385 - frame)))
    #expect(tooLong.contains("lineTooLong") && tooLong.contains("test.long has 16385 bytes besides long"))
    #expect(long(line("\"long\":" + list(200_001))).contains("result"))
    #expect(long(line("\"long\":1" + String(repeating: " ", count: 17_000))).contains("lineTooLong"))
    #expect(long(line("\"long\":[1" + String(repeating: ",1", count: 65_536) + "]")).contains("more than 65536 values"))
    // Were it JSON-RPC's batch or nothing at all, it would be refused as such.
    #expect(long("[" + list(20_001) + "]").contains("batches"))
  }

  /// Its length is known by a look at each byte; were it read, its nesting would be found out first.
  @Test func aLineThatIsTooLongIsNotRead() throws {
    let deep = String(repeating: "[", count: 20_000)
    for line in [
      #"{"id":"q","method":"test.echo","params":{"name":\#(deep)"#, #"{"id":"q","method":"no.such","params":\#(deep)"#,
      #"{"params":{"list":[\#(String(repeating: "[],", count: 9_000))1]},"method":"test.long","id":"q"}"#,
    ] {
      #expect(long(line).contains("lineTooLong"), "\(line.prefix(60))")
      #expect(long(line).contains(#""id":"q""#), "\(line.prefix(60))")
    }
    // What is wrong in a pattern is told by its place.
    #expect(long(#"{"id":"q","method":"test.long","params":{"long":\#(deep)"#).contains("tooDeep"))
    // Nobody waits for a reply to what bears no id.
    let list = String(repeating: "0,", count: 9_000)
    #expect(long(#"{"method":"test.echo","params":{"list":[\#(list)0]}}"#).isEmpty)
  }

  /// To take a text of combining marks for a name costs a thousand times what a look at each byte does.
  @Test func whatIsLongerThanANameIsNoMethods() {
    func name(_ count: Int) -> String? {
      RequestOutline(Array(#"{"id":1,"method":"\#(marks(count))"}"#.utf8)).methodName(atMost: 128)
    }
    #expect(name(63) == marks(63))
    #expect(name(64) == nil)
    let line = #"{"id":"q","method":"\#(marks(120_000))"}"#
    #expect(long(line).contains("lineTooLong") && long(line).contains(#""id":"q""#))
    #expect(long(line).contains("the request has 240023 bytes"))
  }

  @Test func whatTheScannerRefusesIsRefusedUnderItsID() throws {
    let name = String(repeating: "x", count: 129)
    #expect(try refusal(#"{"id":7,"method":"test.echo","params":{"\#(name)":1}}"#).id == .integer(7))
    let quoted = ##"{"params":{"name":"\##(marks(1_000))"},"method":"test.echo","id":"\"q"}"##
    #expect(try refusal(quoted).id == .string("\"q"))
    let nested = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    #expect(try refusal(#"{"method":"test.echo","params":\#(nested),"id":7}"#).id == .integer(7))
    // An id that is none, or not the only one, is nobody's.
    #expect(try refusal(#"{"id":[7],"method":"test.echo","params":{"\#(name)":1}}"#).id == .null)
    #expect(try refusal(#"{"id":7,"method":"test.echo","params":{"\#(name)":1},"id":8}"#).id == .null)
    #expect(try refusal(#"{"id":\#(name),"method":"test.echo","params":{"\#(name)":1}}"#).id == .null)
  }

  @Test func onlyLongParamsHaveLongTexts() throws {
    var router = Router<Void>()
    router.on(DevicesSet.self) { params, _ throws(RPCError) in
      throw RPCError(.unknownName, "\(params.device.utf8.count)")
    }
    func said(_ bytes: Int) -> String {
      let device = String(repeating: "/", count: bytes)
      let line = #"{"id":1,"method":"devices.set","params":{"device":"\#(device)","gain":1}}"#
      return String(decoding: router.reply(to: Array(line.utf8), context: ()) ?? [], as: UTF8.self)
    }
    #expect(said(1_024).contains("\"1024\""))
    #expect(said(1_025).contains("a text has more than 1024 bytes"))
  }

  @Test(arguments: [
    (#"{"timeUs":0,"value":1,"valve":2}"#, #"has no field "points[1].valve""#),
    (#"{"timeUs":0,"value":1,"value":2}"#, #"is given "points[1].value" twice"#),
    (#"{"timeUs":0}"#, "needs points[1].value, a number"),
    (#"{"timeUs":1e-400,"value":1}"#, "points[1].timeUs must be a whole number, not 1e-400"),
    ("[0,1]", "points[1] must be an object, not an array"),
  ])
  func everyPointOfACurveIsHeldAgainstWhatAPointHas(point: String, message: String) throws {
    var router = Router<Void>()
    router.on(HapticsScheduleCurve.self) { _, _ throws(RPCError) in throw RPCError(.busy, "not to be reached") }
    let line =
      #"{"id":1,"method":"haptics.scheduleCurve","params":{"player":1,"control":"intensity","points":"#
      + #"[{"timeUs":0,"value":0},\#(point)]}}"#
    let reply = String(decoding: router.reply(to: Array(line.utf8), context: ()) ?? [], as: UTF8.self)
    #expect(reply.contains(message.replacing("\"", with: "\\\"")), "\(reply)")
  }

  @Test(arguments: ["1e-400", "1.5", "1e19", "9223372036854775808", "-1e400", "0.1e0", "true", "\"1\""])
  func anInstantIsAWholeNumber(number: String) throws {
    let error = try error(#"{"id":1,"method":"test.echo","params":{"name":"x","atUs":\#(number)}}"#)
    #expect(error.message == "test.echo: atUs must be a whole number, not \(number)")
  }

  @Test func aNumberThatNoDoubleHoldsIsRefused() throws {
    #expect(
      try error(#"{"id":1,"method":"test.echo","params":{"name":"x","gain":1e400}}"#).message
        .contains("out of range"))
  }

  /// Elements beyond the bound are not looked at: the first of these is no point, which nobody finds.
  @Test func anArrayIsHeldAgainstItsBoundBeforeItsElements() throws {
    var router = Router<Int>()
    router.on(HapticsScheduleCurve.self) { _, _ throws(RPCError) in Scheduled(scheduledUs: 0, lateUs: 0) }
    func reply(_ count: Int) -> String {
      let points = (["7"] + (1..<count).map { #"{"timeUs":\#($0),"value":0.5}"# }).joined(separator: ",")
      let params = #"{"player":1,"control":"intensity","points":[\#(points)]}"#
      let line = #"{"id":1,"method":"haptics.scheduleCurve","params":\#(params)}"#
      return String(decoding: router.reply(to: Array(line.utf8), context: 7) ?? [], as: UTF8.self)
    }
    #expect(reply(8_000).contains("haptics.scheduleCurve: points has 8000 elements; it takes 1 to 256"))
    #expect(reply(256).contains("points[0] must be an object"))
  }
}

extension String {
  /// Without a look at the characters of `name`.
  fileprivate func replacingNAME(with name: String) -> String {
    guard let place = firstRange(of: "NAME") else { return self }
    return self[..<place.lowerBound] + name + self[place.upperBound...]
  }
}
