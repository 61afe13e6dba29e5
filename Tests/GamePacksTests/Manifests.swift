// SPDX-License-Identifier: Apache-2.0

import GamePacks

/// A small manifest with one of everything; `replacing` exchanges pieces of its text.
func manifest(_ replacements: (String, String)...) throws(PackFaults) -> PackManifest {
  try PackManifest.parse(Array(replaced(replacements).utf8), path: "pack.json")
}

/// The text of it.
func replaced(_ replacements: [(String, String)]) -> String {
  var text = """
    {
      "name": "demo", "title": "Demo", "version": "1",
      "tracks": {"main": {"file": "audio/main.ogg", "bpm": 85.5, "firstBeat": 0.706, "loop": {"start": 1.5, "end": 9.25}}},
      "sounds": {"sfx_click": {"file": "click.wav", "gain": 0.5}, "hello": {"file": "hello.wav", "bus": "voice"}},
      "patterns": {"thud": {"file": "thud.ahap"}},
      "cues": {"go": {"steps": [
        {"sound": "sfx_click", "gain": 0.25},
        {"at": 0.1, "pattern": "thud"},
        {"at": 0.2, "music": {"play": "main", "crossfade": 2, "fadeCurve": "linear", "from": "continue"}},
        {"at": 3, "music": {"stop": true, "fade": 0}}
      ]}},
      "chapters": {"one": {
        "title": "One", "track": "main", "length": 10, "lanes": ["left", "right"],
        "assist": {"after": 5, "window": 0.3},
        "beats": [{"at": 0.706, "lane": "left"}, {"at": 2.1177, "lane": "right"}],
        "feedback": {"complete": "go"}
      }},
      "ducking": [{"sound": "hello", "depth": 0.3}],
      "settings": {"musicOff": "pause"}
    }
    """
  for (old, new) in replacements {
    let parts = text.split(separator: old, omittingEmptySubsequences: false)
    precondition(parts.count == 2, "\(old) is there \(parts.count - 1) times")
    text = parts[0] + new + parts[1]
  }
  return text
}

/// What is said of a manifest with those replacements, or of the beats in it; "" where all is taken.
func refusal(_ old: String, _ new: String) -> String {
  do throws(PackFaults) {
    for chapter in try manifest((old, new)).chapters.values {
      if case .faulty(let faults) = chapter.beats { return faults.description }
    }
    return ""
  } catch { return error.description }
}
