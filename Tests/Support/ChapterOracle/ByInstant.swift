// SPDX-License-Identifier: Apache-2.0

/// A value for every microsecond of a span.
struct ByInstant<Value> {
  private let span: ClosedRange<Int64>
  private let outside: Value
  private var values: [Value]

  init(_ value: Value, _ span: ClosedRange<Int64>) {
    self.span = span
    outside = value
    values = [Value](repeating: value, count: span.count)
  }

  subscript(instant: Int64) -> Value {
    get { span.contains(instant) ? values[Int(instant - span.lowerBound)] : outside }
    set { values[Int(instant - span.lowerBound)] = newValue }
  }
}
