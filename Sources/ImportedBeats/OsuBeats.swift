// SPDX-License-Identifier: Apache-2.0

import Problems
import Rhythm

/// A beatmap of osu! (https://osu.ppy.sh/wiki/en/Client/File_formats/osu_%28file_format%29): circles, and the beginnings
/// of sliders and of held notes, are beats; spinners are none.
enum OsuBeats {
  static func read(_ text: BeatText) throws(Problem) -> ImportedBeats {
    var map = OsuMap(text)
    for line in text.lines { try map.take(line) }
    guard map.hasHead else { throw map.headless(at: 0) }
    let imported = ImportedMap(
      name: map.version, lanes: map.lanes, beats: try map.beats(), tempo: steadyTempo(map.timing))
    return ImportedBeats(title: map.title, audio: map.audio, maps: [imported])
  }

  /// The lanes of a map of osu!mania by its number of keys: four are the arrows of a dance pad.
  static func lanes(keys: Int) -> [String] {
    keys == 4 ? ["left", "down", "up", "right"] : (0..<keys).map { String($0 + 1) }
  }

  /// A line of a map's timing that sets a tempo.
  struct Timing {
    /// Milliseconds.
    var at: Double
    /// Milliseconds.
    var beat: Double
    var meter: Int
  }

  /// The tempo, where all lines say the same and their bars agree to the millisecond.
  private static func steadyTempo(_ timing: [Timing]) -> ImportedTempo? {
    guard let first = timing.first else { return nil }
    let bar = first.beat * Double(first.meter)
    for other in timing.dropFirst() {
      let apart = (other.at - first.at).remainder(dividingBy: bar)
      guard other.meter == first.meter, abs(other.beat / first.beat - 1) < 1e-6, abs(apart) <= 1 else { return nil }
    }
    return ImportedTempo(bpm: 60_000 / first.beat, barAt: first.at * 1_000, beatsPerBar: first.meter)
  }
}

/// A map as far as its lines were taken in.
private struct OsuMap {
  private let text: BeatText
  private var section = ""
  private(set) var hasHead = false
  /// Maps before version 5 count from 24 ms before the audio.
  private var early: Double = 0
  private var mode = 0
  private var keys = 0
  private(set) var title: String?
  private(set) var version: String?
  private(set) var audio: String?
  private(set) var timing: [OsuBeats.Timing] = []
  private var objects: [Object] = []

  /// What is a beat; of which lane, the whole map says.
  private struct Object {
    /// Microseconds.
    var at: Int64
    var x: Double
    var sound: Double
    /// Where it stands in the text.
    var offset: Int
  }

  init(_ text: BeatText) { self.text = text }

  /// Names of the lanes: of the keys of osu!mania, of the two drums of osu!taiko.
  var lanes: [String] {
    switch mode {
    case 1: ["don", "kat"]
    case 3: OsuBeats.lanes(keys: keys)
    default: []
    }
  }

  func headless(at offset: Int) -> Problem {
    text.fault(
      at: offset, "is no beatmap of osu!: its first line is not \"osu file format v\" and a number",
      remedy: "name a .osu file; an .osz is a zip archive of such")
  }

  mutating func take(_ line: ArraySlice<UInt8>) throws(Problem) {
    let words = trimmed(line)
    if words.isEmpty || words.starts(with: Array("//".utf8)) { return }
    if !hasHead {
      let head = Array("osu file format v".utf8)
      guard words.starts(with: head), let number = decimal(words.dropFirst(head.count)) else {
        throw headless(at: words.startIndex)
      }
      hasHead = true
      early = number < 5 ? 24 : 0
      return
    }
    if words.first == UInt8(ascii: "["), words.last == UInt8(ascii: "]") {
      section = String(decoding: words.dropFirst().dropLast(), as: UTF8.self)
      return
    }
    switch section {
    case "General", "Metadata", "Difficulty": try takeEntry(words)
    case "TimingPoints": try takeTiming(words)
    case "HitObjects": try takeObject(words)
    default: break
    }
  }

  private mutating func takeEntry(_ line: ArraySlice<UInt8>) throws(Problem) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = trimmed(line[(colon + 1)...])
    let said = String(decoding: value, as: UTF8.self)
    switch String(decoding: trimmed(line[..<colon]), as: UTF8.self) {
    case "AudioFilename": audio = said.isEmpty ? nil : said
    case "Title": title = said.isEmpty ? nil : said
    case "Version": version = said.isEmpty ? nil : said
    case "Mode":
      guard let number = Int(said), (0...3).contains(number) else {
        throw text.fault(at: value.startIndex, "Mode must be 0 to 3, and is \(text.shown(value))")
      }
      mode = number
    case "CircleSize":
      let size = try text.number(value, "CircleSize")
      keys = (1...18).contains(size) ? Int(size) : 0
    default: break
    }
  }

  private mutating func takeTiming(_ line: ArraySlice<UInt8>) throws(Problem) {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count >= 2 else {
      throw text.fault(at: line.startIndex, "a timing point has a time and the length of a beat, at least")
    }
    let at = try text.number(fields[0], "the time of a timing point") + early
    let beat = try text.number(fields[1], "the length of a beat")
    // Others only change how fast sliders are.
    guard fields.count < 7 || trimmed(fields[6]).elementsEqual([UInt8(ascii: "1")]), beat > 0 else { return }
    let meter = fields.count > 2 ? try text.number(fields[2], "the beats of a bar") : 4
    timing.append(OsuBeats.Timing(at: at, beat: beat, meter: (1...64).contains(meter) ? Int(meter) : 4))
  }

  private mutating func takeObject(_ line: ArraySlice<UInt8>) throws(Problem) {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count >= 4 else {
      throw text.fault(at: line.startIndex, "a hit object has x, y, a time and a type, at least")
    }
    let x = try text.number(fields[0], "x")
    let at = (try text.number(fields[2], "the time of a hit object") + early) * 1_000
    guard abs(at) <= farthestBeat else {
      throw text.fault(
        at: fields[2].startIndex, "a time in milliseconds lies within a day, and is \(text.shown(fields[2]))")
    }
    let kind = try text.number(fields[3], "the type of a hit object")
    guard (0...255).contains(kind) else {
      throw text.fault(at: fields[3].startIndex, "a type is 0 to 255, and is \(text.shown(fields[3]))")
    }
    if Int(kind) & 8 != 0 { return }
    let sound = fields.count > 4 ? try text.number(fields[4], "the sound of a hit object") : 0
    objects.append(Object(at: Int64(at.rounded()), x: x, sound: sound, offset: fields[0].startIndex))
  }

  /// All of them, once every line was taken in: the mode and the number of keys may stand behind the hit objects.
  func beats() throws(Problem) -> [Beat] {
    if mode == 3, keys == 0, let first = objects.first {
      throw text.fault(
        at: first.offset, "a map of osu!mania needs a CircleSize of 1 to 18: its number of keys")
    }
    return objects.map { Beat(at: $0.at, lane: lane(of: $0)) }
  }

  private func lane(of object: Object) -> Int? {
    switch mode {
    case 1:
      // Whistle and clap are the rim.
      return (0...255).contains(object.sound) && Int(object.sound) & (2 | 8) != 0 ? 1 : 0
    case 3:
      return min(max(Int((min(max(object.x, 0), 512) * Double(keys) / 512).rounded(.down)), 0), keys - 1)
    default: return nil
    }
  }
}
