// SPDX-License-Identifier: Apache-2.0

/// What is said of a set of measurements, in their own unit.
struct Statistics: Equatable {
  /// How many values a median takes, so that ten of them lie beyond it.
  static let leastForMedian = 20
  /// How many values the 99th percentile takes, so that ten of them lie beyond it.
  static let leastForP99 = 1_000

  let count: Int
  let median: Int64
  /// The smallest value that at least 99 % do not exceed.
  let p99: Int64
  let least: Int64
  let most: Int64
  let mean: Double
  /// Standard deviation of the set itself.
  let standardDeviation: Double

  /// Nil for an empty set.
  init?(_ values: [Int64]) {
    if values.isEmpty { return nil }
    let sorted = values.sorted()
    count = sorted.count
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2
    p99 = sorted[(sorted.count * 99 + 99) / 100 - 1]
    least = sorted[0]
    most = sorted[sorted.count - 1]
    let average = sorted.reduce(0.0) { $0 + Double($1) } / Double(sorted.count)
    let squares = sorted.reduce(0.0) { $0 + (Double($1) - average) * (Double($1) - average) }
    mean = average
    standardDeviation = (squares / Double(sorted.count)).squareRoot()
  }
}
