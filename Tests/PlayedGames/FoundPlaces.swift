// SPDX-License-Identifier: Apache-2.0

import Moments

/// Finds where in a recording something is whose frame is not known to the last one: where it is most like what is heard. Noise is
/// like itself at one frame alone, whatever else is heard there.
struct FoundPlaces {
  private let heard: [Float]
  private let pace: Pace
  /// As much as tells noise from other noise.
  private static let window = 6_000
  /// A busy machine takes no more periods to serve what is asked for at once.
  static let mostLate = 4_096

  /// In what was `heard` at this pace.
  init(_ heard: [Float], _ pace: Pace) { (self.heard, self.pace) = (heard, pace) }

  /// How many frames later than at `frame` it lies that was told for that one, by as many as a told instant is unsure; 0 where
  /// it is not there, as where it waits for a switch. A track is looked for where it is loud, at half its fade.
  func later(_ marker: [Float], than frame: Int, fadeIn: Int) -> Int {
    guard pace.isLive else { return 0 }
    let last = min(marker.count, fadeIn / 2 + Self.window)
    let frames = max(0, last - Self.window)..<last
    var best = (shift: 0, likeness: Float(0.25))
    for shift in -pace.unsureFrames...pace.unsureFrames {
      let likeness = likeness(marker, frames, frame + shift)
      if likeness > best.likeness { best = (shift, likeness) }
    }
    return best.shift
  }

  /// How many frames a ramp of a track, of which `index` is at `frame`, ends later than there where it is mixed late: so long is
  /// it still heard where it ought to be silent, or still not where it ought to be loud.
  func rampLate(_ marker: [Float], _ index: Int, at frame: Int, isUp: Bool) -> Int {
    guard pace.isLive, !marker.isEmpty, index >= 0 else { return 0 }
    let step = 240
    for later in stride(from: 0, to: Self.mostLate, by: step) {
      let from = (index + later) % marker.count
      let likeness = likeness(marker, from..<min(from + step, marker.count), frame + later - from)
      if later == 0, isUp ? likeness > 0.97 : likeness < 0.03 { return 0 }
      // The rest of a ramp of 960 frames is half of it at most.
      if isUp ? likeness > 0.75 : likeness < 0.25 { return later + 2 * step }
    }
    return Self.mostLate
  }

  /// How many frames later than at `from` the stems of a track begin to fade, which was at frame `start`: while they fade in a straight
  /// line as much more of them is heard than is `expected`.
  func stemsLate(
    _ track: ExpectedLife.Track, _ facts: MomentTable.Track?, _ probes: ProbePack, _ expected: [Float],
    trackAt start: Int, _ from: Int, over length: Int
  ) -> Int {
    guard pace.isLive, let stems = facts?.stems else { return 0 }
    let parts = stems.map { (probes.marker($1.file), track.stems?[$0] ?? $1.gain) }.filter { !$0.0.isEmpty }
    let end = min(from + length, heard.count, expected.count)
    guard from >= start, from + Self.mostLate < end else { return 0 }
    var (more, all) = (0.0, 0.0)
    for frame in from + Self.mostLate..<end {
      let stem = parts.reduce(0.0) { $0 + Double($1.0[(frame - start) % $1.0.count]) * $1.1 }
      more += Double(heard[frame] - expected[frame]) * stem
      all += stem * stem
    }
    return all > 0 ? Int(max(-1e6, min(Double(length) * more / all, 1e6)).rounded()) : 0
  }

  /// How much of these frames is heard where it begins at `start`: 1 for all, about 0 for other noise.
  private func likeness(_ marker: [Float], _ frames: Range<Int>, _ start: Int) -> Float {
    heard.withUnsafeBufferPointer { heard in
      marker.withUnsafeBufferPointer { marker in
        var (index, end) = (max(frames.lowerBound, -start), min(frames.upperBound, heard.count - start))
        if index > end { end = index }
        var (same, all): (Float, Float) = (0, 0)
        while index < end {
          same += marker[index] * heard[start + index]
          all += marker[index] * marker[index]
          index += 1
        }
        return all > 0 ? same / all : 0
      }
    }
  }
}
