// SPDX-License-Identifier: Apache-2.0

/// The value in the middle.
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// The bounds between which the true median lies with 95 % certainty: the values sqrt(n) ranks to either side.
func medianBounds(_ values: [Double]) -> ClosedRange<Double> {
  let sorted = values.sorted()
  let ranks = Int(Double(values.count).squareRoot())
  return sorted[max(values.count / 2 - ranks, 0)]...sorted[min(values.count / 2 + ranks, values.count - 1)]
}

/// Four significant digits, without Foundation.
func text(_ value: Double) -> String {
  let scale = abs(value) < 1 ? 1e5 : 1e4
  return "\((value * scale).rounded() / scale)"
}
