// SPDX-License-Identifier: Apache-2.0

import ImportedBeats
import Problems
import Rhythm
import Testing

/// What is read of a text.
func read(_ text: String, as format: BeatFormat) throws(Problem) -> ImportedBeats {
  try ImportedBeats.read(Array(text.utf8), as: format, path: "file")
}

/// What is told of a text that is refused; "" where it is not.
func refusal(of text: String, as format: BeatFormat) -> String { refusal(of: Array(text.utf8), as: format) }

/// What is told of bytes that are refused; "" where they are not.
func refusal(of bytes: [UInt8], as format: BeatFormat) -> String {
  do throws(Problem) {
    _ = try ImportedBeats.read(bytes, as: format, path: "file")
    return ""
  } catch {
    return error.description
  }
}

extension ImportedMap {
  /// "706000 left" of each beat.
  var lines: [String] {
    beats.map { beat in "\(beat.at)" + (beat.lane.map { " " + lanes[$0] } ?? "") }
  }
}
