// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Testing
import Wire

@Suite struct ConnectionTests {
  let pair = SocketPair()
  var client: StarlightConnection { pair.client }

  @Test func aCallSendsOneLineAndGivesTheTypedResult() throws {
    pair.say(#"{"jsonrpc":"2.0","id":1,"result":{"scheduledUs":5,"lateUs":2,"plan":3}}"# + "\n")
    let result = try client.call(MusicStop.self, FadeParams(fadeUs: 7))
    #expect(result == MusicScheduled(scheduledUs: 5, lateUs: 2, plan: 3))
    #expect(pair.heard() == #"{"jsonrpc":"2.0","id":1,"method":"music.stop","params":{"fadeUs":7}}"# + "\n")
  }

  /// As a program has one that is just being started by another thread.
  @Test func theDaemonLearnsAtOnceOfOneThatEndsThoughACopyOfItIsOpen() throws {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    defer { close(ends[1]) }
    var client: StarlightConnection? = StarlightConnection(adopting: ends[0])
    let copy = dup(ends[0])
    defer { close(copy) }
    _ = try client?.send(SettingsGet.self, Empty())
    client = nil
    var buffer = [UInt8](repeating: 0, count: 1_024)
    #expect(recv(ends[1], &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0)
    #expect(recv(ends[1], &buffer, buffer.count, Int32(MSG_DONTWAIT)) == 0)
  }

  @Test func aRawCallGivesTheResultsBytes() throws {
    pair.say(#"{"jsonrpc":"2.0","id":1,"result": [1, 2] }"# + "\n")
    let result = try client.call(method: "any.thing", params: Array(#"{"a":1}"#.utf8))
    #expect(String(decoding: result, as: UTF8.self) == "[1, 2]")
    #expect(pair.heard() == #"{"jsonrpc":"2.0","id":1,"method":"any.thing","params":{"a":1}}"# + "\n")
  }

  @Test func pipelinedRequestsAreMatchedById() throws {
    pair.say(#"{"id":2,"result":{"music":false,\#(otherSettings)}}"# + "\n")
    pair.say(#"{"id":1,"result":{"music":true,\#(otherSettings)}}"# + "\n")
    let first = try client.send(SettingsGet.self, Empty())
    let second = try client.send(SettingsGet.self, Empty())
    #expect(try client.result(of: SettingsGet.self, id: first).music)
    #expect(try !client.result(of: SettingsGet.self, id: second).music)
  }

  @Test func notificationsThatComeDuringACallAreKeptInOrder() throws {
    for seq in 1...2 {
      let params = #"{"seq":\#(seq),"tUs":1\#(seq),"beat":4,"run":1}"#
      pair.say(#"{"jsonrpc":"2.0","method":"rhythm.beat","params":\#(params)}"# + "\n")
    }
    pair.say(#"{"id":1,"result":{"music":true,\#(otherSettings)}}"# + "\n")
    _ = try client.call(SettingsGet.self, Empty())
    let first = try #require(try client.nextNotification(timeoutUs: 0))
    #expect((first.method, first.seq, first.tUs) == ("rhythm.beat", 1, 11))
    #expect(try first.decode(as: RhythmBeat.self)?.beat == 4)
    #expect(try first.decode(as: RhythmAssist.self) == nil)
    #expect(try client.nextNotification(timeoutUs: 0)?.seq == 2)
    #expect(try client.nextNotification(timeoutUs: 0) == nil)
  }

  @Test func aLineMayComeInPieces() throws {
    pair.say(#"{"jsonrpc":"2.0","method":"rhythm.beat","#)
    #expect(try client.nextNotification(timeoutUs: 0) == nil)
    pair.say(#""params":{"seq":1,"tUs":2,"beat":4}}"# + "\n")
    #expect(try client.nextNotification(timeoutUs: 0)?.tUs == 2)
  }

  @Test func theDaemonsErrorIsThrownWithItsHint() throws {
    pair.say(
      #"{"id":1,"error":{"code":-32010,"message":"no sound x","data":{"kind":"unknownName","hint":"see pack.list"}}}"#
        + "\n")
    let error = #expect(throws: ClientError.self) { try client.call(SoundPlay.self, .init(sound: "x")) }
    #expect(error?.message == "no sound x (see pack.list)")
    #expect(error?.kind == .rpc(RPCError(.unknownName, "no sound x", hint: "see pack.list")))
  }

  @Test func silenceIsATimeout() {
    let error = #expect(throws: ClientError.self) { try client.call(SettingsGet.self, Empty(), timeoutUs: 0) }
    #expect(error?.kind == .timedOut)
  }

  @Test func aLineWithoutAReadableIdIsAnsweredInItsTurn() throws {
    let tooLong = #"{"id":null,"error":{"code":-32000,"message":"too long","data":{"kind":"lineTooLong"}}}"# + "\n"
    let settings =
      #"{"id":1,"result":{"music":true,\#(otherSettings)}}"# + "\n"
    pair.say(settings + tooLong + settings.replacing("\"id\":1", with: "\"id\":3"))
    let first = try client.send(SettingsGet.self, Empty())
    let long = try client.send(method: "haptics.play", params: Array("{}".utf8))
    let third = try client.send(SettingsGet.self, Empty())
    let error = #expect(throws: ClientError.self) { try client.result(id: long, timeoutUs: 0) }
    #expect(error?.kind == .rpc(RPCError(.lineTooLong, "too long")))
    #expect(try client.result(of: SettingsGet.self, id: first, timeoutUs: 0).music)
    #expect(try client.result(of: SettingsGet.self, id: third, timeoutUs: 0).music)
    #expect(client.takeFarewell() == nil)
  }

  @Test func whatIsSaidOfALineSentAsItIsBelongsToNoRequest() throws {
    pair.say(#"{"id":null,"error":{"code":-32700,"message":"no JSON","data":{"kind":"parse"}}}"# + "\n")
    try client.send(line: Array("nonsense".utf8))
    let request = try client.send(SettingsGet.self, Empty())
    #expect(throws: ClientError.self) { try client.result(id: request, timeoutUs: 0) }
    #expect(client.takeFarewell()?.data.kind == "parse")
  }

  @Test func aHangUpIsTold() {
    pair.hangUp()
    let error = #expect(throws: ClientError.self) { try client.call(SettingsGet.self, Empty()) }
    #expect(error?.kind == .closed)
  }

  @Test func whatTheDaemonSaidBeforeHangingUpIsTheReason() {
    pair.say(
      #"{"id":null,"error":{"code":-32002,"message":"64 clients are connected","data":{"kind":"tooManyClients"}}}"#
        + "\n"
    )
    pair.hangUp()
    let error = #expect(throws: ClientError.self) { try client.call(SettingsGet.self, Empty()) }
    #expect(error?.kind == .rpc(RPCError(.tooManyClients, "64 clients are connected")))
  }

  @Test func nonsenseIsAProtocolViolation() {
    pair.say("hello\n")
    let error = #expect(throws: ClientError.self) { try client.call(SettingsGet.self, Empty()) }
    #expect(error?.kind == .protocolViolation)
  }

  @Test func aResultOfAnotherShapeIsAProtocolViolation() {
    pair.say(#"{"id":1,"result":{}}"# + "\n")
    let error = #expect(throws: ClientError.self) { try client.call(SettingsGet.self, Empty()) }
    #expect(error?.kind == .protocolViolation)
  }
}

/// The rest of all settings, as a daemon writes them.
private let otherSettings =
  #""sound":true,"haptics":true,"masterVolume":1,"musicVolume":1,"soundVolume":1,"voiceVolume":1,"hapticsVolume":1,"#
  + #""profile":"player","judgingOffsetUs":0,"profiles":[]"#
