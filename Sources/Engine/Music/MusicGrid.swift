// SPDX-License-Identifier: Apache-2.0

import Timing

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
  /// Frames a second.
  var rate: Int

  /// Whether a loop holds so many markers that they are told in its first pass alone: each would be told and told ahead
  /// again and again, to every client. As often as the fastest beats is as often as anything is told.
  func isCrowded(in loop: LoopRegion) -> Bool {
    let count = markers.count { loop.start <= $0.frame && $0.frame < loop.end }
    return Int64(count) * MusicPlayer.Part.shortestLoop(rate: rate) > loop.end - loop.start
  }
}

extension MusicPlayer.Part {
  /// A loop shorter than so many frames has none after its first pass: as long as the shortest beat there can be.
  static func shortestLoop(rate: Int) -> Int64 { Interval.milliseconds(60).frames(rate: rate) }

  /// Whether it goes round, and how long a pass of it is.
  private var passLength: Int64? {
    let length = info.loop.end - info.loop.start
    return loops && length > 0 ? length : nil
  }

  /// How often the loop's seam was heard by an output frame.
  func passes(by frame: Int64) -> Int { passes(before: position + trackFrames(max(0, frame - anchor))) }

  /// How often the seam lies before a place, not looped.
  private func passes(before unwrapped: Int64) -> Int {
    guard let passLength, unwrapped >= info.loop.end else { return 0 }
    return Int((unwrapped - info.loop.start) / passLength)
  }

  /// A landmark as it is heard.
  struct Heard {
    /// The output frame: the first by which so much of the track has gone by.
    var frame: Int64
    /// The frame of the track.
    var place: Int64
    /// How often the seam was heard before it.
    var passes: Int
  }

  /// The next landmark that is heard from output frame `frame` on, through the loop's seam: `landmark` gives the first one at
  /// or behind a frame of the track, which has `rate` a second. Nothing where the track, or its loop, holds none any more.
  func next(from frame: Int64, rate: Int, _ landmark: (Int64) -> Int64?) -> Heard? {
    next(from: frame, rate: rate) { place, _ in landmark(place) }
  }

  /// The same of a landmark that is not there in every pass: how many there were before is told too.
  func next(from frame: Int64, rate: Int, at landmark: (_ place: Int64, _ passes: Int) -> Int64?) -> Heard? {
    let start = max(frame, anchor)
    let end = passLength == nil ? info.frames : info.loop.end
    let isShort = passLength.map { $0 < Self.shortestLoop(rate: rate) } ?? false
    var unwrapped = position + trackFrames(start - anchor)
    var passes = passes(before: unwrapped)
    if isShort, passes > 0 { return nil }
    var mayGoRound = passLength != nil && !isShort
    while true {
      let place = passLength.map { unwrapped - Int64(passes) * $0 } ?? min(unwrapped, info.frames)
      if let found = landmark(place, passes), found < end {
        unwrapped += found - place
        let heard = anchor + outputFrames(unwrapped - position)
        if heard >= start { return Heard(frame: heard, place: found, passes: passes) }
        // Played slowly, a frame of the track lasts for more than one of output: that was an earlier one.
        unwrapped += 1
        if found + 1 < end { continue }
        guard mayGoRound else { return nil }
      } else {
        guard mayGoRound else { return nil }
        unwrapped += end - place
      }
      mayGoRound = false
      passes += 1
    }
  }

  /// How many beats were heard up to the one of number `beat` behind so many passes of the loop, had the track been played from its
  /// beginning: it rises by one a beat, also through the seams of a loop that is no whole number of beats.
  func count(of beat: Int, passes: Int, _ grid: MusicGrid) -> Int {
    beat + passes * (grid.beat(from: info.loop.end) - grid.beat(from: info.loop.start))
  }
}
