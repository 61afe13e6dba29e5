// SPDX-License-Identifier: Apache-2.0

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
      listLines(list, kinds: ["sounds"]) == [
        "A (a, active), /a", "  sounds", "    click  50 ms", "", "C (c), /c", "  problem: x",
      ])
  }

  @Test func whatGivesWayToAPackIsNamed() {
    var list = list
    list.packs[0].hides = ["/usr/share/starlight/packs/a"]
    #expect(
      listLines(list, kinds: ["sounds"]).prefix(3) == [
        "A (a, active), /a", "  in place of /usr/share/starlight/packs/a", "  sounds",
      ])
  }

  @Test func everyPackIsThereWhenEverythingIsAskedFor() {
    #expect(listLines(list, kinds: ListCommand.kinds).contains("B (b), /b"))
  }

  @Test func aPackThatIsLeftOutIsToldWithTheReason() {
    let fault = Problem(
      .unknownField, "is no field of this object", remedy: "the pack is left out: mend it",
      where: .init(file: "/d/pack.json", line: 1, column: 2, field: "titel"))
    let said = "problem: /d/pack.json:1:2: titel: is no field of this object; the pack is left out: mend it"
    var list = list
    list.problems = [fault]
    #expect(listLines(list, kinds: ["sounds"]).suffix(2) == ["", said])
    #expect(listLines(PackList.Result(active: nil, packs: [], problems: [fault]), kinds: ["cues"]) == [said])
    #expect(listLines(PackList.Result(active: nil, packs: []), kinds: ["cues"])[0].hasPrefix("no pack was found"))
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
      listLines(PackList.Result(active: "a", packs: [pack]), kinds: ["tracks"]) == [
        "A (a, active), /a", "  tracks",
        "    a:main  1:00 min  90 bpm  loops  stems bells, drums  markers drop 0:31.5, out 0:58.0",
        "    a:end   1.00 s",
      ])
  }

  @Test func nothingToListIsSaid() {
    let bare = PackList.Result(active: "b", packs: [Self.pack("b", sounds: [])])
    #expect(listLines(bare, kinds: ["cues"]) == ["no pack has cues"])
  }
}
