// SPDX-License-Identifier: Apache-2.0

import Problems
import Rhythm

/// A list of times, one a line: what people write by hand, what aubio's tools print, and the labels that Audacity exports.
///
/// A time is in seconds, `706ms` or `1:07.3`. Behind it, after spaces, a tab, a comma or a semicolon, may stand a lane; of
/// labels, which have two times, the second is passed over. Empty lines, what follows a `#`, and a head of names do not count.
enum TimeList {
  static func read(_ text: BeatText) throws(Problem) -> ImportedBeats {
    var (lanes, beats): ([String], [Beat]) = ([], [])
    var isFirst = true
    for line in text.lines {
      let words = line.prefix { $0 != UInt8(ascii: "#") }.split { isSpace($0) || $0 == 0x2C || $0 == 0x3B }
      guard let first = words.first else { continue }
      defer { isFirst = false }
      guard let at = time(first) else {
        if isFirst, isHead(first) { continue }
        throw text.fault(
          at: first.startIndex, "a line begins with a time, and this one with \(text.shown(first))",
          remedy: "write seconds, as in 1.5, or 706ms, or 1:07.3")
      }
      guard abs(at) <= farthestBeat else {
        throw text.fault(at: first.startIndex, "a time lies within a day, and is \(text.shown(first))")
      }
      let rest = words.dropFirst(words.count > 1 && time(words[1]) != nil ? 2 : 1)
      guard let written = rest.first else {
        beats.append(Beat(at: Int64(at.rounded())))
        continue
      }
      let name = nameForPack(String(decoding: written, as: UTF8.self))
      guard let name, rest.count == 1 else {
        throw text.fault(
          at: written.startIndex,
          "behind a time stands a lane, and not \(text.shown(written))\(rest.count == 1 ? "" : " and more")",
          remedy: "name it by one word of small letters, digits, _ and -")
      }
      if !lanes.contains(name) {
        guard lanes.count < 64 else {
          throw text.fault(
            at: written.startIndex, "there are more than 64 lanes", remedy: "take the words behind the times out")
        }
        lanes.append(name)
      }
      beats.append(Beat(at: Int64(at.rounded()), lane: lanes.firstIndex(of: name)))
    }
    if !lanes.isEmpty, let bare = beats.firstIndex(where: { $0.lane == nil }) {
      throw Problem(
        .syntax, file: text.path, "beat \(bare) of \(text.path) has no lane, and others have",
        remedy: "give each a lane, or none")
    }
    return ImportedBeats(title: nil, audio: nil, maps: [ImportedMap(lanes: lanes, beats: beats)])
  }

  /// Microseconds.
  private static func time(_ word: ArraySlice<UInt8>) -> Double? {
    if word.hasSuffix("ms") { return decimal(word.dropLast(2)).map { $0 * 1e3 } }
    if word.hasSuffix("s") { return decimal(word.dropLast()).map { $0 * 1e6 } }
    let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return decimal(word).map { $0 * 1e6 } }
    guard let minutes = Int(String(decoding: parts[0], as: UTF8.self)), (0...1_440).contains(minutes),
      let seconds = decimal(parts[1]), (0..<60).contains(seconds)
    else { return nil }
    return (Double(minutes) * 60 + seconds) * 1e6
  }

  private static func isHead(_ word: ArraySlice<UInt8>) -> Bool {
    ["time", "times", "at", "start", "second", "seconds", "beat", "onset"].contains(
      String(decoding: word, as: UTF8.self).lowercased())
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { suffix($0.count).elementsEqual($0) }
  }
}

/// A name as packs have them that is most like `text`: small letters, digits, _ and -, 64 at most; nil where nothing is left.
public func nameForPack(_ text: String, most: Int = 64) -> String? {
  var name = ""
  for scalar in text.lowercased().unicodeScalars {
    switch scalar {
    case "a"..."z", "0"..."9", "_": name.unicodeScalars.append(scalar)
    // Accents that stand by themselves, apostrophes.
    case "\u{300}"..."\u{36F}", "'", "\u{2019}": break
    default: if !name.isEmpty, name.last != "-" { name.append("-") }
    }
    if name.utf8.count == most { break }
  }
  while name.last == "-" { name.removeLast() }
  return name.isEmpty ? nil : name
}
