// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import CommandLineTool

/// A pattern that is too large for a daemon is refused before it is sent, by its size and with what to do.
@Suite struct SendablePatternTests {
  private func source(events: Int) throws -> PatternSource {
    let event = #"{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": []}}"#
    let text = "{\"Pattern\": [\(Array(repeating: event, count: events).joined(separator: ",\n"))]}"
    return try PatternSource(file: "./long.ahap", Array(text.utf8))
  }

  @Test func whatADaemonTakesIsSent() throws {
    #expect(try source(events: 100).sendable() != nil)
    #expect(try PatternSource("heartbeat").sendable() == nil)
  }

  @Test func whatIsLargerIsToldByItsSizeAndNotByALineOfTheSocket() throws {
    for events in [2_500, 8_000] {
      let failure = try #require(throws: ToolFailure.self) { try source(events: events).sendable() }
      #expect(failure.message.hasPrefix("long.ahap has ") && failure.message.contains("\(HapticsPlay.longestInline)"))
      #expect(failure.hint?.contains("pack") == true && failure.hint?.contains("line") == false)
      #expect(failure.place?.file == "./long.ahap" && failure.kind == "badFile")
    }
  }
}
