// SPDX-License-Identifier: Apache-2.0

import Problems
import Testing
import Wire

@testable import CommandLineTool

@Suite("The pad that a proof feels") struct ProofPadTests {
  private static func pad(
    _ name: String, _ state: EngineStatus.HapticOutput.State = .ready, gain: Double = 1, problem: Problem? = nil
  ) -> EngineStatus.HapticOutput {
    .init(
      name: name, kind: .evdev, leadUs: 35_000, path: "/dev/input/event7", capabilities: ["rumble"], state: state,
      gain: gain, problem: problem)
  }
  private static let none = [EngineStatus.HapticOutput(name: "none", kind: .null, leadUs: 0)]

  private static func refusal(
    _ pad: String?, _ channel: Int?, _ outputs: [EngineStatus.HapticOutput], on: Bool = true
  ) -> ToolFailure? {
    do throws(ToolFailure) {
      try ProofPad(pad: pad, feltBy: channel).check(outputs, areHapticsOn: on)
      return nil
    } catch { return error }
  }

  @Test("is any that plays, one that is named, one of the program's own, or none") func choices() throws {
    #expect(try ProofPad(pad: nil, feltBy: nil) == .none)
    #expect(try ProofPad(pad: "virtual", feltBy: nil) == .virtual)
    #expect(try ProofPad(pad: "Xbox", feltBy: 2) == .real(name: "Xbox", channel: 2))
    for (name, channel) in [(nil, 2), ("xbox", 2), ("/dev/input/event7", 2), (nil, nil), ("virtual", nil)] {
      #expect(Self.refusal(name, channel, [Self.pad("Sad Pad", .denied), Self.pad("Xbox Pad")]) == nil)
    }
  }

  @Test("is refused where nobody could tell what moves") func nobodyTells() throws {
    #expect(Self.refusal("Xbox", nil, [Self.pad("Xbox Pad")])?.hint?.contains("`--felt-by CHANNEL`") == true)
    #expect(Self.refusal("virtual", 2, [])?.exit == .usage)
  }

  @Test("is refused with a cure where none plays that `--felt-by` could feel") func noneplays() throws {
    let missing = try #require(Self.refusal(nil, 2, Self.none))
    #expect(missing.message == "no pad is there that could be felt on channel 2")
    #expect(missing.hint?.contains("starlight doctor") == true)
    let other = try #require(Self.refusal("Xbox", 2, [Self.pad("Sad Pad")]))
    #expect(other.message == "no pad is called Xbox" && other.hint == "there are: Sad Pad")
    let problem = Problem(.padDenied, "cannot open the pad", remedy: "install the rule")
    let denied = try #require(Self.refusal(nil, 2, [Self.pad("Sad Pad", .denied, problem: problem)]))
    #expect(denied.message == "cannot open the pad" && denied.hint == "install the rule")
    #expect(Self.refusal(nil, 2, [Self.pad("Sad Pad", .unplugged)])?.message == "the pad Sad Pad is unplugged")
    #expect(Self.refusal(nil, 2, [Self.pad("Sad Pad", gain: 0)])?.message == "the pad Sad Pad is at gain 0")
  }

  @Test("is refused where haptics are off, and nothing is where none is to be felt") func off() throws {
    #expect(Self.refusal("virtual", nil, [], on: false)?.hint == "`starlight settings haptics on`")
    #expect(Self.refusal(nil, nil, [], on: false) == nil)
  }
}
