// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// A beat of the music comes into sight.
public struct MusicBeatAhead: WireNotification {
  public static let name = "music.beatAhead"
  public static let topic = Topic.beats
  public static let summary =
    "A beat of the music will be heard at `beatUs`: reported at least 250 ms ahead, or as soon as it is known."

  /// The track, `pack:track`.
  public var track: String
  /// The beat of the track, counted from 0; a loop repeats it.
  public var beat: Int
  /// Its bar, counted from 0; the first beat of a bar has `beatInBar` 0.
  public var bar: Int
  /// Which beat of its bar it is, counted from 0.
  public var beatInBar: Int
  /// Like `beat`, but it goes on rising through loops.
  public var count: Int
  /// Beats a minute.
  public var bpm: Double
  /// The instant at which it is heard.
  public var beatUs: Int64

  public init(track: String, beat: Int, bar: Int, beatInBar: Int, count: Int, bpm: Double, beatUs: Int64) {
    self.track = track
    self.beat = beat
    self.bar = bar
    self.beatInBar = beatInBar
    self.count = count
    self.bpm = bpm
    self.beatUs = beatUs
  }

  /// When it is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { beatUs = moved(beatUs) }
}

/// A beat of the music is heard now.
public struct MusicBeat: WireNotification {
  public static let name = "music.beat"
  public static let topic = Topic.beats
  public static let summary = "A beat of the music is heard at `tUs`, which is when this is sent."

  /// The track, `pack:track`.
  public var track: String
  /// The beat of the track, counted from 0; a loop repeats it.
  public var beat: Int
  /// Its bar, counted from 0; the first beat of a bar has `beatInBar` 0.
  public var bar: Int
  /// Which beat of its bar it is, counted from 0.
  public var beatInBar: Int
  /// Like `beat`, but it goes on rising through loops.
  public var count: Int
  /// Beats a minute.
  public var bpm: Double

  public init(track: String, beat: Int, bar: Int, beatInBar: Int, count: Int, bpm: Double) {
    self.track = track
    self.beat = beat
    self.bar = bar
    self.beatInBar = beatInBar
    self.count = count
    self.bpm = bpm
  }

  /// The beat's.
  public var traced: (kind: TraceKind, id: Int64)? { (.musicBeat, Int64(count)) }
}

/// A beat that was reported ahead will not be heard then.
public struct MusicBeatRecalled: WireNotification {
  public static let name = "music.beatRecalled"
  public static let topic = Topic.beats
  public static let summary = "The beat that was to be heard at `beatUs` will not be: the music was changed before it."

  /// The track, `pack:track`.
  public var track: String
  /// The beat of the track, counted from 0, as it was reported.
  public var beat: Int
  /// Like `beat`, but it goes on rising through loops, as it was reported.
  public var count: Int
  /// The instant that was reported.
  public var beatUs: Int64

  public init(track: String, beat: Int, count: Int, beatUs: Int64) {
    self.track = track
    self.beat = beat
    self.count = count
    self.beatUs = beatUs
  }

  /// When it was to be heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { beatUs = moved(beatUs) }
}

/// A marker of the music comes into sight.
public struct MusicMarkerAhead: WireNotification {
  public static let name = "music.markerAhead"
  public static let topic = Topic.beats
  public static let summary =
    "A marker of the music will be heard at `markerUs`: reported at least 250 ms ahead, or as soon as it is known."

  /// The track, `pack:track`.
  public var track: String
  /// The marker's name, as the pack has it.
  public var marker: String
  /// The instant at which it is heard.
  public var markerUs: Int64

  public init(track: String, marker: String, markerUs: Int64) {
    self.track = track
    self.marker = marker
    self.markerUs = markerUs
  }

  /// When it is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { markerUs = moved(markerUs) }
}

/// A marker of the music is heard now.
public struct MusicMarker: WireNotification {
  public static let name = "music.marker"
  public static let topic = Topic.beats
  public static let summary = "A marker of the music is heard at `tUs`, which is when this is sent."

  /// The track, `pack:track`.
  public var track: String
  /// The marker's name, as the pack has it.
  public var marker: String

  public init(track: String, marker: String) {
    self.track = track
    self.marker = marker
  }
}

/// A marker that was reported ahead will not be heard then.
public struct MusicMarkerRecalled: WireNotification {
  public static let name = "music.markerRecalled"
  public static let topic = Topic.beats
  public static let summary =
    "The marker that was to be heard at `markerUs` will not be: the music was changed before it."

  /// The track, `pack:track`.
  public var track: String
  /// The marker's name, as the pack has it.
  public var marker: String
  /// The instant that was reported.
  public var markerUs: Int64

  public init(track: String, marker: String, markerUs: Int64) {
    self.track = track
    self.marker = marker
    self.markerUs = markerUs
  }

  /// When it was to be heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { markerUs = moved(markerUs) }
}
