// SPDX-License-Identifier: Apache-2.0

import Rhythm
import Testing

@testable import GamePacks

/// The grades of a chapter, as manifests write them.
@Suite struct GradeTests {
  private func manifest(_ grades: String) throws(PackFaults) -> PackManifest {
    let text = """
      {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav"}},
       "chapters": {"tap": {"title": "Tap", "track": "main", "length": 3, "window": 0.1, "grades": \(grades),
                            "beats": [{"at": 1}]}}}
      """
    return try PackManifest.parse(Array(text.utf8), path: "pack.json")
  }

  @Test func theyAreNamedWindowsTheNarrowestFirst() throws {
    let chapter = try manifest(#"{"perfect": 0.04, "great": 0.1}"#).chapters["tap"]
    #expect(
      chapter?.rules.grades == [Grade(name: "perfect", window: 40_000), Grade(name: "great", window: 100_000)])
  }

  @Test(arguments: [
    (#"{"a": 0.04, "b": 0.04}"#, "is 0.04 s, not wider than the grade before it; the narrowest comes first"),
    (#"{"a": 0.100001}"#, "is 0.100001 s, wider than the hit window, 0.1 s"),
    (#"{"a": 0}"#, "is 0 s, outside 0.000001 to 10 s"),
    (#"[0.1]"#, "must be an object of names and windows"),
    (#"{"a": "x"}"#, "must be a number"),
    (
      #"{"a": 0.01, "b": 0.02, "c": 0.03, "d": 0.04, "e": 0.05, "f": 0.06, "g": 0.07, "h": 0.08, "i": 0.09}"#,
      "has 9 grades; the most is 8"
    ),
  ])
  func whatIsNoneIsRefusedWhereItStands(grades: String, reason: String) throws {
    let refused = #expect(throws: PackFaults.self) { try manifest(grades) }
    #expect(refused?.faults.map(\.reason) == [reason])
    #expect(refused?.faults.allSatisfy { $0.field.hasPrefix("chapters.tap.grades") } == true)
  }
}
