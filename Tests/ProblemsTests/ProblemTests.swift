// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Problems
import Testing

/// What people read of a problem, and what programs do.
@Suite struct ProblemTests {
  @Test func theSentenceSaysWhereWhyAndWhatToDo() {
    let fault = Problem(
      .invalidValue, "is -1, outside 0 to 8", remedy: "mend it",
      where: .init(file: "game/pack.json", line: 7, column: 31, field: "sounds.bell.gain"))
    #expect(fault.description == "game/pack.json:7:31: sounds.bell.gain: is -1, outside 0 to 8; mend it")
    #expect(fault.cause == "game/pack.json:7:31: sounds.bell.gain: is -1, outside 0 to 8")
  }

  @Test func aFileByItselfIsNamedByTheReasonAlone() {
    let fault = Problem(.empty, file: "/game/bell.wav", "/game/bell.wav is empty (0 bytes)", remedy: "export it again")
    #expect(fault.description == "/game/bell.wav is empty (0 bytes); export it again")
    let known = fault.of(.init(.sound, "bell")).of(pack: "game")
    #expect(known.description == "pack game: sound bell: /game/bell.wav is empty (0 bytes); export it again")
    #expect(known.inPack.description == "sound bell: /game/bell.wav is empty (0 bytes); export it again")
    #expect(known.ofAsset.description == fault.description)
  }

  @Test func whatIsKnownOfThePlaceIsNotReplaced() {
    let fault = Problem(.missing, "is not there", where: .init(pack: "game", asset: .init(.track, "main")))
    #expect(fault.of(.init(.sound, "bell")).of(pack: "other") == fault)
  }

  @Test func everyKindIsOnTheProtocolsPageAndNoOther() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = String(decoding: try Data(contentsOf: root.appending(path: "docs/protocol.md")), as: UTF8.self)
    let table = try #require(page.split(separator: "| of | kinds |").last?.split(separator: "## ").first)
    let told = table.matches(of: #/`(\w+)`/#).map { String($0.1) }
    #expect(told == Problem.Kind.allCases.map(\.rawValue))
  }

  @Test func onTheWireItIsItsMembers() throws {
    let fault = Problem(
      .padDenied, "cannot open it", remedy: "join the group", where: .init(device: "Pad", file: "/dev/input/event3"))
    let written = try JSONEncoder().encode(fault)
    let members = try JSONDecoder().decode([String: Member].self, from: written)
    #expect(
      members == [
        "kind": .text("padDenied"), "reason": .text("cannot open it"), "remedy": .text("join the group"),
        "where": .object(["device": "Pad", "file": "/dev/input/event3"]),
      ])
    #expect(try JSONDecoder().decode(Problem.self, from: written) == fault)
  }

  private enum Member: Decodable, Equatable {
    case text(String)
    case object([String: String])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else {
        self = .object(try value.decode([String: String].self))
      }
    }
  }
}
