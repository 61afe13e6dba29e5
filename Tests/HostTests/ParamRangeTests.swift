// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

/// What `rpc.discover` says of params is what the daemon does.
@Suite struct ParamRangeTests {
  /// Params that are accepted; `player` and `track` are there by then.
  fileprivate static let accepted: [String: String] = [
    "music.play": #"{"track":"main"}"#, "music.stop": "{}", "music.pause": "{}", "music.resume": "{}",
    "music.seek": #"{"positionUs":0}"#, "music.gain": "{}", "music.gain fadeUs": #"{"gain":1}"#,
    "sound.play": #"{"sound":"sfx_click"}"#, "sound.set": #"{"id":1,"gain":1}"#, "sound.stop": "{}",
    "haptics.play": #"{"ahap":{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":0}}]}}"#,
    "haptics.transient": "{}", "haptics.continuous": #"{"durationUs":1000}"#,
    "haptics.seek": #"{"player":1,"positionUs":0}"#, "haptics.set": #"{"player":1}"#, "haptics.gain": "{}",
    "haptics.sendParameters": #"{"player":1}"#,
    "haptics.scheduleCurve": #"{"player":1,"control":"sharpness","points":[{"timeUs":0,"value":0}]}"#,
    "cue.fire": #"{"cue":"go"}"#, "cue.fire afterUs": #"{"cue":"go","after":"no"}"#, "cue.stop": #"{"id":1}"#,
    "parameter.set": #"{"parameter":"low","value":0.5}"#,
    "rhythm.tap": "{}", "settings.set": "{}",
    "settings.set profiles.0.judgingOffsetUs": #"{"profiles":[{"profile":"tv","judgingOffsetUs":0}]}"#,
    "rhythm.start": #"{"chapter":"one"}"#, "rhythm.resume": "{}", "rhythm.takeOver": "{}",
    "devices.set": #"{"device":"none"}"#, "trace.read": "{}",
  ]

  /// The server's own methods.
  private static let elsewhere: Set = ["session.hello", "engine.stats"]

  fileprivate static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}, "finale": {"file": "finale.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "cues": {"go": {"steps": [{"at": 0, "sound": "sfx_click"}]}},
     "parameters": {"low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}},
     "chapters": {"one": {"track": "main", "title": "One", "length": 2, "beats": [{"at": 1}]}}}
    """

  static let ranged = Described.all.filter { $0.schema["minimum"] != nil }

  @Test func everyRangedFieldOfEveryMethodIsFound() {
    // One of each shape.
    #expect(
      Set(Self.ranged.map(\.testDescription)).isSuperset(of: [
        "sound.play pitch", "music.pause fadeUs", "haptics.scheduleCurve points.0.value", "rhythm.tap agoUs",
      ]))
    #expect(Set(Self.ranged.map(\.method)).subtracting(Self.accepted.keys) == Self.elsewhere)
  }

  @Test(arguments: ranged.filter { !elsewhere.contains($0.method) })
  func theLimitsAreAcceptedAndWhatIsBeyondThemIsNot(_ field: Described) throws {
    let isWhole = field.schema["type"] == .string("integer")
    let rig = try Rig()
    for (end, step) in [("minimum", -1), ("maximum", 1)] {
      guard let limit = field.schema[end] else { continue }
      let within = try rig.ask(field, limit)
      #expect(!within.contains("-32602"), "\(end): \(within)")
      let beyond: JSONValue =
        switch limit {
        case .integer(let value): isWhole ? .integer(value + Int64(step)) : .number(Double(value) + Double(step) * 1e-3)
        case .number(let value): .number(value + Double(step) * 1e-3)
        default: .null
        }
      let refused = try rig.ask(field, beyond)
      #expect(refused.contains("-32602") && refused.contains("is outside"), "beyond \(end): \(refused)")
    }
    if isWhole, field.schema["maximum"] == nil {
      let farthest = try rig.ask(field, .integer(.max))
      #expect(!farthest.contains("-32603"), "\(farthest)")
    }
    guard let value = field.schema["default"] else { return }
    let answer = try rig.ask(field, value)
    #expect(!answer.contains("-32602"), "default: \(answer)")
  }

  /// 4 times a pack's 0.3, rounded to a float and divided again, is a little more than 4.
  @Test func aTrackAtItsLoudestCanBeSoughtIn() throws {
    let rig = try HostRig(
      manifest: Self.manifest.replacing(#""file": "main.wav""#, with: #""file": "main.wav", "gain": 0.3"#))
    _ = rig.ask("music.play", #"{"track":"main","gain":4}"#)
    rig.step(microseconds: 100_000)
    let sought = rig.ask("music.seek", #"{"positionUs":1000000}"#)
    #expect(sought.contains(#""positionUs":1000000"#), "\(sought)")
  }

  @Test func aDefaultIsWhatTheFieldsTypeTakes() throws {
    for method in array(object(openRPCDocument(version: "1"))["methods"]) {
      for param in array(object(method)["params"]) {
        let schema = object(object(param)["schema"])
        guard let value = schema["default"] else { continue }
        #expect(object(param)["required"] == .bool(false))
        let kind =
          switch value {
          case .bool: "boolean"
          case .integer: text(schema["type"])
          case .number: "number"
          case .string: "string"
          case .array: "array"
          default: "?"
          }
        #expect(schema["type"] == .string(kind), "\(text(object(method)["name"])) \(text(object(param)["name"]))")
      }
    }
  }

  /// A host with music, a chapter and a haptic player to be changed.
  private struct Rig {
    let host: HostRig

    init() throws {
      host = try HostRig(manifest: ParamRangeTests.manifest, seconds: 2.5)
      _ = host.ask("rhythm.start", #"{"chapter":"one"}"#)
      host.step(microseconds: 1_500_000)
      let player = host.ask("haptics.continuous", #"{"durationUs":30000000}"#)
      try #require(player.contains(#""player":1,"#) || player.contains(#""player":1}"#), "\(player)")
      host.step(microseconds: 100_000)
    }

    private func accepted(_ field: Described) -> String? {
      ParamRangeTests.accepted[field.testDescription] ?? ParamRangeTests.accepted[field.method]
    }

    func ask(_ field: Described, _ value: JSONValue) throws -> String {
      let params = try decodeJSON(
        JSONValue.self, from: Array((accepted(field) ?? "").utf8)[...])
      let asked = String(decoding: try encodeJSON(setting(params, field.path[...], value)), as: UTF8.self)
      return host.ask(field.method, asked)
    }
  }
}
