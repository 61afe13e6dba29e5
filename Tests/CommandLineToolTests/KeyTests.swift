// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct KeyTests {
  @Test func readsArrowsInBothModesOfATerminal() {
    var reader = KeyReader()
    #expect(reader.read(Array("\u{1B}[D\u{1B}[C\u{1B}OA\u{1B}OB".utf8)) == [.left, .right, .up, .down])
  }

  @Test func putsSequencesTogetherThatArriveInPieces() {
    var reader = KeyReader()
    #expect(reader.read([0x1B]) == [])
    #expect(reader.read([0x5B]) == [])
    #expect(reader.read([0x44, 0x71]) == [.left, .character("q")])
  }

  @Test func aLoneEscapeIsAKeyOnceNothingFollows() {
    var reader = KeyReader()
    #expect(reader.read([0x1B]) == [])
    #expect(reader.flush() == [.escape])
    #expect(reader.read(Array("a".utf8)) == [.character("a")])
  }

  @Test func dropsWhatItDoesNotKnow() {
    var reader = KeyReader()
    #expect(reader.read(Array("\u{1B}[15~\u{1B}[1;5Cx".utf8)) == [.right, .character("x")])
    #expect(reader.read([0x01, 0xC3, 0xA9]) == [])
  }

  @Test func lanesAreTappedByArrowsAndDigits() {
    let keys = LaneKeys(lanes: ["left", "right", "top"])
    #expect(keys.meaning(of: .left) == .tap(lane: "left"))
    #expect(keys.meaning(of: .up) == .tap(lane: "top"))
    #expect(keys.meaning(of: .character("2")) == .tap(lane: "right"))
    #expect(keys.meaning(of: .down) == .nothing)
    #expect(keys.meaning(of: .character("4")) == .nothing)
    #expect(keys.meaning(of: .character("q")) == .quit)
    #expect(keys.hint == "← left, → right, ↑ top; q ends")
  }

  @Test func withoutLanesEveryKeyTaps() {
    let keys = LaneKeys(lanes: [])
    #expect(keys.meaning(of: .character(" ")) == .tap(lane: nil))
    #expect(keys.meaning(of: .escape) == .quit)
  }
}
