// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// One track from where it begins to where it is over. It has a clock of its own, its age: the frames in which it moved.
/// While the music is paused that stands, and so does all that goes by it: its place, its fades, its end.
package struct MusicCourse {
  /// A stretch in which it moves: at `position` at `start`.
  package struct Run {
    package var start: Int64
    package var end: Int64
    package var position: Int64
  }

  package struct Level {
    package var start: Int64
    package var from: Double
    package var to: Double
    package var length: MusicModel.Length

    package func value(at frame: Int64) -> Double {
      if frame >= start + length.frames { return to }
      let way = Double(max(0, frame - start)) / Double(length.frames)
      if !length.isEqualPower { return from + (to - from) * way }
      let angle = way * Double.pi / 2
      return (from * from * cos(angle) * cos(angle) + to * to * sin(angle) * sin(angle)).squareRoot()
    }
  }

  package var track: MusicModel.Track
  package var loops: Bool
  package var asked: Double
  package var runs: [Run]
  /// By its age.
  package var levels: [Level]
  /// What a pause makes of them, by output frames.
  package var gates: [Level] = []
  /// The age at which it is over.
  package var overAge = Int64.max
  /// Whether its place was needed.
  package var isCut = false

  package var gain: Double { track.gain * asked }

  package var naturalEnd: Int64 {
    guard !loops, let last = runs.last, last.end == .max else { return .max }
    return last.start + max(0, track.frames - last.position)
  }

  package func position(at frame: Int64) -> Int64 {
    let run = runs.last { $0.start <= frame } ?? runs[0]
    return track.place(run.position + max(0, min(frame, run.end) - run.start), loops)
  }

  package func age(at frame: Int64) -> Int64 { runs.reduce(0) { $0 + max(0, min(frame, $1.end) - $1.start) } }

  /// From when on it is over, as far as is known.
  package var over: Int64 {
    var age: Int64 = 0
    for run in runs {
      if run.end == .max || overAge - age <= run.end - run.start {
        return overAge == .max ? .max : run.start + overAge - age
      }
      age += run.end - run.start
    }
    return .max
  }

  package func level(at frame: Int64) -> Double {
    let age = age(at: frame)
    return (levels.last { $0.start <= age } ?? levels[0]).value(at: age)
  }

  package func gate(at frame: Int64) -> Double { gates.last { $0.start <= frame }?.value(at: frame) ?? 1 }

  package func heard(at frame: Int64) -> Double { level(at: frame) * gate(at: frame) }

  /// From when on it stands, or is to.
  package var standsFrom: Int64? { gates.last.flatMap { $0.to == 0 ? $0.start + $0.length.frames : nil } }

  package func stands(at frame: Int64) -> Bool { standsFrom.map { $0 <= frame } ?? false }

  package mutating func turn(to gain: Double, at frame: Int64, _ length: MusicModel.Length, from: Double? = nil) {
    let from = from ?? level(at: frame)
    // A change to what it is already takes no time.
    levels.append(
      Level(start: age(at: frame), from: from, to: gain, length: from == gain ? .none : length))
  }

  /// Whether anything of it can still be heard at a frame, or once it goes on.
  package func sounds(at frame: Int64) -> Bool {
    age(at: frame) < overAge && frame < naturalEnd && (loops || position(at: frame) < track.frames)
  }
}
