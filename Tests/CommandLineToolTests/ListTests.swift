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

  @Test func everyPackIsThereWhenEverythingIsAskedFor() {
    #expect(listLines(list, kinds: ListCommand.kinds).contains("B (b), /b"))
  }

  @Test func nothingToListIsSaid() {
    let bare = PackList.Result(active: "b", packs: [Self.pack("b", sounds: [])])
    #expect(listLines(bare, kinds: ["cues"]) == ["no pack has cues"])
  }
}
