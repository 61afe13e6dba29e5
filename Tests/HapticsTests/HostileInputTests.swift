// SPDX-License-Identifier: Apache-2.0

import Haptics
import PatternTools
import SeededNumbers
import Testing
import Timing

/// No file may do harm, however broken: these end in an error or a pattern, and end soon.
@Suite struct HostileInputTests {
  private static let names = [
    "trailing-commas", "out-of-range", "unknown-names", "absolute-points", "audio", "windows",
  ]

  @Test(arguments: names) func filesCutShortAreRefused(_ name: String) throws {
    let bytes = try fixture(name)
    for length in stride(from: 0, to: bytes.count, by: 3) { tryOut(Array(bytes[..<length])) }
  }

  @Test(arguments: names) func filesWithAWrongByteAreRefusedOrRead(_ name: String) throws {
    let bytes = try fixture(name)
    var random = SeededRandom(seed: 7)
    for index in bytes.indices where index % 2 == 0 {
      var broken = bytes
      broken[index] = Bool.random(using: &random) ? UInt8(ascii: "9") : UInt8(truncatingIfNeeded: random.next())
      tryOut(broken)
    }
  }

  @Test func valuesOfEveryKindMayStandInEveryPlace() throws {
    let keys = [
      "Version", "Metadata", "Pattern", "Event", "Parameter", "ParameterCurve", "Time", "EventType", "EventDuration",
      "EventParameters", "ParameterID", "ParameterValue", "ParameterCurveControlPoints", "EventWaveformPath",
    ]
    let values = ["null", "true", "-1e308", "1e999", "\"x\"", "[]", "{}", "[null]", "[{}]", "[[[]]]"]
    let text = String(decoding: try fixture("absolute-points"), as: UTF8.self)
    for key in keys {
      for value in values { tryOut(Array(text.replacing("\"\(key)\":", with: "\"\(key)\": \(value), \"\":").utf8)) }
    }
    tryOut(Array("{\"Pattern\":[{\"Event\":{\"Time\":1e308,\"EventType\":\"HapticTransient\"}}]}".utf8))
  }

  @Test func listsOfFindingsAreBounded() {
    let commas = "{\"Pattern\":[" + String(repeating: "[0,],", count: 5_000) + "]}"
    let diagnostics = AHAPLint.check(Array(commas.utf8), name: "x")
    #expect(diagnostics.count <= 2 * AHAPLimits.diagnostics + 1)
    #expect(diagnostics.last?.code == "more-findings")
  }

  private func tryOut(_ bytes: [UInt8]) {
    guard let (document, diagnostics) = try? AHAPDocument.parse(bytes, name: "x") else {
      #expect(AHAPLint.check(bytes, name: "x").map(\.severity) == [.error])
      return
    }
    let pattern = HapticPattern(document)
    #expect(pattern.duration >= .zero)
    #expect(pattern.level(at: pattern.duration) == .silence)
    let level = pattern.level(at: .zero)
    #expect((0...1).contains(level.intensity) && (0...1).contains(level.sharpness))
    if diagnostics.contains(where: \.isFixable), let fixed = try? AHAPLint.fix(bytes, name: "x") {
      #expect(fixed.remaining.filter(\.isFixable) == [])
    }
  }

  @Test func aCurveOfMorePointsThanAreReadIsRefusedWhereItIs() {
    func read(_ count: Int) -> AHAPError? {
      let points = (0..<count).map { #"{"Time": \#(Double($0) / 1_000), "ParameterValue": 0.5}"# }
      let text = """
        {"Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient"}},
         {"ParameterCurve": {"ParameterID": "HapticIntensityControl", "Time": 0,
          "ParameterCurveControlPoints": [\(points.joined(separator: ","))]}}]}
        """
      do throws(AHAPError) {
        _ = try AHAPDocument.parse(Array(text.utf8), name: "x")
        return nil
      } catch { return error }
    }
    #expect(read(AHAPLimits.curvePoints) == nil)
    let refused = read(AHAPLimits.curvePoints + 1)
    #expect(refused?.code == "too-many-points" && refused?.line == 3)
    #expect(refused?.problem.kind == .tooLarge)
  }

  @Test func moreEventsAtOnceThanCanBeAskedAreRefusedByTheFirstTooMany() {
    func read(_ count: Int, lasting duration: Double, every spacing: Double, _ more: String = "") -> AHAPError? {
      let events = (0..<count).map {
        #"{"Event": {"Time": \#(Double($0) * spacing), "EventType": "HapticContinuous", "EventDuration": \#(duration)\#(more)}}"#
      }
      let text = "{\"Pattern\": [\n" + events.joined(separator: ",\n") + "]}"
      do throws(AHAPError) {
        _ = try AHAPDocument.parse(Array(text.utf8), name: "x")
        return nil
      } catch { return error }
    }
    #expect(read(64, lasting: 1, every: 0.001) == nil)
    let refused = read(80, lasting: 1, every: 0.001)
    #expect(refused?.code == "too-many-at-once" && refused?.line == 66)
    #expect(refused?.problem.kind == .tooLarge)
    // One after the other they may be any number; a release is part of an event.
    #expect(read(1_000, lasting: 0.01, every: 0.01) == nil)
    let release = #", "EventParameters": [{"ParameterID": "ReleaseTime", "ParameterValue": 1}]"#
    #expect(read(1_000, lasting: 0.01, every: 0.01, release)?.code == "too-many-at-once")
  }
}
