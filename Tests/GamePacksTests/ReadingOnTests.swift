// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import GamePacks

/// All that is wrong with a manifest is told, with what to do about each.
@Suite struct ReadingOnTests {
  private func read(_ replacements: (String, String)...) -> PackManifest.Reading {
    PackManifest.read(Array(replaced(replacements).utf8), path: "pack.json")
  }

  private func cures(_ old: String, _ new: String) -> [String] {
    let reading = read((old, new))
    let beats = reading.manifest?.chapters.values.compactMap { chapter in
      if case .faulty(let faults) = chapter.beats { faults.leavingOutTheChapter } else { nil }
    }
    let problems = reading.faults?.leavingOutThePack ?? beats?.flatMap(\.self) ?? []
    return problems.map { "\($0.cause); \($0.remedy?.split(separator: " and restart").first ?? "")" }
  }

  /// What is no JSON hides nothing of the rest.
  @Test func slipsOfSyntaxAreToldWithAllOtherFaults() {
    let told = read((#""name": "demo","#, #""name": "demo""#), ("85.5", "fast"), (#""gain": 0.5"#, #""gain": 9"#))
    #expect(told.faults?.faults.map(\.line) == [2, 3] && told.manifest == nil)
    let mended = read((#""name": "demo","#, #""name": "demo""#), ("85.5", "0"), (#""gain": 0.5"#, #""gain": 9"#))
    #expect(mended.faults?.faults.map(\.line) == [2, 3, 4] && mended.manifest?.name == "demo")
  }

  @Test(arguments: [
    (
      #""assist": {"#, #""window": 150, "assist": {"#,
      "pack.json:14:15: chapters.one.window: is 150 s, outside 0.000001 to 10 s; times are in seconds: if 150 ms was meant, "
        + "write 0.15"
    ),
    (
      #""crossfade": 2"#, #""crossfade": 500"#,
      "pack.json:9:56: cues.go.steps[2].music.crossfade: is 500 s, outside 0 to 60 s; times are in seconds: if 500 ms was "
        + "meant, write 0.5"
    ),
    (
      #""lane": "left""#, #""lane": "middle""#,
      "pack.json:15:37: chapters.one.beats[0].lane: no lane middle; name one of the chapter's lanes: left, right"
    ),
    (
      #""lane": "left""#, #""lane": "lefd""#,
      "pack.json:15:37: chapters.one.beats[0].lane: no lane lefd; did you mean left?; write left, or name one of the "
        + "chapter's lanes: left, right"
    ),
    (
      #"{"hit": "go"}"#, #"{"hit": "xylophone"}"#,
      "pack.json:16:25: chapters.one.feedback.hit: no cue xylophone; name one that there is: go; or add it"
    ),
    (
      #""gain": 0.5"#, #""color": 1"#,
      "pack.json:4:49: sounds.sfx_click.color: is no field of this object; remove it; the fields here are file, gain, bus"
    ),
    (
      #""length": 10, "#, "",
      #"pack.json:12:23: chapters.one.length: is missing; add it, as in "length": 0.5"#
    ),
    (
      "85.5", #""85.5""#, "pack.json:3:56: tracks.main.bpm: must be a number; write a number, without quotes"
    ),
    (
      #""at": 2.1177, "lane": "right""#, #""at": 2117, "lane": "right""#,
      "pack.json:15:46: chapters.one.beats[1]: beat 1 at 2117 s is outside the chapter, which lasts from 0 to 10 s; times are "
        + "in seconds: if 2117 ms was meant, write 2.117"
    ),
  ])
  func theCureIsOfTheVeryFault(old: String, new: String, said: String) {
    #expect(cures(old, new) == [said])
  }

  /// What may be as it is, and looks as if milliseconds were meant.
  @Test func whatIsUnusuallyLongIsWarnedOf() {
    let reading = read((#"{"at": 0.1, "pattern""#, #"{"at": 250, "pattern""#))
    #expect(reading.faults == nil && reading.manifest != nil)
    #expect(
      reading.warnings.map(\.warning.description) == [
        "pack.json:8:12: cues.go.steps[1].at: is 250 s, which is unusually long; times are in seconds: if 250 ms was meant, "
          + "write 0.25"
      ])
    #expect(read().warnings.isEmpty)
  }

  /// Whoever looks at the files that a faulty manifest names finds no placeholders.
  @Test func whatIsNotAtFaultIsAsItIsWritten() throws {
    let reading = read((#""click.wav""#, #""../click.wav""#), (#""length": 10,"#, #""length": 0,"#))
    let manifest = try #require(reading.manifest)
    #expect(reading.faults?.faults.count == 2)
    #expect(manifest.sounds["sfx_click"]?.file == "" && manifest.sounds["hello"]?.file == "hello.wav")
    #expect(manifest.chapters["one"]?.isKnown == false)
  }
}
