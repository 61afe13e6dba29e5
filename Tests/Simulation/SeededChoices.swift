import SeededNumbers

extension SeededRandom {
  /// True once in `count` times.
  mutating func oneIn(_ count: Int) -> Bool { next(below: count) == 0 }

  /// 0 ..< `bound`.
  mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number of the range, both ends included.
  mutating func integer(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &self)
  }

  /// One of `choices`, which are not empty.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[next(below: choices.count)] }
}
