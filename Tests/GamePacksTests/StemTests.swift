// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Testing
import Timing

/// Stems of tracks, and what chapters and cues make of them.
@Suite struct StemTests {
  private static let bpm = #""bpm": 85.5"#
  private static let stems =
    #""bpm": 85.5, "stems": {"voice": {"file": "voice.ogg"}, "bells": {"file": "bells.ogg", "gain": 0}}"#

  @Test func aTrackHasStemsEachWithAFileAndAGain() throws {
    let track = try manifest((Self.bpm, Self.stems)).track(named: "main")
    #expect(track.orderedStems.map(\.name) == ["bells", "voice"])
    #expect(track.orderedStems.map(\.stem.file) == ["bells.ogg", "voice.ogg"])
    #expect(track.orderedStems.map(\.stem.gain) == [0, 1])
    #expect(try manifest().track(named: "main").stems.isEmpty)
  }

  @Test func aChapterTurnsThemToItsOwnGains() throws {
    let pack = try manifest(
      (Self.bpm, Self.stems), (#""length": 10,"#, #""length": 10, "stems": {"bells": 0.5},"#))
    #expect(try pack.chapter(named: "one").stems == ["bells": 0.5])
  }

  @Test func aCueTurnsOneUp() throws {
    let pack = try manifest(
      (Self.bpm, Self.stems),
      (#"{"stop": true, "fade": 0}"#, #"{"gain": 0.75, "stem": "bells", "fade": 2}"#))
    #expect(
      try pack.cue(named: "go").steps.last?.action == .music(.gain(0.75, stem: "bells", fade: .seconds(2))))
  }

  private static let settings = #""settings": {"musicOff": "pause"}"#

  private func leading(_ target: String) -> (String, String) {
    (Self.settings, Self.settings + ", \"parameters\": {\"deep\": {\"targets\": [\(target)]}}")
  }

  @Test func aParameterMayLeadOne() throws {
    let pack = try manifest(
      (Self.bpm, Self.stems), leading(#"{"track": "main", "stem": "bells", "gain": {"power": 1}}"#))
    #expect(pack.parameters["deep"]?.targets.map(\.thing) == [.stem("bells", of: "main")])
    #expect(
      refusal((Self.bpm, Self.stems), leading(#"{"track": "main", "stem": "bel", "gain": {"power": 1}}"#)).hasSuffix(
        "targets[0].stem: no stem bel; did you mean bells?"))
    #expect(
      refusal((Self.bpm, Self.stems), leading(#"{"sound": "hello", "stem": "bells", "gain": {"power": 1}}"#)).hasSuffix(
        "targets[0].stem: goes with track"))
  }

  private func refusal(_ replacements: (String, String)...) -> String {
    do throws(PackFaults) {
      switch replacements.count {
      case 1: _ = try manifest(replacements[0])
      default: _ = try manifest(replacements[0], replacements[1])
      }
      return ""
    } catch { return error.description }
  }

  @Test func whatIsWrongWithThemIsNamed() {
    let many = (0..<4).map { "\"s\($0)\": {\"file\": \"s.ogg\"}" }.joined(separator: ", ")
    #expect(
      refusal((Self.bpm, "\"stems\": {\(many)}")).hasSuffix("tracks.main.stems: has 4 stems; a track may have 3"))
    #expect(
      refusal((Self.bpm, #""stems": {"bells": {"gain": 1}}"#)).hasSuffix("tracks.main.stems.bells.file: is missing"))
    #expect(
      refusal((Self.bpm, #""stems": {"bells": {"file": "../b.ogg"}}"#)).contains("tracks.main.stems.bells.file"))
    #expect(
      refusal((Self.bpm, #""stems": {"bells": {"file": "b.ogg", "gain": 9}}"#)).hasSuffix("is 9, outside 0 to 8"))
    #expect(refusal((Self.bpm, #""stems": {"Bells": {"file": "b.ogg"}}"#)).contains("is no name"))
    #expect(
      refusal((Self.bpm, Self.stems), (#""length": 10,"#, #""length": 10, "stems": {"bell": 1},"#)).hasSuffix(
        "chapters.one.stems.bell: track main has no stem bell; did you mean bells?"))
    #expect(
      refusal((Self.bpm, Self.stems), (#""length": 10,"#, #""length": 10, "stems": {"bells": -1},"#)).hasSuffix(
        "is -1, outside 0 to 8"))
    #expect(
      refusal((Self.bpm, Self.stems), (#"{"stop": true, "fade": 0}"#, #"{"gain": 1, "stem": "bels"}"#)).hasSuffix(
        "cues.go.steps[3].music.stem: no stem bels; did you mean bells?"))
    #expect(
      refusal((#"{"stop": true, "fade": 0}"#, #"{"stop": true, "stem": "bells"}"#)).hasSuffix(
        "cues.go.steps[3].music.stem: goes with gain"))
  }
}
