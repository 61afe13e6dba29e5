// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import GamePacks

/// docs/packs.md says what is so.
@Suite struct PackPageTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/packs.md")

  private func page() throws -> String { String(decoding: try Data(contentsOf: Self.file), as: UTF8.self) }

  /// The blocks between three backticks and `language`, and three backticks.
  private func blocks(_ language: String) throws -> [String] {
    let parts = try page().split(separator: "```", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { $0.hasPrefix(language + "\n") }
      .map { String($0.dropFirst(language.count + 1)) }
  }

  @Test func itsExampleIsAPack() throws {
    let pack = try PackManifest.parse(Array(blocks("json")[0].utf8), path: "pack.json")
    #expect(pack.tracks["storm"]?.loop == .region(start: .seconds(4), end: .seconds(68)))
    #expect(pack.cues["lit"]?.steps.count == 3)
    guard case .map(let drill)? = pack.chapters["drill"]?.beats else {
      Issue.record("the drill has no beats")
      return
    }
    #expect(drill.beats.count == 12)
    let file = try BeatMapFile.parse(Array(blocks("json")[1].utf8), path: "signals.beats.json")
    #expect(try pack.chapter(named: "signals").beatMap(from: file).beats.count == 2)
  }

  @Test func everyFieldIsOnIt() throws {
    let page = try page()
    func check<Keys: CodingKey & CaseIterable>(_ keys: Keys.Type) {
      for key in keys.allCases {
        #expect(page.contains("`\(key.stringValue)`"), "\(keys) \(key.stringValue)")
      }
    }
    check(PackManifest.Keys.self)
    check(PackTrack.Keys.self)
    check(PackSound.Keys.self)
    check(PackCue.Keys.self)
    check(PackCue.Step.Keys.self)
    check(CueMusic.Keys.self)
    check(CueHaptic.ContinuousKeys.self)
    check(CueEnding.Keys.self)
    check(PackChapter.Keys.self)
    check(PackChapter.Feedback.Keys.self)
    check(PackGrid.Keys.self)
    check(PackSettings.Keys.self)
    check(DuckingSound.Keys.self)
    check(PackParameter.Keys.self)
    check(PackParameter.Target.Keys.self)
    check(ParameterCurve.Keys.self)
    check(ParameterCurve.PointKeys.self)
  }

  /// Each table between its marks is that of the declarations. With STARLIGHT_WRITE_PAGES set it is written there.
  @Test func itsTablesAreThoseOfTheDeclarations() throws {
    var page = try page()
    var shown: [PackTable] = []
    for table in PackTable.allCases {
      guard let start = page.firstRange(of: table.mark)?.upperBound,
        let end = page[start...].firstRange(of: PackTable.end)?.lowerBound
      else { continue }
      shown.append(table)
      if let isWriting = ProcessInfo.processInfo.environment["STARLIGHT_WRITE_PAGES"], !isWriting.isEmpty {
        page.replaceSubrange(start..<end, with: table.text)
      } else {
        #expect(
          page[start..<end] == table.text,
          "STARLIGHT_WRITE_PAGES=1 swift test --filter PackPageTests writes the table of \(table.rawValue)")
      }
    }
    #expect(shown == PackTable.allCases)
    #expect(page.matches(of: /<!-- fields:/).count == shown.count)
    if try page != self.page() { try Data(page.utf8).write(to: Self.file, options: .atomic) }
  }

  @Test(arguments: [
    (#""gain": 0.7"#, #""gain": -1"#), (#""pattern": "thud", "gain""#, #""patern": "thud", "gain""#),
    (#"{ "sound": "bell" }"#, #"{ "sound": "bel" }"#),
  ])
  func whatIsSaidOfABadOneIsWhatItShows(_ old: String, _ new: String) throws {
    let text = try blocks("json")[0]
    #expect(text.split(separator: old, omittingEmptySubsequences: false).count == 2)
    let said = #expect(throws: PackFaults.self) {
      try PackManifest.parse(Array(text.replacing(old, with: new).utf8), path: "pack.json")
    }
    let shown = try blocks("").joined().split(separator: "\n").map(String.init)
    #expect(shown.contains(said?.description ?? ""), "\(said?.description ?? "")")
  }

  @Test func whatCannotBePlayedIsRefused() throws {
    for (old, new, reason) in [
      (#""crossfade": 2"#, #""crossfade": 61"#, "is 61 s, outside 0 to 60 s"),
      (#""fade": 1.5"#, #""fade": 61"#, "is 61 s, outside 0 to 60 s"),
      (#""crossfade": 1,"#, #""crossfade": 61,"#, "is 61 s, outside 0 to 60 s"),
      (#""gain": 0.6"#, #""gain": 1.5"#, "is 1.5, outside 0 to 1"),
    ] {
      let text = try blocks("json")[0].replacing(old, with: new)
      let said = #expect(throws: PackFaults.self) { try PackManifest.parse(Array(text.utf8), path: "pack.json") }
      #expect(said?.faults.map(\.reason) == [reason])
    }
  }
}
