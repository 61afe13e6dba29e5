// SPDX-License-Identifier: Apache-2.0

import Problems
import Rhythm

/// Beats as other programs write them: one map or several, and what their file says of the music.
public struct ImportedBeats: Equatable, Sendable {
  /// What people call the music; nil where the file does not say.
  public var title: String?
  /// The audio file, as this file names it: most likely beside it.
  public var audio: String?
  /// One for each difficulty, or each track of notes; never empty.
  public var maps: [ImportedMap]

  /// Beats of these maps.
  public init(title: String? = nil, audio: String? = nil, maps: [ImportedMap]) {
    self.title = title
    self.audio = audio
    self.maps = maps
  }

  /// The most bytes of a file.
  public static let maximumBytes = 8 << 20

  /// Reads a file of that format; `path` is what problems call it.
  public static func read(_ bytes: [UInt8], as format: BeatFormat, path: String) throws(Problem) -> ImportedBeats {
    guard bytes.count <= maximumBytes else {
      throw Problem(.tooLarge, file: path, "\(path) is larger than \(maximumBytes >> 20) MiB")
    }
    let read =
      switch format {
      case .osu: try OsuBeats.read(BeatText(bytes, path: path))
      case .stepMania: try StepBeats.read(BeatText(bytes, path: path))
      case .midi: try MIDIBeats.read(bytes, path: path)
      case .times: try TimeList.read(BeatText(bytes, path: path))
      }
    guard read.maps.contains(where: { !$0.beats.isEmpty }) else {
      throw Problem(.empty, file: path, "\(path) has no beats in it", remedy: "name a file with notes, or times")
    }
    return ImportedBeats(title: read.title, audio: read.audio, maps: read.maps.filter { !$0.beats.isEmpty })
  }
}

/// The beats of one difficulty, or of one track of notes.
public struct ImportedMap: Equatable, Sendable {
  /// What the file calls it; nil where it has one that needs no name.
  public var name: String?
  /// Names of the lanes; empty where there are none.
  public var lanes: [String]
  /// In microseconds from the beginning of the audio, as written: in any order, before its beginning too, several at once.
  public var beats: [Beat]
  /// Nil where the file tells of none, or of several.
  public var tempo: ImportedTempo?

  /// A map with these beats.
  public init(name: String? = nil, lanes: [String] = [], beats: [Beat], tempo: ImportedTempo? = nil) {
    self.name = name
    self.lanes = lanes
    self.beats = beats
    self.tempo = tempo
  }
}

/// The one tempo of a piece of music.
public struct ImportedTempo: Equatable, Sendable {
  /// Beats a minute, 1 to 1000.
  public var bpm: Double
  /// The first beat of a bar that is not before the audio's beginning, in microseconds.
  public var firstBeat: Int64
  /// Beats of a bar, 1 to 64.
  public var beatsPerBar: Int

  /// The tempo with a bar's first beat at `barAt` microseconds; nil where a pack cannot say it.
  public init?(bpm: Double, barAt: Double, beatsPerBar: Int) {
    guard (1...1_000).contains(bpm), (1...64).contains(beatsPerBar), abs(barAt) < 1e12 else { return nil }
    let bar = 60e6 / bpm * Double(beatsPerBar)
    let first = barAt.truncatingRemainder(dividingBy: bar)
    self.bpm = bpm
    // What is before the beginning by rounding alone is at it.
    firstBeat = Int64((first < -0.5 ? first + bar : max(0, first)).rounded())
    self.beatsPerBar = beatsPerBar
  }
}

/// What other programs write beats as.
public enum BeatFormat: String, Sendable, CaseIterable {
  /// A beatmap of osu!, `.osu`.
  case osu
  /// A simfile of StepMania, `.sm` or `.ssc`.
  case stepMania
  /// A Standard MIDI File, `.mid` or `.midi`.
  case midi
  /// Lines of text with a time each.
  case times

  /// The format that a file's name tells; nil where it tells none.
  public init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "osu": self = .osu
    case "sm", "ssc": self = .stepMania
    case "mid", "midi": self = .midi
    case "txt", "csv", "tsv": self = .times
    default: return nil
    }
  }
}
