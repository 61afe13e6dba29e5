// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing
import Wire

/// What refuses values that are no values of their field speaks of the field, to a person, and not of how it was read.
@Suite struct RandomWordsTests {
  /// But for what the server answers itself.
  private static let fields = Described.all.filter {
    !["session.hello", "events.subscribe", "events.unsubscribe", "engine.stats"].contains($0.method)
  }

  /// Values of every kind, and such as are written for another.
  private static let values = [
    "null", "true", "[]", "{}", "0", "-1", "0.5", "1e-400", "1e400", "9223372036854775808", "\"\"", "\"null\"",
    "\"true\"", "\"0\"", "\"mussic\"", "[null]", "{\"a\":null}", "\"\\ud800\"",
  ]

  /// Words of a decoder or of the language that it is written in.
  private static let foreign = [
    "through `", "plugplug", "Expected", "ecod", "CodingKey", "debugDescription", "typeMismatch", "NotFound",
    "Optional(", "Swift", "nil ",
  ]

  @Test func whatRefusesAValueNamesItsFieldInAPersonsWords() throws {
    try search(upTo: 40) { random in
      let rig = try HostRig(manifest: Self.manifest)
      for _ in 0..<100 {
        let field = random.pick(Self.fields)
        let value = random.pick(Self.values)
        let params = field.path.reversed().reduce(value) { inner, name in
          name == "0" ? "[\(inner)]" : "{\"\(name)\":\(inner)}"
        }
        let reply = rig.ask(field.method, params)
        guard case .reply(_, .failure(let error))? = ServerMessage(line: Array(reply.utf8)) else { continue }
        let sent = "\(field.method) \(params)"
        for text in [error.message, error.data.hint ?? ""] {
          try hold(
            !Self.foreign.contains(where: text.contains), "\(sent) is answered by a parser's words: \(text)")
        }
        // Of a value that is no text no name can have been meant.
        try hold(
          value.hasPrefix("\"") || !error.message.contains("did you mean"), "\(sent) was meant: \(error.message)")
        if error.message.contains("must be") {
          let name = field.path.last { $0 != "0" } ?? ""
          try hold(error.message.contains(name), "\(sent) is refused, and not for that: \(error.message)")
        }
      }
    }
  }

  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav", "bpm": 120}},
     "sounds": {"click": {"file": "click.wav"}}, "cues": {"go": {"steps": [{"at": 0, "sound": "click"}]}},
     "parameters": {"low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}}}
    """
}
