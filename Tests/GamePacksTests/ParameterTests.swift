// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Timing

@testable import GamePacks

@Suite struct ParameterTests {
  private static let cue = #"{"sound": "sfx_click", "gain": 0.25}"#

  private func with(_ parameters: String) throws -> PackManifest {
    try manifest((#""version": "1","#, #""version": "1", "parameters": {\#(parameters)},"#))
  }

  private func said(_ parameters: String) -> String {
    refusal(#""version": "1","#, #""version": "1", "parameters": {\#(parameters)},"#)
  }

  @Test func aParameterLeadsThingsByCurves() throws {
    let parameters = try with(
      """
      "slider": {"targets": [{"pattern": "thud", "intensity": {"power": 1}}]},
      "menu": {"default": 0.25, "targets": [
        {"bus": "music", "lowPass": {"points": [{"value": 0, "to": 20000}, {"value": 1, "to": 5000}]},
         "gain": {"power": 1, "from": 1, "to": 0.5}}, {"sound": "hello", "pitch": {"points": [{"value": 0, "to": 2}]}}]}
      """
    ).parameters
    let slider = try #require(parameters["slider"])
    #expect(slider.standard == 0 && slider.isFelt && slider.hasFelt)
    #expect(slider.targets.map(\.thing) == [.pattern("thud")] && slider.targets.map(\.control) == [.intensity])
    let menu = try #require(parameters["menu"])
    #expect(menu.standard == 0.25 && !menu.isFelt && !menu.hasFelt)
    #expect(menu.targets.map(\.control) == [.gain, .lowPass, .pitch])
    #expect([0, 0.5, 1].map { menu.targets[0].curve($0) } == [1, 0.75, 0.5])
    // In octaves.
    #expect([0, 0.5, 1].map { menu.targets[1].curve($0) } == [0, -1, -2])
    #expect([0, 1].map { menu.targets[2].curve($0) } == [2, 2])
  }

  @Test(arguments: [0.1, 0.5, 0.8, 1, 2, 10])
  func aPowerIsFollowedWithinATenThousandth(_ power: Double) {
    let curve = ParameterCurve(power: power, from: 0, to: 1)
    #expect(curve.points.count < 400 && curve(0) == 0 && curve(1) == 1)
    for step in 0...10_000 {
      let value = Double(step) / 10_000
      #expect(abs(curve(value) - pow(value, power)) < 2e-4, "\(value)")
    }
  }

  /// A straight line counts 1, a bent one and a pitch 4; all of a pack 128 at most.
  @Test func whatAllParametersOfAPackLeadIsBounded() {
    func all(_ count: Int, _ curve: String) -> String {
      (0..<count).map { #""p\#($0)": {"targets": [{"sound": "hello", \#(curve)}, {"pattern": "thud", \#(curve)}]}"# }
        .joined(separator: ", ").replacing(#"{"pattern": "thud", "gain""#, with: #"{"pattern": "thud", "intensity""#)
    }
    #expect(said(all(64, #""gain": {"power": 1}"#)) == "")
    #expect(said(all(16, #""gain": {"power": 2}"#)) == "")
    #expect(
      said(all(17, #""gain": {"power": 2}"#)).hasSuffix("parameters: come to 136 by their curves; 128 is the most"))
    #expect(
      said(#""p": {"targets": [{"sound": "hello", "pitch": {"power": 1, "from": 1, "to": 2}}]}"#) == "")
  }

  @Test func whatTheStepsOfACueSetIsBounded() throws {
    let curves = #""gain": {"power": 2}, "pitch": {"power": 1, "from": 1, "to": 2}"#
    let parameters = #""p": {"targets": [{"sound": "hello", \#(curves)}]}"#
    func said(_ steps: Int) -> String {
      let text = Array(repeating: #"{"parameter": "p", "value": 1}"#, count: steps).joined(separator: ", ")
      return refusalOfBoth(Self.cue, text, #""version": "1","#, #""version": "1", "parameters": {\#(parameters)},"#)
    }
    #expect(said(16) == "")
    #expect(
      said(17).hasSuffix("cues.go.steps: set parameters that come to 136 by their curves; 128 is the most"))
  }

  private func refusalOfBoth(_ pairs: String...) -> String {
    do throws(PackFaults) {
      _ = try manifest((pairs[0], pairs[1]), (pairs[2], pairs[3]))
      return ""
    } catch { return error.description }
  }

  @Test func aCueMaySetOne() throws {
    let parameters = #""slider": {"targets": [{"pattern": "thud", "intensity": {"power": 0.8}}]}"#
    let text = #"{"parameter": "slider", "value": 0.3, "over": 0.1}"#
    let pack = try manifest(
      (#""version": "1","#, #""version": "1", "parameters": {\#(parameters)},"#), (Self.cue, text))
    let step = try pack.cue(named: "go").steps[0]
    #expect(
      step.action == .parameter(CueParameter(parameter: "slider", value: 0.3, over: .milliseconds(100), isFelt: true)))
    #expect(step.action.isFelt)
    #expect(refusal(Self.cue, text).hasSuffix("cues.go.steps[0].parameter: no parameter slider"))
    #expect(
      refusal(Self.cue, #"{"parameter": "slider"}"#).contains("cues.go.steps[0].value: is missing"))
  }

  @Test func whatIsNoParameterIsRefused() {
    #expect(said(#""x": {"targets": []}"#).hasSuffix("parameters.x.targets: has 0 targets; give 1 to 16"))
    #expect(said(#""x": {}"#).hasSuffix("parameters.x.targets: is missing"))
    for (target, reason) in [
      (#"{"pattern": "thud"}"#, "targets[0]: drives nothing; give it intensity or sharpness"),
      (#"{"gain": {"power": 1}}"#, "targets[0]: must name exactly one of track, sound, bus, pattern"),
      (
        #"{"track": "main", "pitch": {"power": 1, "from": 1, "to": 2}}"#,
        "targets[0].pitch: is not for a track; it goes with sound"
      ),
      (#"{"track": "mian", "gain": {"power": 1}}"#, "targets[0].track: no track mian; did you mean main?"),
      (#"{"bus": "sounds", "gain": {"power": 1}}"#, #"targets[0].bus: is "sounds"; it can be music, sound, voice"#),
      (#"{"track": "main", "gain": {}}"#, "targets[0].gain: must have either power or points"),
      (#"{"track": "main", "gain": {"power": 11}}"#, "targets[0].gain.power: is 11, outside 0.1 to 10"),
      (#"{"bus": "music", "lowPass": {"power": 1}}"#, "targets[0].lowPass.to: is missing"),
      (#"{"track": "main", "gain": {"power": 1, "to": 9}}"#, "targets[0].gain.to: is 9, outside 0 to 8"),
      (#"{"track": "main", "gain": {"points": []}}"#, "targets[0].gain.points: has 0 points; give 1 to 32"),
      (
        #"{"track": "main", "gain": {"points": [{"value": 0.5, "to": 1}, {"value": 0.5, "to": 0}]}}"#,
        "targets[0].gain.points[1]: must have a higher value than the point before it"
      ),
      (
        #"{"track": "main", "gain": {"points": [{"value": 0.5, "to": 1}], "to": 1}}"#,
        "targets[0].gain.to: goes with power"
      ),
    ] {
      #expect(said(#""x": {"targets": [\#(target)]}"#).hasSuffix("parameters.x." + reason), "\(target)")
    }
  }

  @Test func thereAreSoManyAndNoMore() {
    let target = #"{"track": "main", "gain": {"power": 1}}"#
    let many = Array(repeating: target, count: 17).joined(separator: ", ")
    #expect(said(#""x": {"targets": [\#(many)]}"#).hasSuffix("has 17 targets; give 1 to 16"))
    let parameters = (0..<65).map { #""p\#($0)": {"targets": [\#(target)]}"# }.joined(separator: ", ")
    #expect(said(parameters).hasSuffix("parameters: has 65 parameters; 64 is the most"))
  }
}
