// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

/// What a client sent comes back in the message that refuses it, and only so much of it that it can be known again.
@Suite struct EchoedNamesTests {
  /// What else a method wants, so that what is looked at is the name.
  private static let beside: [String: String] = [
    "devices.set": #"{"gain":1}"#, "parameter.set": #"{"value":1}"#, "music.gain": #"{"gain":1}"#,
    "music.play quantise": #"{"track":"main"}"#, "cue.fire": #"{"cue":"go"}"#, "rhythm.start": #"{"chapter":"one"}"#,
    "haptics.play device": #"{"ahap":{"Pattern":[]}}"#, "rhythm.bind": #"{"control":"BTN_SOUTH"}"#,
    "parameter.set quantise": #"{"parameter":"low","value":1}"#,
    "settings.set": #"{"profiles":[{"judgingOffsetUs":1}]}"#,
    "haptics.scheduleCurve": #"{"player":1,"points":[{"timeUs":0,"value":0}]}"#,
  ]

  /// Fields that hold any text, by which nothing is looked for, or what comes behind it.
  private static let taken: Set = [
    "cue.fire tag", "cue.list after", "parameter.list after", "rhythm.bind lane", "settings.set profile",
    "settings.set profiles.0.profile",
  ]

  /// The server's own methods.
  private static let elsewhere: Set = ["session.hello", "events.subscribe", "events.unsubscribe"]

  private static let texts = Described.all.filter {
    $0.schema["type"] == .string("string") && !elsewhere.contains($0.method)
  }

  @Test func everyTextOfEveryMethodIsLookedAt() {
    #expect(
      Set(Self.texts.map(\.testDescription)).isSuperset(of: [
        "sound.play sound", "pack.load path", "rhythm.bind control", "settings.set profiles.0.profile",
      ]))
  }

  @Test(arguments: texts, ["names", "names with a pack", "wide", "names of a path's length"])
  func noMessageHoldsMoreThan64BytesOfWhatWasSent(_ field: Described, _ kind: String) throws {
    let long =
      switch kind {
      case "names": String(repeating: "q", count: 128)
      case "names with a pack": String(repeating: "q", count: 63) + ":" + String(repeating: "q", count: 64)
      case "wide": String(repeating: "\u{151}", count: 64)
      default: String(repeating: "q", count: 900)
      }
    let rig = try Self.rig()
    let params = try decodeJSON(
      JSONValue.self,
      from: Array((Self.beside[field.testDescription] ?? Self.beside[field.method] ?? "{}").utf8)[...])
    let sent = setting(params, field.path[...], .string(long))
    let reply = rig.ask(field.method, String(decoding: try encodeJSON(sent), as: UTF8.self))
    guard case .reply(_, .failure(let error))? = ServerMessage(line: Array(reply.utf8)) else {
      #expect(Self.taken.contains(field.testDescription), "is taken: \(reply)")
      return
    }
    for text in [error.message, error.data.hint ?? ""] { #expect(Self.longestEcho(in: text) <= 64, "\(text)") }
  }

  @Test(arguments: [
    #"{"Pattern":[{"Event":{"EventType":"AudioCustom","Time":0,"EventWaveformPath":"NAME"}}]}"#,
    #"{"Pattern":[{"Event":{"EventType":"NAME","Time":0}}]}"#, #"{"NAME":[]}"#, #"{"Pattern":"NAME"}"#,
  ])
  func noMessageHoldsMoreOfAnInlinePattern(_ document: String) throws {
    let ahap = Self.filled(document)
    try expectCut(try Self.rig().ask("haptics.play", #"{"ahap":\#(ahap)}"#))
  }

  @Test(arguments: [
    #"{"beats":[{"at":1,"lane":"NAME"}]}"#, #"{"beats":[{"at":"NAME"}]}"#, #"{"beats":[{"at":1,"NAME":1}]}"#,
    #"{"NAME":[]}"#, #"{"beats":"NAME"}"#,
  ])
  func noMessageHoldsMoreOfAnInlineMap(_ document: String) throws {
    let map = Self.filled(document)
    try expectCut(try Self.rig().ask("rhythm.start", #"{"chapter":"one","map":\#(map)}"#))
  }

  /// A path from / on is answered with its problem, which is of the whole path.
  @Test func aPathThatHoldsAByteOfZeroIsCut() throws {
    try expectCut(
      try Self.rig().ask("pack.load", #"{"path":"/\u0000\#(String(repeating: "q", count: 900))"}"#))
    try expectCut(try Self.rig().ask("pack.load", #"{"path":"\#(String(repeating: "q", count: 900))"}"#))
  }

  /// A member has a name's length at most, any other text a path's.
  private static func filled(_ document: String) -> String {
    document.replacing("\"NAME\":", with: "\"" + String(repeating: "q", count: 120) + "\":")
      .replacing("NAME", with: String(repeating: "q", count: 900))
  }

  private func expectCut(_ reply: String) throws {
    guard case .reply(_, .failure(let error))? = ServerMessage(line: Array(reply.utf8)) else {
      #expect(Self.longestEcho(in: reply) <= 64, "\(reply)")
      return
    }
    #expect(Self.longestEcho(in: error.message) <= 64, "\(error.message)")
  }

  /// The most bytes of one stretch of what was sent.
  private static func longestEcho(in text: String) -> Int {
    text.matches(of: #/[q\u{151}:]+/#).map { $0.output.utf8.count }.max() ?? 0
  }

  private static func rig() throws -> HostRig {
    let controls = FakeControls()
    controls.plug(.pad())
    let rig = try HostRig(manifest: manifest, configure: { $0.controls = controls })
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    return rig
  }

  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav", "bpm": 120}, "finale": {"file": "finale.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "cues": {"go": {"steps": [{"at": 0, "sound": "sfx_click"}]}},
     "parameters": {"low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}},
     "chapters": {"one": {"track": "main", "title": "One", "length": 2, "beats": [{"at": 1}]}}}
    """
}
