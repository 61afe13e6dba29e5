// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing

@Suite struct AHAPSyntaxTests {
  /// A text that is refused: where, with which code, and a word of the remedy.
  struct Refused: Sendable, CustomTestStringConvertible {
    var text: String
    var place: String
    var code: String
    var remedy: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Refused(text: "", place: "1:1", code: "empty", remedy: "Pattern"),
    Refused(text: "  \n", place: "2:1", code: "empty", remedy: "Pattern"),
    Refused(text: "{\"a\":1", place: "1:7", code: "truncated", remedy: "restore"),
    Refused(text: "{\"a\":\n \"b", place: "2:2", code: "truncated", remedy: "close it with a double quote"),
    Refused(text: "{\"a\" 1}", place: "1:6", code: "syntax", remedy: ":"),
    Refused(text: "{\"é\", 1}", place: "1:5", code: "syntax", remedy: ":"),
    Refused(text: "[,]", place: "1:2", code: "syntax", remedy: "a value"),
    Refused(text: "[1,,]", place: "1:4", code: "syntax", remedy: "a value"),
    Refused(text: "[1 2]", place: "1:4", code: "syntax", remedy: ", or ]"),
    Refused(text: "{a:1}", place: "1:2", code: "syntax", remedy: "in quotes"),
    Refused(text: "{'a':1}", place: "1:2", code: "syntax", remedy: "double quotes"),
    Refused(text: "[1] 2", place: "1:5", code: "syntax", remedy: "remove it"),
    Refused(text: "[1, // one\n2]", place: "1:5", code: "syntax", remedy: "comment"),
    Refused(text: "[NaN]", place: "1:2", code: "syntax", remedy: "a number"),
    Refused(text: "[.5]", place: "1:2", code: "syntax", remedy: "a value"),
    Refused(text: "[5.]", place: "1:4", code: "syntax", remedy: "5.0"),
    Refused(text: "[05]", place: "1:2", code: "syntax", remedy: "5 for 05"),
    Refused(text: "[-]", place: "1:3", code: "syntax", remedy: "0.5"),
    Refused(text: "[1e]", place: "1:4", code: "syntax", remedy: "0.5"),
    Refused(text: "[tru]", place: "1:2", code: "syntax", remedy: "a value"),
    Refused(text: "[\"\\x\"]", place: "1:4", code: "syntax", remedy: "\\\\"),
    Refused(text: "[\"\\u12g4\"]", place: "1:4", code: "syntax", remedy: "\\u00e9"),
    Refused(text: "[\"a\tb\"]", place: "1:4", code: "syntax", remedy: "\\u"),
  ]) func textThatIsNotJSONIsRefusedAtItsPlace(_ refused: Refused) {
    let bytes = Array(refused.text.utf8)
    do {
      _ = try AHAPDocument.parse(bytes, name: "x.ahap")
      Issue.record("read")
    } catch {
      #expect("\(error.line):\(error.column)" == refused.place)
      #expect(error.code == refused.code)
      #expect(error.remedy.contains(refused.remedy), "\(error.remedy)")
    }
  }

  @Test func depthIsBounded() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let diagnostic = AHAPLint.check(bytes, name: "deep")[0]
    #expect(diagnostic.code == "too-deep")
    #expect(diagnostic.column == 33)
  }

  @Test func filesBeyondTheBoundAreRefusedUnread() {
    let bytes = [UInt8](repeating: 0x20, count: AHAPLimits.bytes + 1)
    #expect(throws: AHAPError.self) { try AHAPDocument.parse(bytes, name: "large") }
    #expect(AHAPLint.check(bytes, name: "large").map(\.code) == ["too-large"])
  }

  @Test func bytesThatAreNotUTF8AreRefusedAtTheirPlace() throws {
    let text = Array("{\n \"é\": \"".utf8) + [0xC3, 0x28]
    let diagnostic = AHAPLint.check(text, name: "x")[0]
    #expect(diagnostic.code == "not-utf8")
    let sound = try #require(
      AHAPLint.check(Array("RIFF".utf8) + [0xFF, 0xFF, 0, 0] + Array("WAVE".utf8), name: "sound").first)
    #expect(sound.code == "sound-file" && sound.fix.contains("starlight convert"))
    #expect(diagnostic.line == 2)
    #expect(diagnostic.column == 8)

    let wide = AHAPLint.check([0xFF, 0xFE, 0x7B, 0x00], name: "x")[0]
    #expect(wide.message.contains("UTF-16"))
    #expect(wide.fix.contains("iconv"))
  }

  @Test(arguments: [
    (#"{"Pattern":[],"\#(String(repeating: "k", count: 129))":1}"#, "too-long"),
    (#"{"Pattern":[{"Event":{"EventType":"\#(String(repeating: "\u{301}", count: 65))","Time":0}}]}"#, "too-long"),
    (
      #"{"Pattern":[{"Event":{"EventType":"AudioCustom","Time":0,"EventWaveformPath":"\#(String(repeating: "p", count: 256))"}}]}"#,
      "too-long"
    ),
    (
      #"{"Pattern":[{"Parameter":{"ParameterID":"\#(String(repeating: "i", count: 129))","Time":0,"ParameterValue":1}}]}"#,
      "too-long"
    ),
  ]) func whatIsLongerThanAnyNameIsRefusedBeforeItIsLookedFor(_ text: String, _ code: String) {
    #expect(AHAPLint.check(Array(text.utf8), name: "x").map(\.code).contains(code))
  }
}
