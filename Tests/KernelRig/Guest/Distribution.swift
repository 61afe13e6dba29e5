// SPDX-License-Identifier: Apache-2.0

/// Median and worst of some differences in microseconds.
struct Distribution: CustomStringConvertible {
  let median: Int64
  let worst: Int64

  init(_ values: [Int64]) {
    median = values.isEmpty ? 0 : values.sorted()[values.count / 2]
    worst = values.max { abs($0) < abs($1) } ?? 0
  }

  var description: String { "median \(milliseconds(median)), worst \(milliseconds(worst))" }
}
