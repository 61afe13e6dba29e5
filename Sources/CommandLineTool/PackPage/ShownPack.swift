// SPDX-License-Identifier: Apache-2.0

/// All that is shown of a pack, as values: what a page draws, and what a program reads.
struct ShownPack: Encodable {
  var name: String
  var title: String
  var version: String
  /// The folder it is in.
  var path: String
  var tracks: [ShownTrack]
  var sounds: [ShownSound]
  var patterns: [ShownPattern]
  var cues: [ShownCue]
  var chapters: [ShownChapter]
  var parameters: [ShownParameter]
  /// What is wrong with it, and what was most likely not meant, a sentence each.
  var problems: [String]
  var warnings: [String]
}

/// A file of sound, as it was measured; nothing where it cannot be played or is too long to be looked at.
struct ShownLevel: Encodable, Equatable {
  /// In LUFS, with the gain that the pack gives it: of a track the whole, of a sound its loudest 400 ms.
  var loudness: Double?
  /// Of its highest sample, in decibels below full scale, likewise; nothing for silence.
  var peakDb: Double?
  /// The highest sample of each of equal parts, 0 to 1, as recorded.
  var waveform: [Float]
}

struct ShownTrack: Encodable {
  var name: String
  var file: String
  /// Nothing where it cannot be played; so of all the others.
  var lengthUs: Int64?
  /// What is played again behind its end, where it loops.
  var loop: Span?
  var bpm: Double?
  var beatsPerBar: Int
  var firstBeatUs: Int64
  var gain: Double
  var markers: [Mark]
  var stems: [Stem]
  var level: ShownLevel?

  struct Span: Encodable, Equatable {
    var startUs: Int64
    var endUs: Int64
  }

  struct Mark: Encodable, Equatable {
    var name: String
    var positionUs: Int64
  }

  /// A stem, with the gain that its pack gives it.
  struct Stem: Encodable, Equatable {
    var name: String
    var gain: Double
  }
}

struct ShownSound: Encodable {
  var name: String
  var file: String
  var lengthUs: Int64?
  var gain: Double
  var bus: String
  var level: ShownLevel?
}

struct ShownPattern: Encodable {
  var name: String
  var file: String
  var lengthUs: Int64?
  var events: Int
  /// What is drawn of it.
  var envelope: Envelope?

  private enum CodingKeys: CodingKey { case name, file, lengthUs, events }
}

struct ShownCue: Encodable {
  var name: String
  var align: String?
  var cooldownUs: Int64
  var steps: [ShownStep]

  /// When the last of its steps has begun, or ended where that is known.
  var endUs: Int64 { steps.map { $0.atUs + ($0.lengthUs ?? 0) }.max() ?? 0 }
}

struct ShownStep: Encodable, Equatable {
  /// What a step does, as it is coloured.
  enum Kind: String, Encodable, CaseIterable {
    case sound, touch, music, stop, parameter
    /// It is at fault, and does not do what it would be read as.
    case faulty
  }

  var atUs: Int64
  var kind: Kind
  var text: String
  /// How long what it plays lasts; nothing where it goes on, or is over at once.
  var lengthUs: Int64?
  /// Whether it goes on until something else ends it.
  var goesOn: Bool
}

struct ShownChapter: Encodable {
  var name: String
  var title: String
  var track: String
  var lengthUs: Int64
  var windowUs: Int64
  var lanes: [String]
  var beats: Int
  /// Nothing where it is left out.
  var map: [ShownBeat]?

  private enum CodingKeys: CodingKey { case name, title, track, lengthUs, windowUs, lanes, beats }
}

/// A beat of a chapter: the lane is 0 where there are none.
struct ShownBeat: Equatable {
  var atUs: Int64
  var lane: Int
}

struct ShownParameter: Encodable {
  var name: String
  var standard: Double
  /// What it drives, a clause each.
  var drives: [String]
}
