// SPDX-License-Identifier: Apache-2.0

/// How often values fall into steps of equal width.
struct Histogram: Equatable {
  /// Where the first step begins.
  let least: Int64
  /// The width of a step, 1, 2 or 5 times a power of ten.
  let step: Int64
  /// How many values each step has.
  let counts: [Int]

  /// Of `values` in at most `steps` steps; nil without any.
  init?(_ values: [Int64], steps: Int = 40) {
    guard let low = values.min(), let high = values.max() else { return nil }
    let span = high.subtractingReportingOverflow(low)
    guard !span.overflow else { return nil }
    var step: Int64 = 1
    var factors = [2, 5, 10][...]
    var power: Int64 = 1
    while span.partialValue / step + 2 > Int64(steps), power <= Int64.max / 10 {
      step = power * Int64(factors.removeFirst())
      if factors.isEmpty { (factors, power) = ([2, 5, 10], power * 10) }
    }
    let first = low >= 0 ? low / step : -((-low + step - 1) / step)
    var counts = [Int](repeating: 0, count: Int(high / step - first) + 2)
    for value in values {
      let place = value >= 0 ? value / step : -((-value + step - 1) / step)
      counts[Int(place - first)] += 1
    }
    while counts.last == 0 { counts.removeLast() }
    self.least = first * step
    self.step = step
    self.counts = counts
  }
}
