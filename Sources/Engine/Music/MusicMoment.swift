// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing

/// A beat or a marker of the music, as it is heard.
struct MusicMoment: Equatable {
  /// Which it is.
  enum Kind: Equatable {
    case beat(Beat)
    /// By its name.
    case marker(String)
  }

  /// Where in the track and in its bars a beat is.
  struct Beat: Equatable {
    /// From 0 at the track's first; negative before it.
    var beat: Int
    /// Of its bar, from 0.
    var bar: Int
    /// Within its bar, from 0.
    var beatInBar: Int
    /// As `beat`, but rising through loops.
    var count: Int
    /// Beats a minute, as fast as it is played.
    var bpm: Double

    init(_ beat: Int, count: Int, _ grid: MusicGrid, rate: Double) {
      self.beat = beat
      bar = Int((Double(beat) / Double(grid.beatsPerBar)).rounded(.down))
      beatInBar = beat - bar * grid.beatsPerBar
      self.count = count
      bpm = grid.bpm * rate
    }
  }

  var track: AssetKey
  var kind: Kind
  /// The output frame at which it is heard.
  var frame: Int64
}

extension MusicPlayer {
  /// The foremost track at an output frame, whose beats are the music's, and the frame from which it is so no more: the one
  /// that plays, from the first frame of its fade on; where none plays any more, or it is held, the last of those that still
  /// fade out.
  func foremost(at frame: Int64) -> (part: Part, until: Int64)? {
    if let current, current.anchor <= frame {
      let until = min(current.standsFrom ?? .max, current.end)
      if frame < until { return (current, until) }
    }
    let tail = tails.last { $0.anchor <= frame && $0.sounds(at: frame) && !$0.stands(at: frame) }
    guard let tail else { return nil }
    return (tail, min(tail.standsFrom ?? .max, tail.over ?? .max, tail.end, nextAnchor(behind: frame) ?? .max))
  }

  /// When the next of its tracks is known to be somewhere: what it did before that is forgotten.
  private func nextAnchor(behind frame: Int64) -> Int64? {
    (tails + [current].compactMap(\.self)).map(\.anchor).filter { $0 > frame }.min()
  }

  /// What is heard from output frame `from` up to, not including, `end`, if nothing is asked of the music meanwhile.
  func moments(from: Int64, to end: Int64, _ landmarks: (LoadedKey) -> TrackLandmarks) -> [MusicMoment] {
    var moments: [MusicMoment] = []
    for piece in foremost(from: from) {
      if piece.from >= end { break }
      moments += piece.part.moments(from: piece.from, to: min(piece.until, end), landmarks(piece.part.track))
    }
    return moments
  }

  /// The foremost tracks from an output frame on, one behind the other, if nothing is asked of the music meanwhile; the last
  /// is so up to `end` or beyond.
  func foremost(from: Int64, upTo end: Int64 = .max) -> [(part: Part, from: Int64, until: Int64)] {
    var pieces: [(part: Part, from: Int64, until: Int64)] = []
    var frame = from
    while frame < end {
      if let (part, until) = foremost(at: frame) {
        pieces.append((part, frame, until))
        frame = until
      } else if let next = nextAnchor(behind: frame) {
        frame = next
      } else {
        return pieces
      }
    }
    return pieces
  }
}

extension MusicPlayer.Part {
  /// What of the track is heard from output frame `from` up to, not including, `end`, in order.
  fileprivate func moments(from: Int64, to end: Int64, _ landmarks: TrackLandmarks) -> [MusicMoment] {
    var moments: [MusicMoment] = []
    var frame = from
    let isCrowded = loops && landmarks.isCrowded(in: info.loop)
    while let next = next(
      from: frame, rate: landmarks.rate, at: { landmarks.next(from: $0, withMarkers: $1 == 0 || !isCrowded) }),
      next.frame < end
    {
      if let grid = landmarks.grid, case let beat = grid.beat(from: next.place), grid.position(of: beat) == next.place {
        let told = MusicMoment.Beat(beat, count: count(of: beat, passes: next.passes, grid), grid, rate: rate)
        moments.append(MusicMoment(track: track.key, kind: .beat(told), frame: next.frame))
      }
      for marker in landmarks.markers where marker.frame == next.place && (next.passes == 0 || !isCrowded) {
        moments.append(MusicMoment(track: track.key, kind: .marker(marker.name), frame: next.frame))
      }
      frame = next.frame + 1
    }
    return moments
  }
}

extension TrackLandmarks {
  /// The first frame of the track from `position` on at which there is anything.
  fileprivate func next(from position: Int64, withMarkers: Bool) -> Int64? {
    let beat = grid.map { $0.position(of: $0.beat(from: position)) }
    let marker = withMarkers ? markers.first { $0.frame >= position }?.frame : nil
    return [beat, marker].compactMap(\.self).min()
  }
}

extension MusicPlan {
  /// What is heard from output frame `from` up to, not including, `end`, as all that is asked for by now has it. Ends with
  /// the first piece in which `isEnough` finds what it looks for, or where `mostVerbs` were thought through.
  func moments(
    from: Int64, to end: Int64, _ timeline: AudioTimeline, mostVerbs: Int = .max,
    isEnough: ([MusicMoment]) -> Bool = { _ in false }, _ landmarks: (LoadedKey) -> TrackLandmarks
  ) -> [MusicMoment] {
    var moments: [MusicMoment] = []
    var frame = from
    for next in realised where next.frame > frame {
      guard frame < end else { return moments }
      moments += next.before.moments(from: frame, to: min(next.frame, end), landmarks)
      if isEnough(moments) { return moments }
      frame = next.frame
    }
    var player = player
    for (place, entry) in waiting.enumerated() {
      guard frame < end, place < mostVerbs else { return moments }
      let at = max(timeline.frame(at: entry.at), frame)
      moments += player.moments(from: frame, to: min(at, end), landmarks)
      if isEnough(moments) { return moments }
      guard at < end else { return moments }
      player.foresee(entry, at: at, declick: declick)
      frame = at
    }
    return moments + player.moments(from: frame, to: end, landmarks)
  }
}
