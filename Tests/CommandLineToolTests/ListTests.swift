// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import Problems
import Testing
import Wire

@testable import CommandLineTool

@Suite struct ListTests {
  private static func pack(_ name: String, sounds: [String], problems: [Problem] = []) -> PackList.Pack {
    PackList.Pack(
      name: name, title: name.uppercased(), path: "/" + name, tracks: [],
      sounds: sounds.map { PackList.Sound(name: $0, durationUs: 50_000, available: true) }, patterns: [], cues: [],
      chapters: [], parameters: [], problems: problems)
  }

  private let list = PackList.Result(
    active: "a",
    packs: [
      pack("a", sounds: ["click"]), pack("b", sounds: []), pack("c", sounds: [], problems: [Problem(.missing, "x")]),
    ])

  @Test func aPackWithoutTheKindAskedForIsLeftOutUnlessSomethingIsWrongWithIt() {
    #expect(
      listLines(list, kinds: [.sounds]) == [
        "A (a, active), /a", "  sounds", "    click  50 ms", "", "C (c), /c", "  problem: x",
      ])
  }

  @Test func whatGivesWayToAPackIsNamed() {
    var list = list
    list.packs[0].hides = ["/usr/share/starlight/packs/a"]
    #expect(
      listLines(list, kinds: [.sounds]).prefix(3) == [
        "A (a, active), /a", "  in place of /usr/share/starlight/packs/a", "  sounds",
      ])
  }

  @Test func everyPackIsThereWhenEverythingIsAskedFor() {
    #expect(listLines(list, kinds: ListCommand.Kind.allCases).contains("B (b), /b"))
  }

  @Test func aPackThatIsLeftOutIsToldWithTheReason() {
    let fault = Problem(
      .unknownField, "is no field of this object", remedy: "the pack is left out: mend it",
      where: .init(file: "/d/pack.json", line: 1, column: 2, field: "titel"))
    let said = "problem: /d/pack.json:1:2: titel: is no field of this object; the pack is left out: mend it"
    var list = list
    list.problems = [fault]
    #expect(listLines(list, kinds: [.sounds]).suffix(2) == ["", said])
    #expect(listLines(PackList.Result(active: nil, packs: [], problems: [fault]), kinds: [.cues]) == [said])
    #expect(listLines(PackList.Result(active: nil, packs: []), kinds: [.cues])[0].hasPrefix("no pack was found"))
  }

  @Test func theStemsAndMarkersOfATrackAreListed() {
    var pack = Self.pack("a", sounds: [])
    pack.tracks = [
      PackList.Track(
        name: "a:main", durationUs: 60_000_000, bpm: 90, loops: true, available: true,
        markers: [.init(name: "drop", positionUs: 31_500_000), .init(name: "out", positionUs: 58_000_000)],
        stems: ["bells", "drums"]),
      PackList.Track(name: "a:end", durationUs: 1_000_000, bpm: nil, loops: false, available: true),
    ]
    #expect(
      listLines(PackList.Result(active: "a", packs: [pack]), kinds: [.tracks]) == [
        "A (a, active), /a", "  tracks",
        "    a:main  1:00 min  90 bpm  loops  stems bells, drums  markers drop 0:31.5, out 0:58.0",
        "    a:end   1.00 s",
      ])
  }

  /// A word says what the music is, and nothing comes behind the lanes.
  @Test func theMusicOfAChapterIsNoneOfItsLanes() {
    let laned = PackList.Chapter(
      name: "a:lit", title: "Lit", track: "a:main", beats: 2, lanes: ["left", "top"], lengthUs: 4_000_000)
    #expect(demoChapter(laned) == "Lit: 2 beats, music a:main, lanes left, top")
    var pack = Self.pack("a", sounds: [])
    pack.chapters = [laned]
    #expect(
      listLines(PackList.Result(active: "a", packs: [pack]), kinds: [.chapters]).last
        == "    a:lit  4.00 s  2 beats  music a:main  Lit  lanes left, top")
  }

  /// What somebody types is a kind in either number, a pack, or whatever is in one.
  @Test func aWordIsAKindOrAName() throws {
    #expect(try ListCommand.chosen(nil, of: list).kinds == ListCommand.Kind.allCases)
    #expect(try ListCommand.chosen("sound", of: list).kinds == [.sounds])
    #expect(try ListCommand.chosen("sounds", of: list).packs.packs.count == 3)
    #expect(try ListCommand.chosen("c", of: list).packs.packs.map(\.name) == ["c"])
    var named = list
    named.packs[1].cues = ["b:click", "b:clack"]
    named.packs[0].sounds[0].name = "a:click"
    let clicks = try ListCommand.chosen("click", of: named)
    #expect(
      listLines(clicks.packs, kinds: clicks.kinds) == [
        "A (a, active), /a", "  sounds", "    a:click  50 ms", "", "B (b), /b", "  cues", "    b:click",
      ])
    #expect(try ListCommand.chosen("b:click", of: named).packs.packs.map(\.name) == ["b"])
    let unknown = #expect(throws: ToolFailure.self) { try ListCommand.chosen("clik", of: named) }
    #expect(unknown?.message == "nothing is called clik; did you mean click or clack?")
    #expect(unknown?.hint?.contains("kinds are tracks, sounds") == true)
  }

  @Test func aCueIsToldWithWhatItHolds() throws {
    let text = #"""
      {"name": "a", "title": "A", "version": "1", "tracks": {"calm": {"file": "c.wav", "stems": {"bells": {"file": "b.wav"}}}},
       "sounds": {"bell": {"file": "b.wav"}, "gong": {"file": "g.wav"}}, "patterns": {"thud": {"file": "t.ahap"}},
       "parameters": {"slider": {"targets": [{"pattern": "thud", "intensity": {"power": 1}}]}},
       "cues": {
        "lit": {"align": "together", "cooldown": 0.5, "steps": [
          {"sound": ["bell", "gong"], "choose": "inTurn"}, {"at": 0.05, "pattern": "thud", "loop": true},
          {"transient": {"intensity": 1, "sharpness": 1}},
          {"continuous": {"intensity": 1, "sharpness": 1, "duration": 1.5}}]},
        "dark": {"steps": [{"music": {"play": "calm", "from": "continue"}}, {"music": {"gain": 0.4, "stem": "bells"}},
          {"music": {"stop": true}}, {"stop": {"sounds": true}}, {"stop": {"pattern": "thud"}},
          {"parameter": "slider", "value": 1}]},
        "none": {"steps": []}}}
      """#
    let manifest = try PackManifest.parse(Array(text.utf8), path: "pack.json")
    let cues = manifest.cues.mapValues { cueText(CueList.Cue("", $0)) }
    #expect(
      cues == [
        "lit":
          "sound bell or gong in turn, after 50 ms pattern thud over and over, tap, vibration of 1.50 s, align together, "
          + "500 ms apart at least",
        "dark":
          "music calm from where it is, stem bells to gain 0.4, music ends, all sounds end, pattern thud ends, parameter "
          + "slider to 1",
        "none": "nothing",
      ])
    var list = list
    list.packs[1].cues = ["b:go", "b:lost"]
    #expect(
      listLines(list, kinds: [.cues], cues: ["b:go": "tap"]).prefix(4) == [
        "B (b), /b", "  cues", "    b:go    tap", "    b:lost",
      ]
    )
  }

  @Test func nothingToListIsSaid() {
    let bare = PackList.Result(active: "b", packs: [Self.pack("b", sounds: [])])
    #expect(listLines(bare, kinds: [.cues]) == ["no pack has cues"])
  }
}
