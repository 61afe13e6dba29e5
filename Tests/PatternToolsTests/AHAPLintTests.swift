// SPDX-License-Identifier: Apache-2.0

import Haptics
import PatternTools
import Testing
import Timing

@Suite struct AHAPLintTests {
  @Test func fixingWritesCanonicalTextAndKeepsWhatItDoesNotKnow() throws {
    let text = """
      {"Pattern":[
       {"Event":{"Time":0.50,"EventType":"HapticTransient","Note":{"by":"me","tags":[1,2]},
        "EventParameters":[{"ParameterID":"HapticIntensity","ParameterValue":1.50},
                           {"ParameterID":"HapticSharpness","ParameterValue":0.250},]}},
       {"Event":{"Time":0,"EventType":"HapticTransient","EventParameters":[]}}],
      "Metadata":{"Project":"\\u00e9"}}
      """
    let fixed = try AHAPLint.fix(Array(text.utf8), name: "x")
    #expect(
      fixed.text == """
        {
          "Version": 1.0,
          "Pattern": [
            { "Event": { "Time": 0, "EventType": "HapticTransient", "EventParameters": [] } },
            {
              "Event": {
                "Time": 0.50,
                "EventType": "HapticTransient",
                "Note": { "by": "me", "tags": [1, 2] },
                "EventParameters": [
                  { "ParameterID": "HapticIntensity", "ParameterValue": 1.0 },
                  { "ParameterID": "HapticSharpness", "ParameterValue": 0.250 }
                ]
              }
            }
          ],
          "Metadata": {
            "Project": "\\u00e9"
          }
        }

        """)
    #expect(Set(fixed.mended.map(\.code)) == ["missing-version", "trailing-comma", "unsorted-events", "out-of-range"])
    #expect(fixed.remaining.map(\.code) == ["missing-intensity", "missing-sharpness", "unknown-key"])
    // What is canonical stays as it is.
    #expect(try AHAPLint.canonical(Array(fixed.text.utf8), name: "x") == fixed.text)
  }

  @Test func whatIsLeftOutIsToldAsItWouldBeWritten() {
    let text = #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient"}}]}"#
    let fixes = AHAPLint.check(Array(text.utf8), name: "x").map(\.fix)
    #expect(
      fixes == [
        #"add {"ParameterID": "HapticIntensity", "ParameterValue": 0.75}, or what is wanted"#,
        #"add {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}, or what is wanted"#,
      ])
  }

  @Test func theDurationOfATransientIsRemoved() throws {
    let text =
      #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventDuration": 2e5, "#
      + #""EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 1}, "#
      + #"{"ParameterID": "HapticSharpness", "ParameterValue": 1}]}}]}"#
    let codes = AHAPLint.check(Array(text.utf8), name: "x").map(\.code)
    #expect(codes == ["out-of-range", "transient-duration"])
    let fixed = try AHAPLint.fix(Array(text.utf8), name: "x")
    #expect(fixed.remaining.isEmpty)
    #expect(!fixed.text.contains("EventDuration"))
    #expect(pattern(fixed.text).duration == HapticPattern.transientBody)
    // It is laid out as what is left of it wants.
    #expect(try AHAPLint.canonical(Array(fixed.text.utf8), name: "x") == fixed.text)
  }

  @Test(arguments: [
    ("", true), (#", "EventDuration": 2"#, false), (#", "EventWaveformUseVolumeEnvelope": false"#, true),
    (#", "EventParameters": [{"ParameterID": "Sustained", "ParameterValue": 0}]"#, false),
  ]) func aLoopWithoutAnEndIsWarnedOf(_ more: String, isWarned: Bool) {
    let text =
      #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "AudioCustom", "#
      + #""EventWaveformPath": "a.wav", "EventWaveformLoopEnabled": true"# + more + "}}]}"
    #expect(AHAPLint.check(Array(text.utf8), name: "x").map(\.code) == (isWarned ? ["loop-without-duration"] : []))
  }

  @Test func absolutePointsArePutWhereTheyWereMeant() throws {
    let fixed = try AHAPLint.fix(try fixture("absolute-points"), name: "x")
    let mended = pattern(fixed.text)
    // Over its second the event goes from 0 up to a half and down to a quarter.
    #expect(mended.level(at: .ms(1_000)) == .silence)
    #expect(isClose(mended.level(at: .ms(1_250)), 0.25, 0))
    #expect(isClose(mended.level(at: .ms(1_500)), 0.5, 0))
    #expect(isClose(mended.level(at: .ms(1_750)), 0.375, 0))
  }

  @Test func everyCurveOfAnAbsoluteFileIsMoved() throws {
    func curve(_ time: Double, _ points: [Double]) -> String {
      let list = points.map { "{\"Time\":\($0),\"ParameterValue\":0.5}" }.joined(separator: ",")
      return "{\"ParameterCurve\":{\"ParameterID\":\"HapticIntensityControl\",\"Time\":\(time),"
        + "\"ParameterCurveControlPoints\":[\(list)]}}"
    }
    let event = "{\"Event\":{\"Time\":0,\"EventType\":\"HapticContinuous\",\"EventDuration\":9,\"EventParameters\":[]}}"
    func codes(_ curves: [String]) -> Int {
      let text = "{\"Version\":1,\"Pattern\":[\(([event] + curves).joined(separator: ","))]}"
      return AHAPLint.check(Array(text.utf8), name: "x").filter { $0.code == "absolute-curve-points" }.count
    }
    // The first two stay within the event also when played as they are; the third gives them away.
    let early = [curve(0, [0, 1]), curve(1, [1, 2]), curve(2, [2, 3])]
    #expect(codes(early) == 0)
    #expect(codes(early + [curve(8, [8, 9])]) == 3)
    // One that counts from its own Time clears them all.
    #expect(codes(early + [curve(8, [8, 9]), curve(3, [0, 1])]) == 0)
  }

  @Test func unsortedPointsAreSorted() throws {
    let text = """
      {"Version":1,"Pattern":[{"Event":{"Time":0,"EventType":"HapticContinuous","EventDuration":1,"EventParameters":
      [{"ParameterID":"HapticIntensity","ParameterValue":1},{"ParameterID":"HapticSharpness","ParameterValue":0}]}},
      {"ParameterCurve":{"ParameterID":"HapticIntensityControl","Time":0,"ParameterCurveControlPoints":
      [{"Time":1,"ParameterValue":1},{"Time":0,"ParameterValue":0}]}}]}
      """
    let fixed = try AHAPLint.fix(Array(text.utf8), name: "x")
    #expect(fixed.mended.map(\.code) == ["unsorted-points"])
    #expect(fixed.remaining == [])
    for sample in [text, fixed.text] { #expect(isClose(pattern(sample).level(at: .ms(250)), 0.25, 0)) }
  }

  @Test func nearestNameIsSuggested() {
    let text = """
      {"Version":1,"Patern":[],"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransiant"}},
      {"ParameterCurve":{"ParameterID":"HapticIntensity","Time":0,"ParameterCurveControlPoints":[]}}]}
      """
    let messages = AHAPLint.check(Array(text.utf8), name: "x").map(\.message)
    #expect(messages.contains { $0.contains("did you mean Pattern?") })
    #expect(messages.contains { $0.contains("did you mean HapticTransient?") })
    #expect(messages.contains { $0.contains("did you mean HapticIntensityControl?") })
  }

  @Test func findingsReadLikeACompilers() throws {
    let diagnostic = try #require(AHAPLint.check(Array("{\"Version\":1,\n \"Pattern\":[],}".utf8), name: "a.ahap").last)
    #expect(
      diagnostic.text(name: "a.ahap")
        == "a.ahap:2:14: warning: a comma before a closing bracket is not JSON [trailing-comma]")
  }

  @Test(arguments: [
    ("[]", "not-an-object"), ("{}", "no-pattern"), ("{\"Pattern\":{}}", "no-pattern"), ("nul", "syntax"),
  ]) func fileWithoutAPatternIsAnError(_ text: String, _ code: String) {
    let diagnostics = AHAPLint.check(Array(text.utf8), name: "x")
    #expect(diagnostics.map(\.code) == [code])
    #expect(diagnostics.map(\.severity) == [.error])
    #expect(throws: AHAPError.self) { try AHAPLint.fix(Array(text.utf8), name: "x") }
  }

  @Test func numberTooLargeForAnyComputerIsAnErrorAndIsClamped() throws {
    let text = "{\"Version\":1,\"Pattern\":[{\"Event\":{\"Time\":1e999,\"EventType\":\"HapticTransient\"}}]}"
    let (document, diagnostics) = try AHAPDocument.parse(Array(text.utf8), name: "x")
    #expect(document.events.map(\.time) == [86_400])
    #expect(diagnostics.filter { $0.severity == .error }.map(\.code) == ["number-too-large"])
  }

  @Test func metadataIsKept() throws {
    let text = "{\"Version\":1.5,\"Metadata\":{\"Project\":\"P\",\"Year\":2021,\"More\":{\"a\":[1]}},\"Pattern\":[]}"
    let document = try AHAPDocument.parse(Array(text.utf8), name: "x").document
    #expect(document.version == 1.5)
    #expect(
      document.metadata == [
        AHAPMetadata(key: "Project", value: "P"), AHAPMetadata(key: "Year", value: "2021"),
        AHAPMetadata(key: "More", value: "{\"a\":[1]}"),
      ])
  }

  private func codes(_ text: String) -> [String] {
    AHAPLint.check(Array(text.utf8), name: "x").map(\.code)
  }

  private static let strength =
    "{\"ParameterID\":\"HapticIntensity\",\"ParameterValue\":1},{\"ParameterID\":\"HapticSharpness\",\"ParameterValue\":1}"

  @Test(arguments: [
    "{\"Version\":1,\"Pattern\":[{\"Event\":{\"Time\":0,\"EventType\":\"HapticContinuous\",\"EventDuration\":\"1\","
      + "\"EventParameters\":[\(strength)]}}]}",
    "{\"Version\":1,\"Pattern\":[{\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\",\"EventParameters\":3}}]}",
    "{\"Version\":1,\"Pattern\":[{\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\",\"EventParameters\":"
      + "[\(strength),{\"ParameterID\":3}]}}]}",
    "{\"Version\":1,\"Pattern\":[{\"Parameter\":{\"Time\":0,\"ParameterID\":\"HapticIntensityControl\","
      + "\"ParameterValue\":\"1\"}},{\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\",\"EventParameters\":[\(strength)]}}]}",
    "{\"Version\":\"1\",\"Pattern\":[{\"Event\":{\"Time\":0,\"EventType\":\"HapticTransient\","
      + "\"EventParameters\":[\(strength)]}}]}",
  ]) func aValueOfTheWrongTypeIsOneFinding(_ text: String) {
    #expect(codes(text) == ["wrong-type"])
  }

  @Test func theParametersOfAnUnknownEventAreReadToo() {
    let text =
      "{\"Version\":1,\"Pattern\":[{\"Event\":{\"Time\":0,\"EventType\":\"Xyzzy\",\"EventParameters\":"
      + "[{\"ParameterID\":\"Plugh\",\"ParameterValue\":1}]}}]}"
    #expect(codes(text) == ["unknown-event-type", "unknown-parameter"])
  }

  @Test func ourOwnLimitsAreNotLaidAtApplesDoor() {
    let late =
      "{\"Version\":1,\"Pattern\":[{\"Event\":{\"Time\":1e9,\"EventType\":\"HapticTransient\","
      + "\"EventParameters\":[\(Self.strength)]}}]}"
    let deep = String(repeating: "[", count: 10_000)
    for (text, code) in [(late, "out-of-range"), (deep, "too-deep")] {
      let found = AHAPLint.check(Array(text.utf8), name: "x")
      #expect(found.map(\.code) == [code])
      #expect(found.map(\.appleBehaviour) == [""])
    }
  }
}
