// SPDX-License-Identifier: Apache-2.0

import Glibc

extension [Float] {
  /// How far the sample at `frame` is from what the 50 ms before it lead one to expect, in times of how far the last 10 ms
  /// of them were, usually. Music goes on from what it was, also where a drum is struck, which begins from nothing; where it is
  /// cut it does not.
  public func surprise(at frame: Int) -> Double {
    let order = 24
    let past = self[(frame - 2_400)..<frame].map(Double.init)
    // Linear prediction: Levinson and Durbin's recursion.
    var likeness = (0...order).map { lag in zip(past, past.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } }
    likeness[0] = likeness[0] * (1 + 1e-9) + 1e-12
    var weights = [Double](repeating: 0, count: order)
    var error = likeness[0]
    for step in 0..<order {
      var reflection = likeness[step + 1]
      for index in 0..<step { reflection -= weights[index] * likeness[step - index] }
      reflection /= error
      let before = weights
      weights[step] = reflection
      for index in 0..<step { weights[index] = before[index] - reflection * before[step - 1 - index] }
      error *= 1 - reflection * reflection
    }
    func miss(_ place: Int) -> Double {
      var expected = 0.0
      for index in 0..<order { expected += weights[index] * Double(self[place - 1 - index]) }
      return abs(Double(self[place]) - expected)
    }
    let usual = (frame - 480..<frame).reduce(0) { $0 + miss($1) * miss($1) } / 480
    return miss(frame) / (usual.squareRoot() + 1e-6)
  }
}
