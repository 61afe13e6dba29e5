// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import GamePacks

@Suite struct CueStepTests {
  /// The step of a cue whose only one is written so.
  private func step(_ text: String) throws -> PackCue.Action {
    try manifest((#"{"sound": "sfx_click", "gain": 0.25}"#, text), (#"{"complete": "go"}"#, "{}")).cue(named: "go")
      .steps[0]
      .action
  }

  private func said(_ text: String) -> String { refusal(#"{"sound": "sfx_click", "gain": 0.25}"#, text) }

  @Test func aSoundTakesAllThatTheSocketDoes() throws {
    #expect(
      try step(
        #"{"sound": "hello", "gain": 2, "pan": -0.5, "pitch": 1.5, "loop": true, "duck": {"depth": 0.2, "hold": 1}}"#)
        == .sound(
          CueSound(
            sound: CueChoice(["hello"]), gain: 2...2, pan: -0.5, pitch: 1.5...1.5, loops: true,
            duck: PackDuck(depth: 0.2, attack: .milliseconds(20), hold: .seconds(1), release: .milliseconds(300)))))
  }

  @Test func whatIsFeltMayBeWrittenInPlace() throws {
    #expect(
      try step(#"{"pattern": "thud", "gain": 0.5, "rate": 2, "loop": true}"#)
        == .pattern(CuePattern(pattern: CueChoice(["thud"]), gain: 0.5...0.5, rate: 2, loops: true)))
    #expect(
      try step(#"{"transient": {"intensity": 0.5, "sharpness": 0.8}}"#)
        == .haptic(CueHaptic(intensity: 0.5, sharpness: 0.8)))
    #expect(
      try step(#"{"continuous": {"intensity": 1, "sharpness": 0, "duration": 2.5}}"#)
        == .haptic(CueHaptic(intensity: 1, sharpness: 0, duration: .milliseconds(2_500))))
  }

  @Test func aStepMayChooseAndVary() throws {
    #expect(
      try step(
        #"{"sound": ["hello", "sfx_click"], "choose": "inTurn", "gain": [0.5, 1], "pitch": [0.9, 1.1]}"#)
        == .sound(
          CueSound(
            sound: CueChoice(["hello", "sfx_click"], .inTurn), gain: 0.5...1, pan: 0, pitch: 0.9...1.1, loops: false)))
    #expect(
      try step(#"{"pattern": ["thud"], "gain": [0, 1]}"#)
        == .pattern(CuePattern(pattern: CueChoice(["thud"]), gain: 0...1, rate: 1, loops: false)))
  }

  @Test func aCueSaysHowItsPartsMeetAndHowOftenItComes() throws {
    let cue = try manifest((#"{"go": {"#, #"{"go": {"align": "asap", "cooldown": 0.25, "#)).cue(named: "go")
    #expect(cue.align == .asap && cue.cooldown == .milliseconds(250))
    #expect(try manifest().cue(named: "go").align == nil)
    #expect(
      refusal(#"{"go": {"#, #"{"go": {"align": "never", "#).hasSuffix(
        "cues.go.align: is \"never\"; it can be together, soundFirst, asap"))
    #expect(refusal(#"{"go": {"#, #"{"go": {"cooldown": 3601, "#).hasSuffix("is 3601 s, outside 0 to 3600 s"))
  }

  @Test func theMusicIsPlayedStoppedOrTurned() throws {
    #expect(
      try step(#"{"music": {"play": "main", "gain": 0.5}}"#)
        == .music(.play(CueMusic.Start(track: "main", gain: 0.5, from: .start))))
    #expect(
      try step(#"{"music": {"play": "main", "fadeIn": 3, "fadeOut": 0.25}}"#)
        == .music(
          .play(
            CueMusic.Start(
              track: "main", gain: 1, fadeIn: .seconds(3), fadeOut: .milliseconds(250), from: .start))))
    #expect(try step(#"{"music": {"stop": true}}"#) == .music(.stop(fade: .milliseconds(5))))
    #expect(
      try step(#"{"music": {"gain": 0.25, "fade": 2}}"#) == .music(.gain(0.25, stem: nil, fade: .seconds(2))))
    #expect(
      try step(#"{"music": {"gain": 2}}"#) == .music(.gain(2, stem: nil, fade: .milliseconds(5))))
  }

  @Test func soundsAndPatternsAreStoppedByNameOrAll() throws {
    #expect(
      try step(#"{"stop": {"sound": "hello", "fade": 0.5}}"#)
        == .stop(CueEnding(target: .sound("hello"), fade: .milliseconds(500))))
    #expect(
      try step(#"{"stop": {"sounds": true}}"#) == .stop(CueEnding(target: .sound(nil), fade: .milliseconds(5))))
    #expect(
      try step(#"{"stop": {"pattern": "thud"}}"#) == .stop(CueEnding(target: .pattern("thud"), fade: .milliseconds(5))))
    #expect(
      try step(#"{"stop": {"haptics": true}}"#) == .stop(CueEnding(target: .pattern(nil), fade: .milliseconds(5))))
  }

  @Test(arguments: [
    (#"{"sound": "hello", "pan": 1.5}"#, "pan: is 1.5, outside -1 to 1"),
    (#"{"sound": "hello", "pitch": 0.1}"#, "pitch: is 0.1, outside 0.25 to 4"),
    (#"{"sound": "hello", "rate": 2}"#, "rate: is not for sound; it goes with pattern"),
    (#"{"pattern": "thud", "pan": 0}"#, "pan: is not for pattern; it goes with sound"),
    (#"{"pattern": "thud", "gain": 2}"#, "gain: is 2, outside 0 to 1"),
    (#"{"sound": ["hello", "helo"]}"#, "sound[1]: no sound helo; did you mean hello?"),
    (#"{"sound": ["hello", "hello"]}"#, "sound[1]: hello is there already"),
    (#"{"sound": []}"#, "sound: has 0 names; there can be 1 to 16"),
    (#"{"sound": "hello", "choose": "random"}"#, "choose: goes with a list of several"),
    (#"{"sound": "hello", "gain": [1, 0.5]}"#, "gain: must be a number or two, the lower first"),
    (#"{"sound": "hello", "pitch": [1, 5]}"#, "pitch[1]: is 5, outside 0.25 to 4"),
    (#"{"transient": {"intensity": 0.5}}"#, "transient.sharpness: is missing"),
    (
      #"{"transient": {"intensity": 0.5, "sharpness": 1}, "loop": true}"#,
      "loop: is not for transient; it goes with sound and pattern"
    ),
    (
      #"{"continuous": {"intensity": 1, "sharpness": 0, "duration": 31}}"#,
      "continuous.duration: is 31 s, outside 0.000001 to 30 s"
    ),
    (#"{"music": {"gain": 5}}"#, "music.gain: is 5, outside 0 to 4"),
    (#"{"music": {"gain": 1, "crossfade": 1}}"#, "music.crossfade: goes with play"),
    (#"{"music": {"gain": 1, "fadeIn": 1}}"#, "music.fadeIn: goes with play"),
    (#"{"music": {"stop": true, "fadeOut": 1}}"#, "music.fadeOut: goes with play"),
    (#"{"music": {"play": "main", "fadeOut": 61}}"#, "music.fadeOut: is 61 s, outside 0 to 60 s"),
    (
      #"{"music": {"play": "main", "crossfade": 1, "fadeOut": 1}}"#,
      "music.crossfade: is both fades at once; give either it, or fadeIn and fadeOut"
    ),
    (#"{"music": {"stop": true, "gain": 1}}"#, "music.gain: goes with play"),
    (#"{"music": {}}"#, "music: must either play a track, or stop: true, or set the gain"),
    (#"{"stop": {}}"#, "stop: must have exactly one of sound, sounds: true, pattern, haptics: true"),
    (
      #"{"stop": {"sound": "hello", "haptics": true}}"#,
      "stop: must have exactly one of sound, sounds: true, pattern, haptics: true"
    ),
    (#"{"stop": {"sound": "helo"}}"#, "stop.sound: no sound helo; did you mean hello?"),
    (#"{"stop": {"haptics": true, "fade": 1}}"#, "stop.fade: goes with sound and sounds"),
  ])
  func whatAStepCannotBeIsNamedWithItsPlace(_ step: String, _ fault: String) {
    #expect(said(step).hasPrefix("pack.json:7:"), "\(said(step))")
    #expect(said(step).hasSuffix("cues.go.steps[0].\(fault)"), "\(said(step))")
  }

  @Test func aCueHasSixtyFourStepsAtMost() throws {
    let step = #"{"sound": "hello"}"#
    let most = Array(repeating: step, count: 61).joined(separator: ", ")
    #expect(try manifest((#"{"sound": "sfx_click", "gain": 0.25}"#, most)).cue(named: "go").steps.count == 64)
    #expect(said(most + ", " + step).hasSuffix("cues.go.steps: has 65 steps; 64 is the most"))
  }

  @Test func aCueHasAsManyPatternsAsAClientMayPlay() {
    let tap = #"{"transient": {"intensity": 1, "sharpness": 1}}"#
    #expect(said(Array(repeating: tap, count: 15).joined(separator: ", ")) == "")
    #expect(
      said(Array(repeating: tap, count: 16).joined(separator: ", ")).hasSuffix(
        "cues.go.steps: has 17 steps that are felt; 16 is the most"))
  }

  /// A chapter fires it by itself, as often as beats come.
  @Test(arguments: ["hit", "miss", "ghost"]) func whatAnswersEachBeatHasSixteenStepsAtMost(event: String) throws {
    func said(_ count: Int) -> String {
      let steps = Array(repeating: #"{"sound": "hello"}"#, count: count).joined(separator: ", ")
      do throws(PackFaults) {
        _ = try manifest(
          (#"{"sound": "sfx_click", "gain": 0.25}"#, steps), (#"{"complete": "go"}"#, #"{"\#(event)": "go"}"#))
        return ""
      } catch { return error.description }
    }
    #expect(said(13) == "")
    #expect(
      said(14).hasSuffix(
        "chapters.one.feedback.\(event): go has 17 steps; 16 is the most where each beat or tap may fire it"))
  }

  @Test func whatNobodyWouldEndIsNoFeedback() {
    #expect(
      said(#"{"sound": "hello", "loop": true}"#).hasSuffix(
        "chapters.one.feedback.complete: go has a step that loops, and nobody whose leaving would end it; fire it yourself"
      ))
  }
}
