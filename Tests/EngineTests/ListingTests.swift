// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Problems
import Testing
import Wire

@testable import Engine

/// What lists tell is bounded, whatever packs hold.
@Suite struct ListingTests {
  private let me = ClientID(rawValue: 1)

  /// A pack of so many cues with names of 64 letters.
  private func pack(_ name: String, cues: Int, steps: String = "") throws -> Catalog.Pack {
    let cues = (0..<cues).map { number in
      #""\#(String(repeating: "a", count: 60))\#(1_000 + number)": {"steps": [\#(steps)]}"#
    }
    let text = """
      {"name": "\(name)", "title": "T", "version": "1", "sounds": {"s": {"file": "s.wav"}},
       "cues": {\(cues.joined(separator: ","))}}
      """
    return Catalog.Pack(manifest: try PackManifest.parse(Array(text.utf8), path: "pack.json"), path: "/\(name)")
  }

  private func engine(_ packs: [Catalog.Pack]) throws -> Engine {
    Engine(
      catalog: Catalog(packs: packs), configuration: Engine.Configuration(), turn: EngineFixture.output(at: 1_000_000))
  }

  @Test func packsAreListedAPageAtATime() throws {
    // Each comes to 70 KB, so that two fit into a page.
    let engine = try engine(["a", "b", "c", "d", "e"].map { try pack($0, cues: 1_000) })
    let first = try engine.packList(PackList.Params(), for: me)
    #expect(first.packs.map(\.name) == ["a", "b"] && first.more == true)
    let second = try engine.packList(PackList.Params(after: "b"), for: me)
    #expect(second.packs.map(\.name) == ["c", "d"] && second.more == true)
    let last = try engine.packList(PackList.Params(after: "d"), for: me)
    #expect(last.packs.map(\.name) == ["e"] && last.more == nil)
    #expect(try engine.packList(PackList.Params(after: "e"), for: me).packs.isEmpty)
    #expect(throws: RPCError.self) { try engine.packList(PackList.Params(after: "x"), for: me) }
    for page in [first, second, last] { #expect(try encodeJSON(page).count <= PackManifest.mostListedBytes) }
  }

  @Test func aPackOfWhichMoreIsToldThanAPageIsRefused() throws {
    #expect(try pack("a", cues: 2_800).manifest.listedBytes <= 192 << 10)
    let refused = #expect(throws: PackFaults.self) { try pack("a", cues: 2_900) }
    #expect(refused?.faults.count == 1)
    #expect(refused?.faults.first?.reason.hasSuffix("bytes; 196608 is the most") == true)
  }

  @Test func aPageOfCuesOfManyStepsIsNoLongerThan32Kilobytes() throws {
    let steps = Array(repeating: #"{"at": 3600, "sound": "s", "loop": true}"#, count: 32).joined(separator: ",")
    let engine = try engine([try pack("a", cues: 100, steps: steps), try pack("b", cues: 3)])
    var names: [String] = []
    var more = true
    while more {
      let page = try engine.cueList(CueList.Params(after: names.last))
      let bytes = try encodeJSON(page).count
      #expect((1...64).contains(page.cues.count) && bytes <= 32_768, "\(bytes) bytes")
      names += page.cues.map(\.name)
      more = page.more
    }
    let wanted = [("a", 100), ("b", 3)].flatMap { pack, count in
      (1_000..<1_000 + count).map { "\(pack):" + String(repeating: "a", count: 60) + "\($0)" }
    }
    #expect(names == wanted)
  }

  /// The numbers are the longest that there are.
  @Test func aPageOfParametersIsNoLongerThan32Kilobytes() throws {
    let names = (10..<74).map { String(repeating: "p", count: 62) + "\($0)" }
    let packs = try ["a", String(repeating: "b", count: 63), "c"].map { pack in
      let parameters = names.map {
        #""\#($0)": {"default": 0.12345678901234567, "targets": [{"bus": "sound", "gain": {"power": 1}}]}"#
      }
      let text =
        #"{"name": "\#(pack)", "title": "T", "version": "1", "parameters": {\#(parameters.joined(separator: ","))}}"#
      return Catalog.Pack(manifest: try PackManifest.parse(Array(text.utf8), path: "pack.json"), path: "/\(pack)")
    }
    var engine = try engine(packs)
    for name in names {
      _ = try engine.setParameter(
        ParameterSet.Params(parameter: "a:" + name, value: 0.98765432109876543, overUs: 60_000_000),
        by: Cause(client: me, user: 7))
    }
    var told: [String] = []
    var pages = 0
    var more = true
    while more {
      let page = try engine.listParameters(ParameterList.Params(after: told.last))
      let bytes = try encodeJSON(page).count
      #expect(bytes > 20_000 || !page.more)
      #expect(bytes <= 32_768)
      told += page.parameters.map(\.parameter)
      (more, pages) = (page.more, pages + 1)
    }
    #expect(pages > 1 && told == packs.flatMap { pack in names.map { pack.manifest.name + ":" + $0 } })
    // Behind one that is gone it goes on with what is next.
    let between = try engine.listParameters(ParameterList.Params(after: "c:" + names[62] + "x"))
    #expect(between.parameters.map(\.parameter) == ["c:" + names[63]] && !between.more)
    #expect(throws: RPCError.self) { try engine.listParameters(ParameterList.Params(after: "d:x")) }
  }

  @Test func aCueThatIsLongerIsAPageOfItsOwn() throws {
    let names = (10..<26).map { String(repeating: "b", count: 62) + "\($0)" }
    let step = #"{"sound": [\#(names.map { "\"\($0)\"" }.joined(separator: ","))]}"#
    let sounds = names.map { #""\#($0)": {"file": "s.wav"}"# }.joined(separator: ",")
    let steps = Array(repeating: step, count: 64).joined(separator: ",")
    let cues = (10..<20).map { #""c\#($0)": {"steps": [\#(steps)]}"# }.joined(separator: ",")
    let text = #"{"name": "a", "title": "T", "version": "1", "sounds": {\#(sounds)}, "cues": {\#(cues)}}"#
    let manifest = try PackManifest.parse(Array(text.utf8), path: "pack.json")
    let engine = try engine([Catalog.Pack(manifest: manifest, path: "/a")])
    var after: String?
    var pages = 0
    repeat {
      let page = try engine.cueList(CueList.Params(after: after))
      let bytes = try encodeJSON(page).count
      #expect(page.cues.count == 1 && bytes < 80_000)
      pages += 1
      after = page.more ? page.cues.last?.name : nil
    } while after != nil
    #expect(pages == 10)
  }

  @Test func whatIsAtFaultIsRefusedByItsOwnFirstProblem() throws {
    var faulty = try pack("a", cues: 1)
    let missing = { (name: String) in Problem(.missing, file: "/a/\(name)", "\(name) is missing") }
    faulty.problems = [
      missing("t.wav").of(.init(.track, "s")), missing("pack"), missing("s.wav").of(.init(.sound, "s")),
      missing("later.wav").of(.init(.sound, "s")),
    ]
    var engine = try engine([faulty])
    let cause = Cause(client: me, user: 7)
    let error = #expect(throws: RPCError.self) { try engine.playSound(SoundPlay.Params(sound: "a:s"), by: cause) }
    #expect(error?.message == "sound a:s is not available: s.wav is missing")
  }

  @Test func ofManyProblemsTheFirstAreToldAndHowManyThereAre() throws {
    var full = try pack("a", cues: 1)
    full.problems = (0..<4_000).map { Problem(.missing, file: "/a/\($0).wav", "/a/\($0).wav is missing") }
    let engine = try engine([full, try pack("b", cues: 1)])
    let listed = try engine.packList(PackList.Params(), for: me).packs[0].problems
    #expect(listed.count == 17 && listed[15].reason == "/a/15.wav is missing")
    #expect(listed[16].reason == "3984 more problems are not listed")
    #expect(engine.packProblems.count == 65)
  }
}
