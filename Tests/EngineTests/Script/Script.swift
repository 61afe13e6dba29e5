// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What is asked of an engine and what comes of it, each a line at its milliseconds, as a marble diagram draws it:
///
///     try Script("""
///       0     play main
///       1000  pause at 1090
///       """).expect("""
///       heard
///       10    main begins
///       1090  main pauses over 5
///       told
///       10    music started main
///       1090  music paused main
///       """)
///
/// Time 0 is the fixture's start; what is asked for now is heard 10 ms later. Words for what is asked: `ScriptStage`; for
/// what comes: `ScriptLog`. A part (`heard`, `felt`, `told`) that is expected is expected whole, one that is not named may be
/// anything. The engine runs 5 s beyond the last line.
struct Script {
  private let lines: [ScriptLine]
  private let makeFixture: () throws -> EngineFixture

  /// A script over a fixture as it comes, or another one.
  init(_ text: String, fixture: @autoclosure @escaping () throws -> EngineFixture = try EngineFixture()) {
    lines = ScriptLine.lines(of: text)
    makeFixture = fixture
  }

  /// Plays it and holds what comes against the expected parts.
  func expect(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let log = try play(sourceLocation)
    for part in ScriptPart.parts(of: expected) {
      let came = log.lines(of: part.name)
      #expect(
        came == part.lines, "\(part.name) came as:\n\(came.joined(separator: "\n"))", sourceLocation: sourceLocation)
    }
  }

  private func play(_ sourceLocation: SourceLocation) throws -> ScriptLog {
    var stage = ScriptStage(fixture: try makeFixture())
    for line in lines {
      stage.run(toUs: line.us)
      do {
        let found = try stage.carryOut(line)
        #expect(found == nil, "\(line.text): \(found ?? "")", sourceLocation: sourceLocation)
      } catch let refusal as RPCError {
        #expect(refusal.data.kind == line.refusal, "\(line.text): \(refusal.message)", sourceLocation: sourceLocation)
        continue
      }
      #expect(line.refusal == nil, "\(line.text): it was not refused", sourceLocation: sourceLocation)
    }
    stage.run(toUs: (lines.last?.us ?? 0) + 5_000_000)
    return stage.log
  }
}

/// A part of what is expected: its name, and its lines with their gaps evened out.
private struct ScriptPart {
  var name: String
  var lines: [String] = []

  static func parts(of text: String) -> [ScriptPart] {
    var parts: [ScriptPart] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 1, let name = words.first {
        parts.append(ScriptPart(name: String(name)))
      } else if !words.isEmpty {
        parts[parts.count - 1].lines.append(words.joined(separator: " "))
      }
    }
    return parts
  }
}
