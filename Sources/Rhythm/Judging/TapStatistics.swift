// SPDX-License-Identifier: Apache-2.0

import Partitioning

/// How tap errors are spread: what a player or a calibration wants to know. Signed whole microseconds, early negative.
public struct TapStatistics: Equatable, Sendable {
  /// How many errors there are; with none, every figure is 0.
  public var count: Int
  /// The middle error (the mean of the two in the middle where there are two): what an offset should cancel.
  public var median: Int64
  /// Median absolute deviation from the median: spread that a few wild taps cannot move.
  public var medianAbsoluteDeviation: Int64
  /// The arithmetic mean.
  public var mean: Int64
  /// Sample standard deviation (n - 1); 0 for fewer than two.
  public var standardDeviation: Int64

  /// The statistics of `errors`, each figure rounded to the nearest microsecond.
  public init(errors: [Int64]) { self.init(ordered: errors.sorted()) }

  /// The same of errors in ascending order.
  init(ordered errors: [Int64]) {
    count = errors.count
    median = Self.middle(of: errors.count) { errors[$0] }
    medianAbsoluteDeviation = Self.medianDeviation(of: errors, from: median)
    let average = errors.isEmpty ? 0 : errors.reduce(0) { $0 + Double($1) } / Double(errors.count)
    mean = Int64(average.rounded())
    let squares = errors.reduce(0) { $0 + (Double($1) - average) * (Double($1) - average) }
    standardDeviation = errors.count < 2 ? 0 : Int64((squares / Double(errors.count - 1)).squareRoot().rounded())
  }

  /// The median of `count` values, of which `value` answers one by its place in ascending order.
  private static func middle(of count: Int, _ value: (Int) -> Int64) -> Int64 {
    guard count > 0 else { return 0 }
    let middle = count / 2
    if count % 2 == 1 { return value(middle) }
    return Int64((Double(value(middle - 1) + value(middle)) / 2).rounded())
  }

  /// The median of how far each of `errors`, in ascending order, is from `centre`: going away from it both ways they come in order.
  private static func medianDeviation(of errors: [Int64], from centre: Int64) -> Int64 {
    var above = errors.partitioningIndex { $0 >= centre }
    var below = above - 1
    let deviations = (0..<min(errors.count, errors.count / 2 + 1)).map { _ in
      if below >= 0, above == errors.count || centre - errors[below] <= errors[above] - centre {
        below -= 1
        return centre - errors[below + 1]
      }
      above += 1
      return errors[above - 1] - centre
    }
    return middle(of: errors.count) { deviations[$0] }
  }
}

/// How a chapter stands, or ended.
public struct RhythmSummary: Equatable, Sendable {
  /// How many beats take part.
  public var beats: Int
  /// Beats tapped in time.
  public var hits: Int
  /// Beats declared missed.
  public var misses: Int
  /// Beats that nobody could tap, because all of their cell lay inside a stall.
  public var voided: Int
  /// Taps that claimed nothing.
  public var ghosts: Int
  /// Hits since the last miss.
  public var combo: Int
  /// The most hits without a miss among them.
  public var longestCombo: Int
  /// How many hits earned each of the chapter's grades.
  public var grades: [Int]
  /// From when on there was help, as a moment of the run.
  public var assistedFrom: Int64?
  /// The errors of the hits.
  public var errors: TapStatistics

  /// Hits among what was hit or missed, 0 to 1; nil before there is any.
  public var accuracy: Double? { RunTally(hits: hits, misses: misses).accuracy }

  /// Beats not yet judged.
  public var pending: Int { beats - hits - misses - voided }
}
