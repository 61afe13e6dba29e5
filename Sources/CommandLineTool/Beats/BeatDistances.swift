// SPDX-License-Identifier: Apache-2.0

import Rhythm

/// How far each beat is from the onset nearest to it.
struct BeatDistances: Equatable {
  /// A beat and what is heard near it.
  struct One: Encodable, Equatable {
    /// Counted from 0.
    var beat: Int
    var atUs: Int64
    var lane: String?
    /// The nearest onset less the beat: above 0 it is heard after the beat. Nil where none is within half a second.
    var onsetUs: Int64?
  }

  let all: [One]

  /// Farther off than this an onset is not of the beat.
  private static let farthestUs: Int64 = 500_000

  /// Both ascend.
  init(_ beats: [Beat], lanes: [String] = [], onsets: [Int64]) {
    var next = 0
    all = beats.enumerated().map { index, beat in
      while next + 1 < onsets.count, abs(onsets[next + 1] - beat.at) <= abs(onsets[next] - beat.at) { next += 1 }
      let off = onsets.indices.contains(next) ? onsets[next] - beat.at : .max
      return One(
        beat: index, atUs: beat.at, lane: beat.lane.map { lanes[$0] },
        onsetUs: abs(off) <= Self.farthestUs ? off : nil)
    }
  }

  /// Those that have an onset.
  var known: [Int64] { all.compactMap(\.onsetUs) }

  /// The usual distance: half are below it.
  var medianUs: Int64? { Statistics(known)?.median }

  /// Beats farther from an onset than `limitUs`, or without one.
  func far(_ limitUs: Int64) -> [One] { all.filter { $0.onsetUs.map { abs($0) > limitUs } ?? true } }
}
