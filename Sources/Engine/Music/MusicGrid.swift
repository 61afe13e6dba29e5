// SPDX-License-Identifier: Apache-2.0

/// The beats of a track: numbered from 0, each heard at the frame of the track nearest to its place.
struct MusicGrid: Equatable {
  /// Where the first beat is, and how far apart beats are, in frames of the track.
  var first: Double
  var step: Double
  var beatsPerBar: Int
  /// Beats a minute.
  var bpm: Double

  /// The frame of the track at which a beat is heard.
  func position(of beat: Int) -> Int64 { Int64((first + Double(beat) * step).rounded()) }

  /// The first beat at or behind a frame of the track, which may lie before the first beat.
  func beat(from position: Int64) -> Int {
    var beat = max(0, Int(((Double(position) - first) / step).rounded(.down)) - 1)
    while self.position(of: beat) < position { beat += 1 }
    return beat
  }

  /// The first beat of a bar at or behind a frame of the track.
  func bar(from position: Int64) -> Int {
    let beat = beat(from: position)
    return (beat + beatsPerBar - 1) / beatsPerBar * beatsPerBar
  }
}

/// What of a track one can wait for: its beats, where it has a tempo, and its markers.
struct TrackLandmarks {
  var grid: MusicGrid?
  /// In order of their frames in the track, those of one frame by name.
  var markers: [(name: String, frame: Int64)] = []
}

extension MusicPlayer.Part {
  /// A loop shorter than this has none after its first turn: as long as the shortest beat there can be, 60 ms at 48 kHz.
  static let shortestLoop: Int64 = 2_880

  /// Whether it goes round, and how far a turn is.
  private var turn: Int64? {
    let length = info.loop.end - info.loop.start
    return loops && length > 0 ? length : nil
  }

  /// How often the loop's seam was heard by an output frame.
  func turns(by frame: Int64) -> Int {
    let unwrapped = position + max(0, frame - anchor)
    guard let turn, unwrapped >= info.loop.end else { return 0 }
    return Int((unwrapped - info.loop.start) / turn)
  }

  /// The output frame, from `frame` on, at which the next landmark is heard, through the loop's seam: `landmark` gives the
  /// first one at or behind a frame of the track. Nothing where the track, or its loop, holds none any more.
  func next(from frame: Int64, _ landmark: (Int64) -> Int64?) -> Int64? {
    var start = max(frame, anchor)
    var place = position(at: start)
    let end = turn == nil ? info.frames : info.loop.end
    let isShort = turn.map { $0 < Self.shortestLoop } ?? false
    if isShort, turns(by: start) > 0 { return nil }
    if let found = landmark(place), found < end { return start + found - place }
    guard turn != nil, !isShort else { return nil }
    start += end - place
    place = info.loop.start
    guard let found = landmark(place), found < end else { return nil }
    return start + found - place
  }

  /// How many beats were heard up to the one of number `beat` that is heard at an output frame, had the track been played
  /// from its beginning: it rises by one a beat, also through the seams of a loop that is no whole number of beats.
  func count(of beat: Int, at frame: Int64, _ grid: MusicGrid) -> Int {
    beat + turns(by: frame) * (grid.beat(from: info.loop.end) - grid.beat(from: info.loop.start))
  }
}
