// SPDX-License-Identifier: Apache-2.0

import Glibc
import Partitioning

/// How much of a source is played while a control of pitch takes its course: the integral of 2^p, where p, a sound's own
/// pitch and the control's, is clamped to -1...1.
///
/// A sound that is begun in its middle asks for it, on the way to being heard, and so do all sounds of a pattern at once. So
/// what is dear is done beforehand: where nothing is clamped an answer takes the logarithm of the number of pieces, else a few
/// sums for each.
struct PitchCourse: Hashable, Sendable {
  private struct Piece: Hashable, Sendable, BitwiseCopyable {
    var start: Int64
    var value: Double
    /// Per nanosecond.
    var slope: Double
    /// What it comes to.
    var last: Double
    /// 2 to the power of its first value and of its last.
    var (factor, lastFactor): (Double, Double)
    /// What is played from the first piece's start to its own, for a pitch of 0 and unclamped.
    var played: Double
  }

  /// After the time before them, where the control is neutral.
  private let pieces: [Piece]
  private let range: ClosedRange<Double>

  init(_ track: ControlTrack) {
    var pieces: [Piece] = []
    pieces.reserveCapacity(track.pieces.count)
    var (played, low, high) = (0.0, track.neutral, track.neutral)
    for (index, piece) in track.pieces.enumerated() {
      let length = index + 1 < track.pieces.count ? Double(track.pieces[index + 1].start - piece.start) : 0
      let last = piece.value + piece.slope * length
      let made = Piece(
        start: piece.start, value: piece.value, slope: piece.slope, last: last, factor: exp2(piece.value),
        lastFactor: exp2(last), played: played)
      pieces.append(made)
      played += length * meanFactor((made.value, made.factor), (last, made.lastFactor))
      (low, high) = (min(low, piece.value, last), max(high, piece.value, last))
    }
    self.pieces = pieces
    range = low...high
  }

  /// What is played from `start` to `end`, nanoseconds of the pattern, at a pitch of its own of -1...1; in nanoseconds of the
  /// source, 0 where there is nothing between them.
  func played(from start: Int64, to end: Int64, pitch: Double) -> Double {
    if start >= end { return 0 }
    let factor = exp2(pitch)
    if pitch + range.lowerBound >= -1, pitch + range.upperBound <= 1 {
      return factor * (played(until: end) - played(until: start))
    }
    var sum = 0.0
    var at = start
    var index = pieces.partitioningIndex { $0.start > start } - 1
    while at < end {
      let next = index + 1 < pieces.count ? pieces[index + 1].start : .max
      let until = min(next, end)
      if index < 0 {
        sum += Double(until - at) * min(max(factor, 0.5), 2)
      } else {
        let piece = pieces[index]
        let first = at == piece.start ? (piece.value, piece.factor) : point(of: piece, at: at)
        let last = until == next ? (piece.last, piece.lastFactor) : point(of: piece, at: until)
        sum +=
          Double(until - at)
          * meanClamped((first.0 + pitch, first.1 * factor), (last.0 + pitch, last.1 * factor))
      }
      at = until
      index += 1
    }
    return sum
  }

  /// Counted from the first piece's start.
  private func played(until time: Int64) -> Double {
    let index = pieces.partitioningIndex { $0.start > time } - 1
    guard index >= 0 else { return Double(time - (pieces.first?.start ?? 0)) }
    let piece = pieces[index]
    return piece.played
      + Double(time - piece.start) * meanFactor((piece.value, piece.factor), point(of: piece, at: time))
  }

  private func point(of piece: Piece, at time: Int64) -> (Double, Double) {
    let value = piece.value + piece.slope * Double(time - piece.start)
    return (value, piece.slope == 0 ? piece.factor : exp2(value))
  }
}

/// The mean of 2^p while p goes straight from one value to another; each with its power of 2.
private func meanFactor(_ first: (Double, Double), _ last: (Double, Double)) -> Double {
  let span = last.0 - first.0
  return abs(span) < 1e-9 ? first.1 : (last.1 - first.1) / (span * ln2)
}

/// The same where p is clamped to -1...1.
private func meanClamped(_ first: (Double, Double), _ last: (Double, Double)) -> Double {
  let (low, high) = first.0 <= last.0 ? (first, last) : (last, first)
  let span = high.0 - low.0
  if high.0 <= -1 { return 0.5 }
  if low.0 >= 1 { return 2 }
  if span < 1e-9 { return low.1 }
  let below = max(-1 - low.0, 0)
  let above = max(high.0 - 1, 0)
  let between = ((above > 0 ? 2 : high.1) - (below > 0 ? 0.5 : low.1)) / ln2
  return (below * 0.5 + between + above * 2) / span
}

/// The natural logarithm of 2; `log(2)` would be computed each time.
private let ln2 = 0.693_147_180_559_945_3
