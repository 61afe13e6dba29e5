// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import PatternTools
import Testing
import Timing

/// What patterns are turned into.
@Suite struct ExportTests {
  /// A tap, and half a second of rumble that fades in from 100 ms on.
  private let sample = pattern(
    """
    {"Version": 1, "Pattern": [
      {"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": [
        {"ParameterID": "HapticIntensity", "ParameterValue": 0.8}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.25}]}},
      {"Event": {"Time": 0.1, "EventType": "HapticContinuous", "EventDuration": 0.5, "EventParameters": [
        {"ParameterID": "HapticIntensity", "ParameterValue": 0.5}, {"ParameterID": "HapticSharpness", "ParameterValue": 1}]}},
      {"ParameterCurve": {"ParameterID": "HapticIntensityControl", "Time": 0.1, "ParameterCurveControlPoints": [
        {"Time": 0, "ParameterValue": 0}, {"Time": 0.5, "ParameterValue": 1}]}}]}
    """)

  @Test func theTableHasALineForEachChange() {
    #expect(
      sample.table(step: .milliseconds(250)) == """
        time,intensity,sharpness
        0,0.8,0.25
        0.02,0,0
        0.35,0.25,1
        0.6,0,0

        """)
  }

  @Test func aDocumentWrittenReadsBackTheSame() throws {
    for name in ["Patterns/starlight-sync/patterns/capacitor_charge", "Patterns/feedback/success"] {
      let (document, _) = try AHAPDocument.parse(try contents(name + ".ahap"), name: name)
      let (again, diagnostics) = try AHAPDocument.parse(Array(document.text().utf8), name: "again")
      #expect(again == document)
      #expect(diagnostics.isEmpty)
    }
    var odd = AHAPDocument(metadata: [AHAPMetadata(key: "a\"b", value: "\u{1}\\\n")])
    odd.events = [AHAPEvent(.audioCustom, time: 0.5)]
    odd.events[0].waveformPath = "boom \"x\".wav"
    odd.events[0].waveformLoops = true
    odd.events[0].waveformUsesEnvelope = false
    odd.controls = [AHAPControl(.audioPan, time: 0.25, points: [AHAPControl.Point(time: 0, value: -0.5)])]
    #expect(try AHAPDocument.parse(Array(odd.text().utf8), name: "odd").0 == odd)
    let wild = AHAPDocument(version: .nan, events: [AHAPEvent(.transient, time: .infinity)])
    #expect(try AHAPDocument.parse(Array(wild.text().utf8), name: "wild").0.events.first?.time == 0)
  }

  @Test func theVoiceCoilFollowsIntensityAndSharpness() {
    let steady = HapticPattern.continuous(intensity: 0.5, sharpness: 1, duration: .seconds(1))
    var coil = VoiceCoil(steady, rate: 48_000)
    #expect(coil.frames == 48_000)
    let samples = render(&coil, 48_100)
    // 300 Hz: 160 frames a period, zero at its start and its middle, half intensity at a quarter.
    #expect(samples[0] == 0)
    #expect(abs(samples[40] - 0.5) < 1e-4)
    #expect(abs(samples[80]) < 1e-4)
    #expect(abs(samples[47_920] + 0.5 - 0.5) < 1e-3)
    #expect(samples[48_000...].allSatisfy { $0 == 0 })
    #expect(VoiceCoil.frequency(0) == 65)
    // Half way by ear: sqrt(65 x 300).
    #expect(abs(VoiceCoil.frequency(0.5) - 139.642) < 0.001)
  }

  @Test func thePhaseOfTheVoiceCoilNeverJumps() {
    // The sharpness jumps from 0 to 1 in the middle of a period.
    let jumping = pattern(
      """
      {"Version": 1, "Pattern": [
        {"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 0.4, "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 1}, {"ParameterID": "HapticSharpness", "ParameterValue": 0}]}},
        {"Parameter": {"ParameterID": "HapticSharpnessControl", "Time": 0.2037, "ParameterValue": 1}}]}
      """)
    var coil = VoiceCoil(jumping, rate: 8_000)
    let samples = render(&coil, 3_200)
    let steepest = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    // The steepest a 300 Hz sine gets between two samples.
    #expect(steepest <= Float(2 * Double.pi * 300 / 8_000) + 1e-5)
    // Rising zero crossings: 65 a second, then 300.
    func crossings(_ range: Range<Int>) -> Int {
      range.count { samples[$0] < 0 && samples[$0 + 1] >= 0 }
    }
    #expect((12...13).contains(crossings(0..<1_600)))
    #expect((56...58).contains(crossings(1_640..<3_190)))
  }

  @Test func aDifferenceNamesWhereAndWhat() {
    let longer = pattern(
      """
      {"Version": 1, "Pattern": [
        {"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 0.8}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.25}]}},
        {"Event": {"Time": 0.2, "EventType": "HapticTransient", "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 1}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}]}
      """)
    let tap = HapticPattern.transient(intensity: 0.8, sharpness: 0.25)
    #expect(
      HapticDifference(old: tap, new: longer).lines(oldName: "a\n.ahap", newName: "b.ahap") == [
        "--- a\n.ahap: 0.02 s, 1 event",
        "+++ b.ahap: 0.22 s, 2 events",
        "@@ 0.2 to 0.22 s: silence -> intensity 1 sharpness 0.5",
      ])
    #expect(HapticDifference(old: sample, new: sample).spans.isEmpty)
    let sharper = HapticPattern.transient(intensity: 0.8, sharpness: 0.5)
    let difference = HapticDifference(old: tap, new: sharper)
    #expect(difference.spans.map(\.start) == [.zero])
    #expect(difference.spans.map(\.end) == [.milliseconds(20)])
    #expect(difference.spans.first?.new == HapticLevel(intensity: 0.8, sharpness: 0.5))
  }

  @Test func picturesDrawWhatIsFelt() {
    var picture = HapticPicture(title: "a <b> & \"c\"\u{1}")
    picture.width = 1_000
    let svg = picture.svg(sample)
    #expect(svg.hasPrefix("<svg xmlns="))
    // What the colours mean is said, and all that is no colour of sharpness follows the viewer's theme.
    #expect(svg.contains("sharpness: 0 round</text>") && svg.contains("1 crisp</text>"))
    #expect(svg.contains("@media (prefers-color-scheme:dark)"))
    #expect(!svg.contains("fill=\"#ffffff\"") && !svg.contains("#5b6472\""))
    #expect(svg.contains("a &lt;b&gt; &amp; &quot;c&quot;\u{FFFD}</text>"))
    // The tap: at the left edge, 0.8 of 180 pixels above the floor at 232.
    #expect(svg.contains("<circle cx=\"56\" cy=\"88\" r=\"4\""))
    // The rumble ends at 600 ms, the right edge, at 0.5: 142 pixels.
    #expect(svg.contains("980,142 "))
    let both = picture.svg(old: sample, new: .transient(intensity: 1, sharpness: 0), oldName: "old", newName: "new")
    #expect(both.contains(">old</text>") && both.contains(">new</text>"))
    #expect(both.contains("<circle cx=\"56\" cy=\"52\" r=\"4\" fill=\"#e0701b\"/>"))
    #expect(picture.svg(HapticPattern(AHAPDocument())).hasSuffix("</svg>\n"))
  }

  /// Parts drawn side by side would show a seam between each two.
  @Test func theAreaIsDrawnAsOnePathUnderItsWholeEdge() {
    let rumbles = pattern(
      """
      {"Version": 1, "Pattern": [
        {"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 0.1, "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 1}, {"ParameterID": "HapticSharpness", "ParameterValue": 0}]}},
        {"Event": {"Time": 0.1, "EventType": "HapticContinuous", "EventDuration": 0.2, "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 0.5}, {"ParameterID": "HapticSharpness", "ParameterValue": 1}]}},
        {"Event": {"Time": 0.4, "EventType": "HapticContinuous", "EventDuration": 0.1, "EventParameters": [
          {"ParameterID": "HapticIntensity", "ParameterValue": 1}, {"ParameterID": "HapticSharpness", "ParameterValue": 0.5}]}}]}
      """)
    var picture = HapticPicture()
    picture.width = 576
    let svg = picture.svg(rumbles)
    // A second is 1,000 pixels from 56 on; the floor is at 232, full intensity at 52, silence lies on the floor.
    let edge = "56,52 156,52 156,142 356,142 356,232 456,232 456,52 556,52 556,232"
    #expect(
      svg.components(of: "<polygon") == ["points=\"56,232 \(edge) 556,232\" fill=\"url(#feel)\" fill-opacity=\"0.9\""])
    #expect(svg.components(of: "<polyline").first == "points=\"\(edge)\" class=\"edge\" stroke-width=\"1.2\"")
    let both = picture.svg(old: rumbles, new: rumbles, oldName: "old", newName: "new")
    #expect(both.components(of: "<polygon").count == 2)
  }

  private func render(_ coil: inout VoiceCoil, _ count: Int) -> [Float] {
    var samples = [Float](repeating: 9, count: count)
    samples.withUnsafeMutableBufferPointer { coil.render(into: $0) }
    return samples
  }
}

extension String {
  /// What stands in the elements that begin so.
  fileprivate func components(of element: String) -> [String] {
    split(separator: "\n").filter { $0.hasPrefix(element + " ") && $0.hasSuffix("/>") }.map {
      String($0.dropFirst(element.count + 1).dropLast(2))
    }
  }
}
