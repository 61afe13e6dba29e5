// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON

/// A small pack with one of everything, to begin from.
struct PackTemplate {
  let name: String
  /// The folder of the schemas, where they are installed.
  var schemas: String?

  /// Its files that are text, by their names.
  var texts: [(file: String, text: String)] {
    [("pack.json", manifest), ("knock.ahap", Self.knock), ("first.beats.json", beats)]
  }

  /// Its sounds, by the names of their files.
  var sounds: [(file: String, frames: [Float])] { [("loop.wav", Self.loop), ("bell.wav", Self.bell)] }

  /// A manifest that names the pack, and nothing else.
  var bareManifest: String { "{\n\(head)\n}\n" }

  private var head: String {
    """
    \(schemaLine(.pack))  "name": "\(name)",
      "title": "\(name.prefix(1).uppercased() + name.dropFirst())",
      "version": "0.1"
    """
  }

  private var manifest: String {
    """
    {
    \(head),
      "tracks": {
        "loop": { "file": "loop.wav", "bpm": 120 }
      },
      "sounds": {
        "bell": { "file": "bell.wav", "gain": 0.8 }
      },
      "patterns": {
        "knock": { "file": "knock.ahap" }
      },
      "cues": {
        "hello": { "steps": [{ "sound": "bell" }, { "pattern": "knock" }] },
        "hit": { "steps": [{ "transient": { "intensity": 0.6, "sharpness": 0.8 } }] },
        "done": { "steps": [{ "sound": "bell" }, { "music": { "stop": true, "fade": 1 } }] }
      },
      "chapters": {
        "first": {
          "title": "First",
          "track": "loop",
          "length": 12,
          "window": 0.15,
          "lanes": ["left", "right"],
          "beats": "first.beats.json",
          "feedback": { "hit": "hit", "complete": "done" }
        }
      }
    }

    """
  }

  /// For editors; nothing where no schema is installed.
  private func schemaLine(_ schema: PackSchema) -> String {
    schemas.map { "  \"$schema\": \(jsonString("file://\($0)/\(schema.fileName)")),\n" } ?? ""
  }

  /// A beat a second, left and right in turn.
  private var beats: String {
    let beats = (2...10).map { #"    { "at": \#($0), "lane": "\#($0.isMultiple(of: 2) ? "left" : "right")" }"# }
    return "{\n\(schemaLine(.beats))  \"bpm\": 120,\n  \"beats\": [\n\(beats.joined(separator: ",\n"))\n  ]\n}\n"
  }

  private static let knock = """
    {
      "Version": 1.0,
      "Pattern": [
        {
          "Event": {
            "Time": 0.0,
            "EventType": "HapticTransient",
            "EventParameters": [
              { "ParameterID": "HapticIntensity", "ParameterValue": 1.0 },
              { "ParameterID": "HapticSharpness", "ParameterValue": 0.3 }
            ]
          }
        }
      ]
    }

    """

  /// Two bars of a drum, the first beat of each with a tick.
  private static var loop: [Float] {
    let drum = StruckTone(hertz: 60, decay: 0.12).frames(seconds: 0.5)
    let tick = StruckTone(hertz: 1_500, decay: 0.01).frames(seconds: 0.5)
    let first = zip(drum, tick).map { 0.5 * ($0 + 0.3 * $1) }
    let other = drum.map { 0.5 * $0 }
    let bar = first + other + other + other
    return bar + bar
  }

  private static var bell: [Float] {
    zip(
      StruckTone(hertz: 880, decay: 0.3).frames(seconds: 1.5), StruckTone(hertz: 2_430, decay: 0.1).frames(seconds: 1.5)
    )
    .map { 0.5 * (0.6 * $0 + 0.4 * $1) }
  }
}
