// SPDX-License-Identifier: Apache-2.0

import Haptics
import PatternTools
import Testing
import Timing

/// What a file of `Fixtures` is to come to, written down by hand.
struct Expected: Sendable, CustomTestStringConvertible {
  var file: String
  var events: Int
  var seconds: Double
  var peak: Float
  /// "line:column severity code", in the order of the text.
  var diagnostics: [String] = []
  var testDescription: String { file }
}

private let table: [Expected] = [
  Expected(
    file: "trailing-commas", events: 1, seconds: 0.02, peak: 0.9,
    diagnostics: [
      "4:36 warning trailing-comma", "12:68 warning trailing-comma", "13:70 warning trailing-comma",
      "14:10 warning trailing-comma", "15:8 warning trailing-comma", "16:6 warning trailing-comma",
      "17:4 warning trailing-comma",
    ]),
  Expected(
    file: "out-of-order", events: 3, seconds: 0.52, peak: 0.8, diagnostics: ["7:5 note unsorted-events"]),
  // Two taps at once, 0.75 by default and 0.25: the stronger counts.
  Expected(
    file: "missing-entries", events: 4, seconds: 0.5, peak: 0.75,
    diagnostics: [
      "4:16 note missing-intensity", "4:16 note missing-sharpness", "5:16 note missing-time",
      "5:16 note missing-sharpness", "7:16 note missing-intensity", "7:16 note missing-sharpness",
      "8:16 warning missing-duration", "8:16 note missing-intensity", "9:7 note missing-value",
    ]),
  // A tap of 1.5 is one of 1, on a rumble of 0.5: full strength. 45 s are 30.
  Expected(
    file: "out-of-range", events: 2, seconds: 30, peak: 1,
    diagnostics: [
      "4:81 warning out-of-range", "6:61 warning out-of-range", "7:26 warning out-of-range",
      "8:61 warning out-of-range", "10:81 warning out-of-range",
    ]),
  // The waveform of unknown length begins at 0.25 s; the tone ends at 0.75 s. The one without a path is not played.
  Expected(
    file: "audio", events: 3, seconds: 0.75, peak: 0.4,
    diagnostics: ["6:24 note no-effect", "7:80 note null-value", "7:80 warning missing-waveform"]),
  Expected(
    file: "unknown-names", events: 1, seconds: 0.1, peak: 0.6,
    diagnostics: [
      "3:3 warning unknown-key", "5:16 note missing-intensity", "5:64 warning unknown-key",
      "7:26 warning unknown-parameter", "8:68 warning unknown-key", "9:26 warning misplaced-parameter",
      "10:44 error unknown-event-type", "11:42 warning misplaced-parameter", "13:7 warning unknown-key",
    ]),
  // Played as written: the curve begins when the event has ended.
  Expected(
    file: "absolute-points", events: 1, seconds: 2, peak: 1, diagnostics: ["7:112 warning absolute-curve-points"]),
  // Looks like it, and is not: the curve ends with its event.
  Expected(file: "late-first-point", events: 1, seconds: 0.8, peak: 0.8),
  Expected(file: "no-version", events: 1, seconds: 0.02, peak: 1, diagnostics: ["1:1 note missing-version"]),
  Expected(
    file: "windows", events: 1, seconds: 1, peak: 0.1,
    diagnostics: [
      "1:1 note byte-order-mark", "1:14 error duplicate-key", "2:126 note boolean-for-number",
      "3:2 warning unknown-key",
    ]),
]

@Suite struct FixtureTests {
  @Test(arguments: table) func oddFilesPlayAsWrittenDownByHand(_ expected: Expected) throws {
    let bytes = try fixture(expected.file)
    let (document, diagnostics) = try AHAPDocument.parse(bytes, name: expected.file)
    let pattern = HapticPattern(document)

    #expect(pattern.eventCount == expected.events)
    #expect(pattern.duration == .seconds(expected.seconds))
    let peak = pattern.changes().map(\.level.intensity).max() ?? 0
    #expect(abs(peak - expected.peak) < 1e-6)
    #expect(
      diagnostics.map { "\($0.line):\($0.column) \($0.severity.rawValue) \($0.code)" } == expected.diagnostics)
  }

  @Test(arguments: table) func everyFindingSaysWhatAppleDoesAndWhatToDo(_ expected: Expected) throws {
    for diagnostic in AHAPLint.check(try fixture(expected.file), name: expected.file) {
      #expect(!diagnostic.message.isEmpty)
      #expect(!diagnostic.appleBehaviour.isEmpty)
      #expect(!diagnostic.fix.isEmpty)
    }
  }

  @Test(arguments: table) func fixingLeavesNothingToFixAndLosesNoEvent(_ expected: Expected) throws {
    let bytes = try fixture(expected.file)
    let fixed = try AHAPLint.fix(bytes, name: expected.file)
    let fixable = expected.diagnostics.filter { diagnostic in
      fixableCodes.contains(where: diagnostic.hasSuffix)
    }
    #expect(fixed.mended.count == fixable.count)
    #expect(fixed.remaining.count == expected.diagnostics.count - fixable.count)
    #expect(fixed.remaining.filter(\.isFixable) == [])
    #expect(pattern(fixed.text).eventCount == expected.events)
    if fixable.isEmpty { #expect(Array(fixed.text.utf8) == bytes) }
  }

  @Test(arguments: shippedPatterns) func shippedPatternsAreWithoutFault(_ path: String) throws {
    let bytes = try contents("Patterns/\(path).ahap")
    #expect(AHAPLint.check(bytes, name: path) == [])
    let pattern = HapticPattern(try AHAPDocument.parse(bytes, name: path).document)
    #expect(pattern.level(at: pattern.duration) == .silence)
    #expect(pattern.changes().count > 1)
  }
}

private let fixableCodes = [
  "trailing-comma", "unsorted-events", "out-of-range", "absolute-curve-points", "missing-version", "byte-order-mark",
  "boolean-for-number",
]

private let shippedPatterns =
  [
    "impact-light", "impact-medium", "impact-soft", "impact-rigid", "impact-heavy", "success", "warning", "error",
    "selection",
  ].map { "feedback/\($0)" }
  + ["heartbeat", "capacitor_charge", "thud"].map { "starlight-sync/patterns/\($0)" }
