// SPDX-License-Identifier: Apache-2.0

import GamePacks
import ImportedBeats
import JSON
import Rhythm

/// A chapter of imported beats, as it is entered into a manifest.
struct ChapterOfBeats {
  var track: String
  /// Microseconds.
  var length: Int64
  /// Where its beats are, from the pack's folder on.
  var file: String
  var map: ImportedMap
  /// What of them can be tapped.
  var beats: [Beat]

  /// Its fields with their values as JSON.
  func fields(title: String) -> [(String, String)] {
    let whole = [title, map.name].compactMap(\.self).joined(separator: ", ")
    var fields = [
      ("title", jsonString(shortened(whole))), ("track", jsonString(track)),
      ("length", decimalText(Double(length) / 1e6)),
    ]
    if let window { fields.append(("window", decimalText(window))) }
    if !map.lanes.isEmpty { fields.append(("lanes", "[" + map.lanes.map(jsonString).joined(separator: ", ") + "]")) }
    return fields + [("beats", jsonString(file))]
  }

  /// Seconds, to the millisecond: half of the least that beats of a lane are apart; nil where that is not below the usual.
  private var window: Double? {
    var last: [Int: Int64] = [:]
    var least = Int64.max
    for beat in beats {
      if let before = last.updateValue(beat.at, forKey: beat.lane ?? 0) { least = min(least, beat.at - before) }
    }
    return least / 2 < 150_000 ? Double(least / 2_000) / 1e3 : nil
  }

  /// As long as a manifest's texts may be.
  private func shortened(_ title: String) -> String {
    var title = title
    while title.utf8.count > 200 { title.removeLast() }
    return title
  }
}
