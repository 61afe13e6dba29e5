// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import GamePacks
@testable import Rhythm

@Suite struct ManifestTests {
  @Test func everythingIsRead() throws {
    let pack = try manifest()
    #expect(pack.name == "demo" && pack.title == "Demo" && pack.version == "1")
    let track = try pack.track(named: "main")
    #expect(track.file == "audio/main.ogg")
    #expect(track.bpm == 85.5)
    #expect(track.firstBeat == .milliseconds(706))
    #expect(track.beatsPerBar == 4)
    #expect(track.loop == .region(start: .milliseconds(1_500), end: .milliseconds(9_250)))
    #expect(track.gain == 1)
    #expect(try pack.sound(named: "sfx_click").gain == 0.5)
    #expect(try pack.sound(named: "sfx_click").bus == .sound)
    #expect(try pack.sound(named: "hello").bus == .voice)
    #expect(try pack.pattern(named: "thud").file == "thud.ahap")
    #expect(pack.settings.musicOff == .pause)
    #expect(pack.settings.crossfade == .milliseconds(500))
    #expect(pack.ducking.map(\.sound) == ["hello"])
    #expect(pack.ducking.map(\.duck.depth) == [0.3])
  }

  @Test func aCueIsItsStepsInOrder() throws {
    let start = CueMusic.Start(
      track: "main", gain: 1, crossfade: .milliseconds(2_000), fadeCurve: .linear, from: .continue)
    #expect(
      try manifest().cue(named: "go").steps == [
        PackCue.Step(
          at: .zero,
          action: .sound(
            CueSound(sound: CueChoice(["sfx_click"]), gain: 0.25...0.25, pan: 0, pitch: 1...1, loops: false))),
        PackCue.Step(
          at: .milliseconds(100),
          action: .pattern(CuePattern(pattern: CueChoice(["thud"]), gain: 1...1, rate: 1, loops: false))),
        PackCue.Step(at: .milliseconds(200), action: .music(.play(start))),
        PackCue.Step(at: .milliseconds(3_000), action: .music(.stop(fade: .zero))),
      ])
  }

  @Test func aChapterHasItsRulesAndBeats() throws {
    let chapter = try manifest().chapter(named: "one")
    #expect(chapter.rules == (try RhythmRules(length: 10_000_000)))
    #expect(
      chapter.beats
        == .map(
          try BeatMap(
            beats: [Beat(at: 706_000, lane: 0), Beat(at: 2_117_700, lane: 1)], lanes: ["left", "right"],
            length: 10_000_000)))
    #expect(chapter.feedback.complete == "go")
    #expect(chapter.feedback.miss == nil)
  }

  @Test func beatsMayBeAFileOrAGrid() throws {
    let list = #"[{"at": 0.706, "lane": "left"}, {"at": 2.1177, "lane": "right"}]"#
    #expect(try manifest((list, #""one.beats.json""#)).chapter(named: "one").beats == .file("one.beats.json"))
    let grid = try manifest((list, #"{"bpm": 85, "offset": 0.706, "every": 2, "count": 3}"#)).chapter(named: "one")
    guard case .map(let map) = grid.beats else { throw Unexpected() }
    #expect(map.beats.map(\.at) == [706_000, 2_117_765, 3_529_529])
    #expect(map.beats.map(\.lane) == [0, 1, 0])
  }

  @Test func aTrackLoopsWhollyPartlyOrNotAtAll() throws {
    let region = #""loop": {"start": 1.5, "end": 9.25}"#
    #expect(try manifest((region, #""loop": true"#)).track(named: "main").loop == .whole)
    #expect(try manifest((region, #""loop": false"#)).track(named: "main").loop == .none)
    #expect(try manifest((region, #""beatsPerBar": 3"#)).track(named: "main").loop == .whole)
  }

  @Test func anEmptyPackIsAPack() throws {
    let pack = try PackManifest.parse(Array(#"{"name":"x","title":"X","version":"0"}"#.utf8), path: "pack.json")
    #expect(pack.tracks.isEmpty && pack.chapters.isEmpty)
    #expect(pack.settings == .standard)
  }

  @Test func aNameThatIsNotThereIsToldWithTheNearest() throws {
    let pack = try manifest()
    let error = #expect(throws: PackError.self) { try pack.sound(named: "sfx_clik") }
    #expect(error?.description == "no sound sfx_clik in pack demo; did you mean sfx_click?")
    #expect(error?.code == .unknownName)
    #expect(error?.candidates == ["sfx_click"])
    #expect(throws: PackError.self) { try pack.chapter(named: "two") }
  }

  private struct Unexpected: Error {}
}
