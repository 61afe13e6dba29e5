// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import GamePacks

/// The schemas and the reader are made from the same declarations: what one refuses the other does, as far as a schema can see.
@Suite struct SchemaTests {
  private let oracle = SchemaOracle()

  private func file(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  /// Manifests that have every field between them.
  private func manifests() throws -> [String] {
    let page = try file("docs/packs.md").split(separator: "```", omittingEmptySubsequences: false)
    let example = page.first { $0.hasPrefix("json\n") }.map { String($0.dropFirst(5)) } ?? ""
    let rest = #"""
      {"name": "rest", "title": "Rest", "version": "1", "$schema": "x", "renderedBy": "make",
       "tracks": {"a": {"file": "a.ogg", "bpm": 90, "beatsPerBar": 3, "gain": 1, "markers": {"in": 1},
         "stems": {"s": {"file": "s.ogg", "gain": 0}}}},
       "sounds": {"b": {"file": "b.wav"}, "c": {"file": "c.wav"}}, "patterns": {"p": {"file": "p.ahap"}},
       "parameters": {"q": {"default": 0.5, "targets": [{"track": "a", "stem": "s", "gain": {"power": 2}},
         {"bus": "music", "lowPass": {"points": [{"value": 0, "to": 20000}, {"value": 1, "to": 500}]}},
         {"sound": "b", "pitch": {"power": 1, "from": 0.5, "to": 2}}, {"pattern": "p", "sharpness": {"power": 1}}]}},
       "cues": {"all": {"align": "asap", "cooldown": 1, "steps": [
         {"sound": ["b", "c"], "choose": "inTurn", "gain": [0.5, 1], "pan": 0.5, "pitch": 1.5, "loop": false,
          "duck": {"depth": 0.5, "attack": 0.1, "hold": 0, "release": 1}},
         {"at": 1, "pattern": "p", "gain": 0.5, "rate": 2}, {"transient": {"intensity": 1, "sharpness": 0}},
         {"continuous": {"intensity": 1, "sharpness": 0, "duration": 1}}, {"music": {"play": "a", "fadeIn": 1, "fadeOut": 2}},
         {"music": {"gain": 0.5, "stem": "s", "fade": 1}}, {"music": {"stop": true}}, {"stop": {"sound": "b", "fade": 1}},
         {"stop": {"sounds": true}}, {"stop": {"pattern": "p"}}, {"stop": {"haptics": true}},
         {"parameter": "q", "value": 1, "over": 2}]}},
       "chapters": {"one": {"title": "One", "track": "a", "stems": {"s": 1}, "length": 9, "beats": [{"at": 1}],
         "grades": {"good": 0.1}}}}
      """#
    return [example, rest]
  }

  private func isOfShape(manifest text: String) -> Bool {
    let reading = PackManifest.read(Array(text.utf8), path: "pack.json")
    var faults = reading.faults?.faults ?? []
    for chapter in reading.manifest?.chapters.values.map(\.self) ?? [] {
      if case .faulty(let own) = chapter.beats { faults += own.faults }
    }
    return faults.allSatisfy(\.isBeyondSchema)
  }

  private func isOfShape(beats text: String) -> Bool {
    do throws(PackFaults) {
      _ = try BeatMapFile.parse(Array(text.utf8), path: "b").map(lanes: ["left"], length: 10_000_000)
      return true
    } catch { return error.faults.allSatisfy(\.isBeyondSchema) }
  }

  /// The document with one value after another put in place of each part, left out, or with a member too many.
  private func broken(_ whole: JSONThing) -> [JSONThing] {
    let others = [
      "null", "true", "false", "\"x\"", "\"\"", "\"A b\"", "-1", "0", "1.5", "1e9", "[]", "{}", "[1, 2]",
      "[\"b\", \"b\"]",
    ].compactMap { try? JSONThing($0) }
    switch whole {
    case .object(let members):
      var own: [JSONThing] = [.object(members.merging(["zzz": .number(1)]) { old, _ in old })]
      for (name, value) in members {
        own.append(.object(members.filter { $0.key != name }))
        own += broken(value).map { .object(members.merging([name: $0]) { _, new in new }) }
      }
      return others + own
    case .array(let elements):
      return others
        + elements.indices.flatMap { place in
          broken(elements[place]).map { new in
            var changed = elements
            changed[place] = new
            return .array(changed)
          }
        }
    default: return others
    }
  }

  @Test func manifestsAreReadAsTheSchemaHasThem() throws {
    let schema = try JSONThing(PackSchema.pack.text)
    var (asked, refused) = (0, 0)
    for text in try manifests() {
      #expect(PackManifest.read(Array(text.utf8), path: "p").faults == nil)
      let whole = try JSONThing(text)
      #expect(try oracle.accepts(whole, by: schema))
      for document in broken(whole) {
        let isAccepted = try oracle.accepts(document, by: schema)
        asked += 1
        if !isAccepted { refused += 1 }
        let text = document.text
        #expect(isAccepted == isOfShape(manifest: text), "\(text)")
      }
    }
    #expect(asked > 3_000 && refused > 2_000, "\(asked), \(refused)")
  }

  @Test func beatMapsAreReadAsTheSchemaHasThem() throws {
    let schema = try JSONThing(PackSchema.beats.text)
    let whole = try JSONThing(
      #"{"$schema": "x", "bpm": 85, "beats": [{"at": 1, "lane": "left"}, {"at": 2, "lane": "left"}]}"#)
    for document in [whole] + broken(whole) {
      let text = document.text
      #expect(try oracle.accepts(document, by: schema) == isOfShape(beats: text), "\(text)")
    }
  }

  /// From where they are in the source as from where they are installed.
  @Test(arguments: ["starlight-sync/pack", "freefall/pack", "feedback/pack", "starlight-sync/firewall.beats"])
  func filesThatAreShippedNameTheirSchemaAndKeepToIt(name: String) throws {
    let schema: PackSchema = name.hasSuffix(".beats") ? .beats : .pack
    let shipped = try JSONThing(file("Patterns/\(name).json"))
    #expect(shipped["$schema"] == .text("../../schemas/" + schema.fileName))
    #expect(try oracle.accepts(shipped, by: JSONThing(schema.text)))
    #expect(try file("scripts/write-schemas").contains("$kind.schema.json"))
  }

  /// Names of files, for which the schema has a pattern.
  @Test(arguments: [
    "a.wav", "audio/a b.wav", "..a.wav", "tiefe/ordner/ä.flac", "a..", "...", "/a", "../a", "a/../b", "a//b", "./a", "",
    ".", "..",
    "a/", "a/.", "a/..", "a/.b", "a\u{1}b", "a\u{7F}",
  ])
  func namesOfFilesAreThoseThatTheReaderTakes(name: String) throws {
    let file = try #require(
      JSONThing(PackSchema.pack.text)["properties"]?["patterns"]?["additionalProperties"]?["properties"]?["file"])
    #expect(try oracle.accepts(.text(name), by: file) == (refusalOfFileName(name) == nil))
  }
}
