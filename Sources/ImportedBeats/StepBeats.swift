// SPDX-License-Identifier: Apache-2.0

import Problems
import Rhythm

/// A simfile of StepMania, `.sm` or `.ssc` (https://github.com/stepmania/stepmania/wiki/sm, .../ssc): taps, and the beginnings
/// of held notes and rolls, are beats; mines, lifts and fakes are none.
enum StepBeats {
  static func read(_ text: BeatText) throws(Problem) -> ImportedBeats {
    let tags = try StepTag.tags(of: text)
    guard
      tags.contains(where: {
        ["TITLE", "MUSIC", "NOTES", "VERSION"].contains($0.name) || StepTiming.Source.names.contains($0.name)
      })
    else {
      throw text.fault(at: 0, "is no simfile of StepMania: it has no tag as #BPMS", remedy: "name a .sm or .ssc file")
    }
    var result = ImportedBeats(title: nil, audio: nil, maps: [])
    // What a chart of an .ssc says of its own timing takes the place of what is said above all charts.
    var common = StepTiming.Source()
    var chart: Chart?
    for tag in tags {
      switch tag.name {
      case "TITLE" where chart == nil: result.title = tag.said
      case "MUSIC" where chart == nil: result.audio = tag.said
      case "NOTEDATA": chart = Chart(timing: common)
      case "STEPSTYPE": chart?.style = tag.said
      case "DIFFICULTY": chart?.difficulty = tag.said
      case "NOTES":
        if var own = chart {
          if own.hasOwnTiming { own.timing.fill(from: common) }
          result.maps.append(try map(of: own, notes: tag.values.last ?? [], text))
          chart = nil
        } else {
          guard tag.values.count >= 6 else {
            throw text.fault(
              at: tag.offset, "#NOTES has style, description, difficulty, meter, radar and notes, with : between")
          }
          var own = Chart(timing: common)
          (own.style, own.difficulty) = (tag.text(0), tag.text(2))
          result.maps.append(try map(of: own, notes: tag.values[5], text))
        }
      default:
        if chart == nil { try common.take(tag, text) } else { try chart?.take(tag, text) }
      }
    }
    return result
  }

  /// One difficulty.
  private struct Chart {
    var style: String?
    var difficulty: String?
    var timing: StepTiming.Source
    private(set) var hasOwnTiming = false

    init(timing: StepTiming.Source) { self.timing = timing }

    mutating func take(_ tag: StepTag, _ text: BeatText) throws(Problem) {
      guard StepTiming.Source.names.contains(tag.name) else { return }
      if !hasOwnTiming { timing = StepTiming.Source() }
      hasOwnTiming = true
      try timing.take(tag, text)
    }
  }

  private static func map(
    of chart: Chart, notes: ArraySlice<UInt8>, _ text: BeatText
  ) throws(Problem) -> ImportedMap {
    let notes = try StepNotes(notes, text)
    let timing = StepTiming(chart.timing)
    let beats = timing.beats(of: notes.taps)
    if let far = beats.first(where: { abs($0.at) > Int64(farthestBeat) }) {
      throw Problem(
        .invalidValue, file: text.path,
        "\(text.path) has a beat \(far.at / 1_000_000) s from the beginning, and the farthest is a day",
        remedy: "look at #BPMS, #STOPS and #OFFSET")
    }
    // Doubles of one style are called by that style.
    let style = chart.style.flatMap { $0 == "dance-single" ? nil : $0 }
    let name = [style, chart.difficulty].compactMap(\.self).joined(separator: " ")
    return ImportedMap(
      name: name.isEmpty ? nil : name, lanes: lanes(style: chart.style, count: notes.width), beats: beats,
      tempo: timing.steadyTempo)
  }

  private static func lanes(style: String?, count: Int) -> [String] {
    switch (style, count) {
    case ("pump-single", 5): ["down-left", "up-left", "centre", "up-right", "down-right"]
    case (_, 4): ["left", "down", "up", "right"]
    default: (0..<count).map { String($0 + 1) }
    }
  }
}

/// A tag of a simfile: `#NAME:value:value;`.
struct StepTag {
  /// In capitals.
  let name: String
  /// Where it begins.
  let offset: Int
  /// What stands between the colons: parts of the text, comments blanked.
  let values: [ArraySlice<UInt8>]

  /// The whole of what it says; nil where it says nothing.
  var said: String? {
    let text = values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ":")
    return Self.unescaped(text)
  }

  /// One of its values; nil where it is empty.
  func text(_ index: Int) -> String? { Self.unescaped(String(decoding: values[index], as: UTF8.self)) }

  private static func unescaped(_ text: String) -> String? {
    let text = String(decoding: trimmed(Array(text.utf8)[...]), as: UTF8.self)
    return text.isEmpty ? nil : text.filter { $0 != "\\" }
  }

  /// All tags. One without its semicolon ends where the next begins a line.
  static func tags(of text: BeatText) throws(Problem) -> [StepTag] {
    let bytes = withoutComments(text.bytes)
    var tags: [StepTag] = []
    var at = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "#")) {
      var (parts, from, end): ([ArraySlice<UInt8>], Int, Int) = ([], start + 1, start + 1)
      var isLineStart = false
      scan: while end < bytes.count {
        switch bytes[end] {
        case UInt8(ascii: ";"): break scan
        case UInt8(ascii: "#") where isLineStart: break scan
        case UInt8(ascii: ":"):
          parts.append(bytes[from..<end])
          from = end + 1
        case UInt8(ascii: "\\"): end += 1
        default: break
        }
        if end < bytes.count { isLineStart = bytes[end] == 0x0A || (isLineStart && isSpace(bytes[end])) }
        end += 1
      }
      end = min(end, bytes.count)
      parts.append(bytes[from..<max(from, end)])
      let name = String(decoding: trimmed(parts[0]), as: UTF8.self).uppercased()
      guard name.utf8.count <= 64 else {
        throw text.fault(at: start, "a tag has a name, a colon and a value, as in #OFFSET:0;")
      }
      tags.append(StepTag(name: name, offset: start, values: Array(parts.dropFirst())))
      at = end
    }
    return tags
  }

  /// Blanks what follows `//` in a line, so that all places stay.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var isComment = false
    for index in bytes.indices {
      if bytes[index] == 0x0A { isComment = false }
      if bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") {
        isComment = true
      }
      if isComment { bytes[index] = 0x20 }
    }
    return bytes
  }
}
