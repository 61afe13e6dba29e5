// SPDX-License-Identifier: Apache-2.0

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
  public init(errors: [Int64]) {
    count = errors.count
    median = Self.median(of: errors)
    let centre = median
    medianAbsoluteDeviation = Self.median(of: errors.map { abs($0 - centre) })
    let average = errors.isEmpty ? 0 : errors.reduce(0) { $0 + Double($1) } / Double(errors.count)
    mean = Int64(average.rounded())
    let squares = errors.reduce(0) { $0 + (Double($1) - average) * (Double($1) - average) }
    standardDeviation = errors.count < 2 ? 0 : Int64((squares / Double(errors.count - 1)).squareRoot().rounded())
  }

  private static func median(of values: [Int64]) -> Int64 {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted[middle] }
    return Int64((Double(sorted[middle - 1] + sorted[middle]) / 2).rounded())
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
