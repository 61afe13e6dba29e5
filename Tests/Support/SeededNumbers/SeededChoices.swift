// SPDX-License-Identifier: Apache-2.0

extension SeededRandom {
  /// True once in `count` times.
  public mutating func oneIn(_ count: Int) -> Bool { next(below: count) == 0 }

  /// 0 ..< `bound`.
  public mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number of the range, both ends included.
  public mutating func integer(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &self)
  }

  /// One of `choices`, which are not empty.
  public mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[next(below: choices.count)] }
}
